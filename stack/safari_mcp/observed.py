"""What was last seen of each tab: the context that consent is decided with.

In memory only, one snapshot a tab and a bounded number of tabs. Kept apart from the driver, since nothing but a
decision may use it: it can be out of date, and it proves nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from stack.contract import Json
from stack.safari_mcp.tabs import Target

TABS: Final = 100


@dataclass(frozen=True, slots=True)
class Snapshot:
    """text: what the snapshot answered, already cut."""

    url: str
    text: str


class Observed:
    """The latest snapshot of each tab."""

    def __init__(self) -> None:
        self._latest: dict[Target, Snapshot] = {}

    def keep(self, target: Target, url: str, text: str) -> None:
        self._latest.pop(target, None)
        if len(self._latest) >= TABS:
            del self._latest[next(iter(self._latest))]
        self._latest[target] = Snapshot(url, text)

    def drop(self, target: Target) -> None:
        """The tab is about to show something else."""
        self._latest.pop(target, None)

    def clear(self) -> None:
        self._latest.clear()

    def context(self, target: Target, url: str) -> dict[str, Json] | None:
        """What was seen of exactly this tab at exactly this URL."""
        found = self._latest.get(target)
        if found is None or found.url != url:
            return None
        return {**target.shown(), "url": found.url, "text": found.text}
