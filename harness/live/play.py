"""The steps of a live run: its own names carried from step to step, and an end at any moment.

Separate from `session`, which knows what surrounds a run. To be ended, a run takes its calls back and plays no further
step, so that the stack closes what it has opened as it always does, and not while everything is being cancelled.
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import trio

from harness.live.carried import carried, given
from harness.scenario.play import Play


class LivePlay(Play):
    """carries: members of arguments whose values the run itself gives."""

    def __init__(self, *arguments: Any, carries: Sequence[str] = ()) -> None:
        super().__init__(*arguments)
        self._carries = carries
        self._stopped = False
        self._between = trio.CancelScope()

    def stop(self) -> None:
        """End the run: calls are taken back, waiting ends, and no other step is played."""
        self._stopped = True
        self._between.cancel()
        for scope in self._scopes.values():
            scope.cancel()

    async def _step(self, step: Any, nursery: trio.Nursery) -> None:
        if self._stopped:
            return
        step = carried(step, given(self.history.lines, self._carries))
        if "call" in step:  # under a name of its own, by which it can be taken back
            await super()._step({"as": f"call {len(self._scopes)}", **step}, nursery)
            return
        with trio.CancelScope() as self._between:
            await super()._step(step, nursery)
