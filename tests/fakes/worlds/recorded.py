"""A record of what a world does, where there is no stage: lines in a list, and the keys that were woken in another."""

from __future__ import annotations

import time
from typing import Any


class Book:
    """What a world writes to. time_ms: what it says the time is; pids: the first number of a process."""

    def __init__(self, time_ms: float = 0.0, pids: int = 0) -> None:
        self.lines: list[dict[str, Any]] = []
        self.woken: list[str] = []
        self.time_ms = time_ms
        self._pids = pids

    def record(self, e: str, **fields: Any) -> int:
        self.lines.append({"e": e, **fields})
        return len(self.lines) - 1

    def wake(self, key: str) -> None:
        self.woken.append(key)

    def now_ms(self) -> float:
        return self.time_ms

    def pid_of(self, p: int) -> int:
        return self._pids + p

    def of(self, e: str) -> list[dict[str, Any]]:
        return [line for line in self.lines if line["e"] == e]


class Recorded(Book):
    """The same on the machine's clock, for an engine."""

    may_block = True

    def __init__(self) -> None:
        super().__init__(pids=1000)
        self._began = time.monotonic()

    def now_ms(self) -> float:
        return (time.monotonic() - self._began) * 1000
