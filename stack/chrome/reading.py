"""ax_read and ax_targets: which browser is asked, and what is read where the extension can't.

The extension comes first for page content; where it can't give any, native accessibility, then OCR, then a picture of
the window in front, with the reason at each step. Browser chrome always comes from native accessibility. What was named
by the caller is never replaced by what happens to be in front.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

import anyio

from stack.chrome.bridge import Bridge, BridgeError
from stack.chrome.bridges import Bridges
from stack.chrome.desktop import Desktop, DesktopError, Thing, Window
from stack.chrome.reasons import REASONS
from stack.chrome.settings import Settings
from stack.chrome.snapshots import (
    EXTENSION,
    NATIVE,
    OCR,
    PREFIX,
    SCREENSHOT,
    UNTOLD,
    Page,
    Snapshot,
    Snapshots,
    discreet,
    page_nodes,
)
from stack.contract import Json

LOOK_MS: Final = 100
"""How often it is looked whether a browser has come back."""


@dataclass(slots=True)
class Read:
    """One reading. why: (provider, reason) of each provider that gave nothing, in the order in which they were asked;
    picture: an image block, where that is all there was."""

    snapshot: Snapshot
    structured: dict[str, Json]
    picture: Mapping[str, Json] | None = None


@dataclass(slots=True)
class Ladder:
    """What has been tried so far. why: rows for the reply."""

    window: Window | None
    why: list[Json] = field(default_factory=list)

    def say(self, provider: str, reason: str) -> None:
        self.why.append({"provider": provider, "reason": reason})


class Chosen(NamedTuple):
    """The browser and the tab that are meant. tabs: as they were listed to find it; None where they were not."""

    bridge: Bridge
    tab_id: int
    tabs: list[dict[str, Any]] | None


class Reader:
    """Of one server. Raises BridgeError where nothing can be read, or nothing may be."""

    def __init__(self, bridges: Bridges, desktop: Desktop, snapshots: Snapshots, settings: Settings) -> None:
        self._bridges = bridges
        self._desktop = desktop
        self._snapshots = snapshots
        self._settings = settings

    # Targets

    async def targets(self) -> dict[str, Json]:
        """Every tab that the extensions of this user's browsers tell of."""
        rows: list[Json] = []
        open_bridges = await self._connected(None)
        if not open_bridges:
            raise self._absent(None)
        for bridge in open_bridges:
            for row in await self._listed(bridge):
                rows.append({**row, "target": f"{bridge.endpoint.id}/{row['tab_id']}"})
        return {"targets": rows}

    async def _listed(self, bridge: Bridge) -> list[dict[str, Any]]:
        return list((await self._ask(bridge, "list_targets", {}))["targets"])

    async def _ask(self, bridge: Bridge, verb: str, params: Mapping[str, Json]) -> Mapping[str, Any]:
        return await bridge.request(verb, params, self._settings.ask_ms)

    async def _connected(self, browser: int | None) -> list[Bridge]:
        """The connected browsers. One that was connected before (and is meant, where that is known) is given time to
        come back: its extension connects anew by itself."""
        found = await self._bridges.now()
        waits = self._bridges.seen if browser is None else self._bridges.seen & {browser}
        with anyio.move_on_after(self._settings.reconnect_ms / 1000):
            while not found and waits:
                await anyio.sleep(LOOK_MS / 1000)
                found = await self._bridges.now()
        return found

    async def _chosen(self, target: str | None, title: str | None, window: Window | None) -> Chosen:
        """The one browser that is meant, and the tab. Raises BridgeError."""
        open_bridges = await self._connected(window.pid if window is not None else None)
        if target is not None:
            id, _, tab = target.partition("/")
            named = [bridge for bridge in open_bridges if bridge.endpoint.id == id]
            if not named or not tab.isascii() or not tab.isdigit():
                raise BridgeError("tab_not_found", "no connected browser has this target")
            return Chosen(named[0], int(tab), None)
        if window is not None and title is None:
            open_bridges = [bridge for bridge in open_bridges if bridge.endpoint.browser == window.pid]
        if not open_bridges:
            raise self._absent(window)
        if title is not None:
            return await self._titled(open_bridges, title)
        if len(open_bridges) > 1:
            raise BridgeError("ambiguous_target", "several browsers or profiles are connected, and nothing shows which "
                              "of them owns the window in front")  # fmt: skip
        rows = await self._listed(open_bridges[0])
        front = [row for row in rows if row["active"] and row["focused"]]
        if len(front) != 1:
            reason = "ambiguous_target" if front else "tab_not_found"
            raise BridgeError(reason, f"{len(front)} tabs are the active one of the focused window")
        return Chosen(open_bridges[0], front[0]["tab_id"], rows)

    async def _titled(self, open_bridges: Sequence[Bridge], title: str) -> Chosen:
        listed = [(bridge, await self._listed(bridge)) for bridge in open_bridges]
        found = [(bridge, row) for bridge, rows in listed for row in rows if row.get("title") == title]
        if len(found) == 1:
            return Chosen(found[0][0], found[0][1]["tab_id"], dict(listed)[found[0][0]])
        if not found:
            raise BridgeError("tab_not_found", "no tab that may be read has this title")
        candidates: list[Json] = [
            {"target": f"{bridge.endpoint.id}/{row['tab_id']}", "window_id": row["window_id"]} for bridge, row in found
        ]
        raise BridgeError("ambiguous_target", f"{len(found)} tabs have this title", detail={"candidates": candidates})

    def _absent(self, window: Window | None) -> BridgeError:
        """Why no extension can be asked (for a window)."""
        browser = window.pid if window is not None else None
        failed = self._bridges.failure(browser)
        if failed is not None:
            return BridgeError(failed.reason, failed.message)
        if browser in self._bridges.seen or (browser is None and self._bridges.seen):
            return BridgeError("bridge_disconnected", "the browser was connected before, and is not now")
        if not self._settings.registered():
            return BridgeError("native_host_not_registered", "no browser has a usable registration of the host")
        return BridgeError("extension_not_installed", "the host is registered, and no extension has connected")

    # Reading

    async def read(self, target: str | None, title: str | None) -> Read:
        """Read the tab that is named, or what is in front. Raises BridgeError."""
        ladder = Ladder(await self._front())
        try:
            chosen, since, result = await self._asked(target, title, ladder.window)
        except BridgeError as error:
            if not REASONS[error.reason].falls or target is not None or title is not None:
                raise
            ladder.say(EXTENSION, error.reason)
            return await self._fall(ladder, error)
        return await self._page(chosen, result, ladder, since, named=target is not None or title is not None)

    async def _asked(
        self, target: str | None, title: str | None, window: Window | None
    ) -> tuple[Chosen, int, Mapping[str, Any]]:
        """(who was asked, how many events had been told, the snapshot). Where the connection breaks meanwhile it is
        asked once more: reading changes nothing."""
        try:
            return await self._once(target, title, window)
        except BridgeError as error:
            if error.reason != "bridge_disconnected" or not self._bridges.seen:
                raise
        return await self._once(target, title, window)

    async def _once(
        self, target: str | None, title: str | None, window: Window | None
    ) -> tuple[Chosen, int, Mapping[str, Any]]:
        chosen = await self._chosen(target, title, window)
        since = chosen.bridge.events
        return chosen, since, await self._ask(chosen.bridge, "snapshot", {"tab_id": chosen.tab_id})

    async def _tabs(self, chosen: Chosen) -> list[dict[str, Any]]:
        """The tabs beside the one that was chosen; one of which nothing is known where they are not told."""
        if chosen.tabs is not None:
            return chosen.tabs
        try:
            return await self._listed(chosen.bridge)
        except BridgeError:
            return [UNTOLD]

    async def _front(self) -> Window | None:
        try:
            windows = await self._desktop.windows()
        except DesktopError:
            return None
        return next((window for window in windows if window.front), None)

    async def _page(
        self, chosen: Chosen, result: Mapping[str, Any], ladder: Ladder, since: int, *, named: bool
    ) -> Read:
        """A reading of the extension, with the browser's own controls where they are those of this page."""
        bridge = chosen.bridge
        nodes: list[Mapping[str, Any]] = []
        window = ladder.window
        reasons = list(result["reasons"])
        if not named or (window is not None and window.pid == bridge.endpoint.browser):
            try:
                controls = _native_nodes(await self._chrome_of(window))
                nodes += discreet(controls, result["target"], await self._tabs(chosen)) if controls else ()
            except DesktopError as error:
                ladder.say(NATIVE, error.reason)
        else:
            ladder.say(NATIVE, "not_in_front")
        nodes += page_nodes(result["nodes"])
        refs = {frame["frame_id"]: frame["ref"] for frame in result["frames"] if "ref" in frame}
        page = Page(bridge, result["target"]["tab_id"], refs, result["target"])
        snapshot = Snapshot(self._snapshots.new_id(), _by_id(nodes), page, window)
        self._snapshots.keep(snapshot, since)
        frames: list[Json] = [
            {name: each for name, each in frame.items() if name != "ref"} for frame in result["frames"]
        ]
        return Read(snapshot, {
            "snapshot_id": snapshot.id, "provider": EXTENSION, "target": dict(result["target"]),
            "coverage": result["coverage"], "reasons": reasons, "fallbacks": ladder.why, "frames": frames,
            "nodes": [dict(node) for node in nodes],
        })  # fmt: skip

    async def _chrome_of(self, window: Window | None) -> list[Thing]:
        if window is None:
            raise DesktopError("unavailable", "no window is known")
        return await self._desktop.read(window.id, "browser")

    async def _fall(self, ladder: Ladder, first: BridgeError) -> Read:
        """What there is without the extension. Raises the extension's error where there is nothing at all."""
        window = ladder.window
        if window is None:
            ladder.say(NATIVE, "unavailable")
            raise BridgeError(first.reason, first.message, detail={"fallbacks": ladder.why})
        for provider, find in ((NATIVE, self._all_native), (OCR, self._desktop.recognise)):
            try:
                things = await find(window.id)
            except DesktopError as error:
                ladder.say(provider, error.reason)
                continue
            if things:
                return self._without(ladder, provider, _nodes(things, provider), first.reason)
            ladder.say(provider, "nothing_found")
        try:
            picture = await self._desktop.picture(window.id)
        except DesktopError as error:
            ladder.say(SCREENSHOT, error.reason)
            raise BridgeError(first.reason, first.message, detail={"fallbacks": ladder.why}) from None
        read = self._without(ladder, SCREENSHOT, [], first.reason)
        read.picture = picture
        return read

    async def _all_native(self, window: int) -> list[Thing]:
        page = await self._desktop.read(window, "page")
        return [*await self._desktop.read(window, "browser"), *page] if page else []

    def _without(self, ladder: Ladder, provider: str, nodes: Sequence[Mapping[str, Any]], reason: str) -> Read:
        window = ladder.window
        assert window is not None
        snapshot = Snapshot(self._snapshots.new_id(), _by_id(nodes), None, window)
        self._snapshots.keep(snapshot)
        return Read(snapshot, {
            "snapshot_id": snapshot.id, "provider": provider, "target": {"window": window.id, "app": window.app},
            "coverage": "partial", "reasons": [{"reason": reason}], "fallbacks": ladder.why, "frames": [],
            "nodes": [dict(node) for node in nodes],
        })  # fmt: skip


def _by_id(nodes: Sequence[Mapping[str, Any]]) -> dict[str, Mapping[str, Any]]:
    return {node["id"]: node for node in nodes}


def _native_nodes(things: Sequence[Thing]) -> list[Mapping[str, Any]]:
    return _nodes(things, NATIVE)


def _nodes(things: Sequence[Thing], provider: str) -> list[Mapping[str, Any]]:
    """Nodes of the system in the form of the extension's."""
    return [
        {
            "id": f"{PREFIX[provider]}{thing.id}", "provider": provider, "parent": None, "role": thing.role,
            "name": thing.name, "description": "", "value": thing.value, "states": {}, "actions": list(thing.actions),
            "bounds": {"space": "screen", **thing.bounds},
        }
        for thing in things
    ]  # fmt: skip
