"""A record of what a world does, where there is no stage: on the machine's clock, for an engine."""

from __future__ import annotations

import time
from typing import Any


class Recorded:
    """A stage's record on the machine's clock, without a stage."""

    may_block = True

    def __init__(self) -> None:
        self.lines: list[dict[str, Any]] = []
        self.woken: list[str] = []
        self._began = time.monotonic()

    def record(self, e: str, **fields: Any) -> int:
        self.lines.append({"e": e, **fields})
        return len(self.lines) - 1

    def wake(self, key: str) -> None:
        self.woken.append(key)

    def now_ms(self) -> float:
        return (time.monotonic() - self._began) * 1000

    def pid_of(self, p: int) -> int:
        return 1000 + p

    def of(self, e: str) -> list[dict[str, Any]]:
        return [line for line in self.lines if line["e"] == e]
