"""What a live run writes its history by: the clock of its taps. It stands where other runs have their stage.

A live run has no world of ours: nobody sees what really happened but the taps. So the world record stays empty, and a
law that needs it has nothing to judge. How many events of the tape were before a line is known only when the taps are
joined; both are stamped by the machine's monotonic clock.
"""
from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from harness.serve.alone import clock

MS = 1000.0
NS_IN_MS = 1e6


class NoWorld:
    """The world of a live run."""

    def change(self, by: str, **what: Any) -> None:
        raise ValueError(f"{by} changes {what}: a live run has no world that could be changed")


class Witness:
    """See the module. now: seconds on the machine's monotonic clock."""

    def __init__(self, sheet: Mapping[str, Any], now: Callable[[], float] | None = None) -> None:
        self.sheet = sheet
        self.world = NoWorld()
        self.changed: Callable[[], None] = lambda: None
        self._now: Callable[[], float] = now or clock(1)
        self.began_ms = self._now() * MS
        self._order = 0

    def stamp(self) -> dict[str, Any]:
        """Of a line of the history; `j` is filled in by `placed`."""
        self._order += 1
        return {"t": round(self._now() * MS - self.began_ms, 3), "k": self._order, "j": 0}

    def living(self) -> list[Any]:
        """Processes of a stage: there is none."""
        return []

    def placed(
        self, history: Sequence[Mapping[str, Any]], began_ns: int, journal: Sequence[Mapping[str, Any]]
    ) -> list[dict[str, Any]]:
        """The history with its places in the tape. began_ns: reading of the clock at the tape's `t` = 0."""
        times = [began_ns / NS_IN_MS + event["t"] for event in journal]
        return [{**line, "j": bisect_right(times, self.began_ms + line["t"])} for line in history]
