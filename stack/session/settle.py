"""Waiting until a page has come to rest: a quiet floor first, then looks until two in a row agree.

Separate from the commands, because it is pure time. The first pause between two looks is the shortest; it grows only
while they differ. A page that does not rest within the time is said to be unsettled, with the last look at it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Final

import anyio

from stack.contract import Json
from stack.decide.port import UNREADABLE, Failed

FLOOR_MS: Final = 300
"""Nothing is read in this time, since a click may take that long to do anything."""
SHORTEST_MS: Final = 100
LONGEST_MS: Final = 1_600
Observation = Mapping[str, Json]
Observe = Callable[[], Awaitable[Observation]]


@dataclass(frozen=True, slots=True)
class Settled:
    """page: the last observation; settled: whether it agrees with the one before; navigated: whether another document
    came while it was waited; waited_ms: in all; pauses_ms: between the looks, in their order."""

    page: Observation
    settled: bool
    navigated: bool
    waited_ms: float
    pauses_ms: tuple[float, ...]

    def shown(self) -> dict[str, Json]:
        """As a value, without the page."""
        return {
            "settled": self.settled,
            "navigated": self.navigated,
            "waited_ms": round(self.waited_ms, 3),
            "floor_ms": FLOOR_MS,
            "pauses_ms": [round(pause, 3) for pause in self.pauses_ms],
        }


async def settle(observe: Observe, seconds: float) -> Settled:
    """Wait `seconds` at most, the last read aside. What `observe` raises comes through, but for a page that can't be
    read for the moment."""
    began = anyio.current_time()
    end = began + seconds
    pauses: list[float] = []
    await anyio.sleep(min(FLOOR_MS / 1000, seconds))
    page = await _read(observe)
    navigated = _is_new(page)
    pause_ms: float = SHORTEST_MS
    agreed = False
    while not agreed and anyio.current_time() < end:
        pauses.append(min(pause_ms, 1000 * (end - anyio.current_time())))
        await anyio.sleep(pauses[-1] / 1000)
        before, page = page, await _read(observe) or page
        navigated = navigated or _is_new(page)
        agreed = before is not None and page is not before and page is not None and _same(before, page)
        pause_ms = min(2 * pause_ms, LONGEST_MS)
    if page is None:
        page = await observe()
    return Settled(page, agreed, navigated, 1000 * (anyio.current_time() - began), tuple(pauses))


def _is_new(page: Observation | None) -> bool:
    return page is not None and page.get("rebound") is True


def _same(one: Observation, other: Observation) -> bool:
    return one["fingerprint"] == other["fingerprint"] and not _is_new(other) and other.get("ready") == "complete"


async def _read(observe: Observe) -> Observation | None:
    try:
        return await observe()
    except Failed as error:
        if error.code in UNREADABLE:
            return None
        raise
