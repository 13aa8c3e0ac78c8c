"""What a keeper of time sleeps with: until a time that may come nearer meanwhile, or until it is rung.

On the real clock that is a deadline of trio's. In a virtual run, time moves only where every task waits, so who moves
it (`harness/serve/scheduler.py`) wakes the sleepers itself: no deadline is set and none runs out, which is most of what
waiting costs.
"""
from __future__ import annotations

import math
from heapq import heappop, heappush

import trio


class Alarm:
    """One sleeper's. Times are of trio's clock, in seconds."""

    def __init__(self) -> None:
        self.due = math.inf
        """Until when it sleeps; only of interest while it does."""
        self._rung = False
        self._sleeper: trio.lowlevel.Task | None = None
        self._scope: trio.CancelScope | None = None

    async def sleep(self, due: float) -> None:
        """Until `due` or until it is rung; not at all where it was rung since the last sleep, or that time is over."""
        if not self._rung and due > trio.current_time():
            self.due = due
            alarms = _ALARMS.get()
            if alarms is None:
                with trio.CancelScope(deadline=due) as self._scope:
                    await self._wait()
            else:
                alarms.add(self)
                await self._wait()
        self._rung = False

    def ring(self) -> None:
        """Wake it now; where it does not sleep, its next sleep is none."""
        self._rung = True
        self.wake()

    def by(self, due: float) -> None:
        """Let it wake at `due` where that is earlier. Who does not sleep looks for itself before the next sleep."""
        if self._sleeper is None or due >= self.due:
            return
        self.due = due
        if due <= trio.current_time():
            self.wake()
        elif self._scope is not None:
            self._scope.deadline = due
        elif (alarms := _ALARMS.get()) is not None:
            alarms.add(self)

    def wake(self) -> None:
        """Wake it now, where it sleeps."""
        if self._sleeper is not None:
            trio.lowlevel.reschedule(self._sleeper)
            self._sleeper = None

    async def _wait(self) -> None:
        def given_up(_: object) -> trio.lowlevel.Abort:
            self._sleeper = None
            return trio.lowlevel.Abort.SUCCEEDED

        self._sleeper = trio.lowlevel.current_task()
        await trio.lowlevel.wait_task_rescheduled(given_up)

    def sleeps_until(self, due: float) -> bool:
        """Whether it sleeps, and until `due`."""
        return self._sleeper is not None and self.due == due


class Alarms:
    """All sleepers of a virtual run, by when they wake; what is left of one that was moved or woken is passed over."""

    def __init__(self) -> None:
        self._heap: list[tuple[float, int, Alarm]] = []
        self._added = 0
        _ALARMS.set(self)

    def add(self, alarm: Alarm) -> None:
        if alarm.due < math.inf:
            self._added += 1
            heappush(self._heap, (alarm.due, self._added, alarm))

    def next(self) -> float:
        """When the next one wakes; infinity where none does."""
        while self._heap:
            due, _, alarm = self._heap[0]
            if alarm.sleeps_until(due):
                return due
            heappop(self._heap)
        return math.inf

    def fire(self, due: float) -> None:
        """Wake all that wake at `due` or before."""
        while self.next() <= due:
            heappop(self._heap)[2].wake()


_ALARMS: trio.lowlevel.RunVar[Alarms | None] = trio.lowlevel.RunVar("alarms", None)
"""Of the virtual run; on the real clock there are none."""
