"""Signals as a terminal gives them: a run in the background or under nohup would hand down some that are ignored."""
from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest

INHERITED = (signal.SIGHUP, signal.SIGQUIT)


@pytest.fixture(autouse=True)
def not_ignored() -> Iterator[None]:
    kept = {number: signal.signal(number, signal.SIG_DFL) for number in INHERITED}
    yield
    for number, handler in kept.items():
        signal.signal(number, handler)
