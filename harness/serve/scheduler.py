"""A virtual run: trio under a mock clock, with its scheduling seeded.

Trio starts tasks in an order that differs from run to run; one private flag and one private generator of trio decide
it. They are touched here and nowhere else, and a test fails when trio changes them. The same holds for what the clock
is asked when every task waits: where none of them waits for a time, nothing can happen any more, and the run ends. And
for what it is asked most: a clock that stands still needs no look at the machine's to say what time it is.
"""
from __future__ import annotations

import math
from collections.abc import Awaitable, Callable, Iterator
from typing import TYPE_CHECKING, TypeVar

import trio
from trio.testing import MockClock

from harness.problem import Problem
from harness.serve.alarm import Alarms

if TYPE_CHECKING:
    from trio._core._run import CancelStatus

Result = TypeVar("Result")


class Stuck(Problem):
    """Every task of a virtual run waits, and none of them for a time: nothing will happen any more."""


class _Watch:
    """What a clock does when every task waits: it jumps to the next time that one waits for. Where there is none,
    everything is cancelled, shields or not."""

    def __init__(self) -> None:
        self.clock = MockClock(autojump_threshold=0)
        self.scope = trio.CancelScope()
        self.alarms: Alarms
        self.waiting: list[str] = []
        self.clock._autojump = self._look  # type: ignore[method-assign]
        self.clock.current_time = self._now  # type: ignore[method-assign]

    def _now(self) -> float:
        return self.clock._virtual_base

    def _look(self) -> None:
        internals = trio._core._run
        deadline = internals.GLOBAL_RUN_CONTEXT.runner.deadlines.next_deadline()
        alarm = self.alarms.next()
        due = min(deadline, alarm)
        if due < math.inf:
            self.clock.jump(max(0.0, due - self._now()))
            if alarm < deadline or (alarm == deadline and internals._r.random() < 0.5):
                self.alarms.fire(due)
            return
        tasks = list(_tasks(trio.lowlevel.current_root_task()))
        self.waiting = self.waiting or sorted(task.name for task in tasks)
        for task in tasks:
            status: CancelStatus | None = task._cancel_status
            while status is not None:
                status._scope.shield = False
                status = status._parent
        self.scope.cancel()


def _tasks(task: trio.lowlevel.Task | None) -> Iterator[trio.lowlevel.Task]:
    """A task and all below it, trio's own left out."""
    if task is not None:
        if task.name.startswith(("harness.", "stack.", "fakes.", "tests.")):
            yield task
        for nursery in task.child_nurseries:
            for child in nursery.child_tasks:
                yield from _tasks(child)


def run_virtual(function: Callable[[], Awaitable[Result]], seed: int) -> Result:
    """Run an async function in virtual time: waiting costs nothing and is exact; one seed gives one order of tasks.

    Raises Stuck where the function waits for what never comes."""
    watch = _Watch()

    async def bounded() -> Result:
        watch.alarms = Alarms()
        with watch.scope:
            result = await function()
        if not watch.waiting:
            return result
        raise Stuck(
            f"{len(watch.waiting)} tasks that wait for each other: {', '.join(watch.waiting)}",
            "a run that ends, or waits for a time",
            "look for what waits without a deadline, in a part that is shielded against being cancelled",
        )

    return _run(bounded, seed, watch.clock)


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
