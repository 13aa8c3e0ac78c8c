"""What a server has shown: snapshots by their id, which node came from which provider, and when one is over.

Separate from reading and acting, which fill and use it. A node is found by the id that was given for it, in the
snapshot that it was given in, and by nothing else; whatever may have changed the page ends the snapshot.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from stack.chrome.bridge import Bridge, BridgeError
from stack.chrome.desktop import Window
from stack.contract import Json

KEPT: Final = 8
"""Snapshots that are remembered; older ones are stale."""
EXTENSION, NATIVE, OCR, SCREENSHOT = "chrome_extension", "native_ax", "ocr", "screenshot"
PREFIX: Final[Mapping[str, str]] = {EXTENSION: "p", NATIVE: "n", OCR: "w"}
"""Provider -> how the ids of its nodes begin."""
ENDS_TABS: Final = frozenset({"tab_navigated", "tab_closed"})
ENDS_ALL: Final = frozenset({"permission_revoked", "disconnecting"})


@dataclass(slots=True)
class Page:
    """The extension's part. refs: frame id -> the frame's reference. A bridge has one instance of the extension, whose
    restart is the bridge's end."""

    bridge: Bridge
    tab_id: int
    refs: Mapping[int, Mapping[str, Json]]
    target: Mapping[str, Json]


@dataclass(slots=True)
class Snapshot:
    """nodes: as they were served, by their id. over: why it can't be used any more."""

    id: str
    nodes: Mapping[str, Mapping[str, Any]]
    page: Page | None = None
    window: Window | None = None
    over: str | None = None

    def node(self, id: str) -> Mapping[str, Any]:
        """Raises BridgeError: stale_snapshot."""
        if id not in self.nodes:
            raise BridgeError("stale_snapshot", "this snapshot has no such node")
        return self.nodes[id]

    def called(self, name: str, role: str | None) -> Mapping[str, Any]:
        """The one node of that name (and role). Raises BridgeError: ambiguous_target or stale_snapshot."""
        found = [node for node in self.nodes.values() if node["name"] == name and role in (None, node["role"])]
        if len(found) > 1:
            candidates: list[Json] = [
                {"node_id": node["id"], "role": node["role"], "name": node["name"], "bounds": node["bounds"]}
                for node in found
            ]
            raise BridgeError("ambiguous_target", f"{len(found)} nodes fit", detail={"candidates": candidates})
        if not found:
            raise BridgeError("stale_snapshot", "this snapshot has no node of that name")
        return found[0]

    def ref(self, node: Mapping[str, Any]) -> Mapping[str, Json]:
        """The reference by which the extension knows one of its nodes."""
        assert self.page is not None
        return {**self.page.refs[node["frame_id"]], "node": node["id"].removeprefix(PREFIX[EXTENSION])}


@dataclass(slots=True)
class Snapshots:
    """Of one server."""

    _kept: dict[str, Snapshot] = field(default_factory=dict)
    _count: int = 0

    def new_id(self) -> str:
        self._count += 1
        return f"s{self._count}"

    def keep(self, snapshot: Snapshot, since: int = 0) -> None:
        """Remember a snapshot. since: how many events its bridge had told when it was asked for; those that came
        later count, also where they came with the answer itself."""
        self._kept[snapshot.id] = snapshot
        page = snapshot.page
        if page is not None:
            seen = [row for row in page.bridge.latest if row[0] > since]
            if page.bridge.events - since > len(seen):
                snapshot.over = "since it was asked for, more has happened than can be told"
            for _, event, data in seen:
                _touch(snapshot, event, data)
        for id in list(self._kept)[:-KEPT]:
            del self._kept[id]

    def get(self, id: str) -> Snapshot:
        """Raises BridgeError `stale_snapshot` where it is not there, or may not be what the page shows any more."""
        snapshot = self._kept.get(id)
        if snapshot is None:
            raise BridgeError("stale_snapshot", "no such snapshot is remembered")
        page = snapshot.page
        if page is not None and snapshot.over is None and page.bridge.closed is not None:
            snapshot.over = "the connection to the browser that it came from is over"
        if snapshot.over is not None:
            raise BridgeError("stale_snapshot", snapshot.over)
        return snapshot

    def told(self, bridge: Bridge, event: str, data: Mapping[str, Json]) -> None:
        """An event of the extension: what it touches is over. A navigation in a child frame ends the whole tab's."""
        for snapshot in self._kept.values():
            if snapshot.page is not None and snapshot.page.bridge is bridge:
                _touch(snapshot, event, data)


def _touch(snapshot: Snapshot, event: str, data: Mapping[str, Json]) -> None:
    """End a snapshot where an event ends it. The arrival of the very document that it shows does not."""
    page = snapshot.page
    if page is None or snapshot.over is not None:
        return
    if event in ENDS_ALL:
        snapshot.over = f"since then the extension has said {event}"
    elif event in ENDS_TABS and data.get("tab_id") == page.tab_id:
        arrived = data.get("document_id")
        if event == "tab_closed" or arrived not in [ref["document_id"] for ref in page.refs.values()]:
            snapshot.over = f"since then its tab has said {event}"


REDACTED: Final = "[redacted]"
OWN_NAMES: Final = frozenset({"button", "checkbox", "menubutton", "menuitem", "popupbutton", "radiobutton", "toolbar"})
"""Roles of the browser's own controls whose names no page gives."""


UNTOLD: Final[dict[str, Any]] = {"state": "enabled"}
"""Stands for tabs of which the extension said nothing."""


def discreet(
    nodes: Sequence[Mapping[str, Any]], target: Mapping[str, Any], tabs: Sequence[Mapping[str, Any]]
) -> list[Mapping[str, Any]]:
    """The browser's own controls beside a page. They say titles and addresses as they are, those of other tabs too:
    where a page had to take a secret out of one of them, or a page that may be read could not be asked for its own, the
    controls say nothing that a page may have given them. Beside a tab whose site the user has not allowed they say of
    pages what the extension has said of them, and nothing else. tabs: as the extension lists them."""
    told = [target, *(row for row in tabs if row["state"] == "enabled")]
    known: set[str | None] = {None}
    silent = any("title" not in row or "url" not in row for row in told)
    if not silent and not any(REDACTED in row[name] for row in told for name in ("title", "url")):
        if len(told) > len(tabs):
            return [*nodes]
        known |= {form for row in told for form in (row["title"], *shown_as(row["url"]))}
    return [
        {
            **node,
            "value": node["value"] if node["value"] in known else None,
            "name": node["name"] if node["role"] in OWN_NAMES or node["name"] in known else REDACTED,
        }
        for node in nodes
    ]


def shown_as(url: str) -> tuple[str, ...]:
    """An address as browsers write it above a page."""
    bare = url.partition("://")[2]
    return url, bare, bare.removesuffix("/")


def page_nodes(nodes: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The extension's nodes as they are served."""
    begin = PREFIX[EXTENSION]
    return [
        {**node, "id": f"{begin}{node['id']}", "provider": EXTENSION,
         "parent": None if node["parent"] is None else f"{begin}{node['parent']}"}
        for node in nodes
    ]  # fmt: skip
