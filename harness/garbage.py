"""Fewer collections of garbage, for a process that makes one run after the other.

A run leaves little in cycles, and what was imported and loaded before it stays: to look through all of that every 700
new objects takes a tenth of a run. In a forked child it would also copy every page that it shares with its parent.
"""
from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

EVERY = (50_000, 20, 20)
"""New objects after which the youngest are looked through, and how many such looks make one at the older ones."""


def collect_rarely() -> None:
    """From now on in this process: what is there stays out of collections, and those are rare."""
    gc.freeze()
    gc.set_threshold(*EVERY)


@contextmanager
def collected_rarely() -> Iterator[None]:
    """The same for one piece of work, as reading all kept runs is; then collections are as they were."""
    before = gc.get_threshold()
    collect_rarely()
    try:
        yield
    finally:
        gc.unfreeze()
        gc.set_threshold(*before)
