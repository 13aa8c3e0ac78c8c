"""A virtual run: trio under a mock clock, with its scheduling seeded.

Trio starts tasks in an order that differs from run to run; one private flag and one private generator of trio decide
it. They are touched here and nowhere else, and a test fails when trio changes them.
"""
from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

import trio
from trio.testing import MockClock

Result = TypeVar("Result")


def run_virtual(function: Callable[[], Awaitable[Result]], seed: int) -> Result:
    """Run an async function in virtual time: waiting costs nothing and is exact; one seed gives one order of tasks."""
    return _run(function, seed, MockClock(autojump_threshold=0))


def run_real(function: Callable[[], Awaitable[Result]], rate: float = 1.0) -> Result:
    """Run an async function on the real clock; with a rate above 1, waits are that many times shorter."""
    return trio.run(function) if rate == 1.0 else trio.run(function, clock=MockClock(rate=rate))


def _run(function: Callable[[], Awaitable[Result]], seed: int, clock: MockClock) -> Result:
    internals = trio._core._run
    before = internals._ALLOW_DETERMINISTIC_SCHEDULING
    internals._ALLOW_DETERMINISTIC_SCHEDULING = True  # type: ignore[misc]
    internals._r.seed(seed)
    try:
        return trio.run(function, clock=clock)
    finally:
        internals._ALLOW_DETERMINISTIC_SCHEDULING = before  # type: ignore[misc]
