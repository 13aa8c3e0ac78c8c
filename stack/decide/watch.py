"""The page is looked at while the model thinks, so that a rejected decision finds a fresh read in hand.

Separate from the loop, because it is the one thing that happens beside another. It goes on until the model has
answered, more and more rarely while the page rests, and never so long that a driver forgets the page that is decided
about; a read that is under way when the answer comes is waited for.
"""

from __future__ import annotations

from typing import Final

import anyio

from stack.decide.port import UNREADABLE, Driver, Page
from stack.errors import StackError

READS: Final = 12
"""Reads while one decision is made; a driver remembers 16 observations."""
RESTING: Final = 2
"""How much longer the pause becomes with each read that agrees with the one before it."""


class Watch:
    """moved: the newest read, where it shows another page than the one that is decided about; else None, and then a
    rejected decision has no fresh read in hand. error: what ended the watch, where something did."""

    def __init__(self, driver: Driver, page: Page, steady_ms: float) -> None:
        self.moved: Page | None = None
        self.error: StackError | None = None
        self._driver = driver
        self._page = page
        self._steady_ms = steady_ms
        self._stop = anyio.Event()

    def stop(self) -> None:
        """The model has answered."""
        self._stop.set()

    async def run(self) -> None:
        before, pause_ms = self._page.fingerprint, self._steady_ms
        for _ in range(READS):
            if await self._stopped(pause_ms):
                return
            try:
                seen = await self._driver.observe()
            except StackError as error:
                if error.code in UNREADABLE:
                    continue
                self.error = error
                return
            pause_ms = RESTING * pause_ms if seen.fingerprint == before else self._steady_ms
            before = seen.fingerprint
            self.moved = None if before == self._page.fingerprint else seen

    async def _stopped(self, pause_ms: float) -> bool:
        """Let the time between two looks pass; whether the model has answered in it."""
        with anyio.move_on_after(pause_ms / 1000):
            await self._stop.wait()
        return self._stop.is_set()
