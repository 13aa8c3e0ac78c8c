"""What was last seen of each tab: the context that consent is decided with, and the node ids that may be named.

In memory only, one snapshot a tab and a bounded number of tabs. It can be out of date, and proves nothing of the page:
it only says what a caller has been shown.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from stack.contract import Json
from stack.errors import CallError
from stack.safari_mcp.nodes import nodes_in
from stack.safari_mcp.tabs import Target

TABS: Final = 100


@dataclass(frozen=True, slots=True)
class Snapshot:
    """text: what the snapshot answered, already cut. nodes: the ids in it."""

    url: str
    text: str
    nodes: frozenset[str]


class Observed:
    """The latest snapshot of each tab."""

    def __init__(self) -> None:
        self._latest: dict[Target, Snapshot] = {}

    def keep(self, target: Target, url: str, text: str, truncated: bool) -> None:
        self._latest.pop(target, None)
        if len(self._latest) >= TABS:
            del self._latest[next(iter(self._latest))]
        self._latest[target] = Snapshot(url, text, nodes_in(text, truncated))

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

    def check_node(self, target: Target, url: str, node: str) -> None:
        """CallError(page_moved, node_not_shown) unless the latest snapshot of exactly this tab is of this URL, and
        shows this id."""
        found = self._latest.get(target)
        if found is not None and found.url != url:
            raise CallError("page_moved", f"the latest snapshot is of {found.url[:200]!r}; expected {url[:200]!r}")
        if found is None or node not in found.nodes:
            raise CallError("node_not_shown", f"the node {node} does not stand in a latest snapshot of the tab")
