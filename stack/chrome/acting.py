"""ax_activate and the other actions: each goes back to the provider that its node came from.

Where the page heeds no click but the user's own, the trusted fallback does one: the exact window and tab come to the
front, the rectangle is taken twice and has to be the same, its centre is clicked once, and what came of it is what the
extension reads afterwards, against what it reads just before: not against what was shown, which may be long ago.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import anyio

from stack.chrome.bridge import BridgeError
from stack.chrome.desktop import Desktop, DesktopError, Thing, Window
from stack.chrome.mapping import inside, moved, on_screen
from stack.chrome.settings import Settings
from stack.chrome.snapshots import EXTENSION, NATIVE, Page, Snapshot
from stack.contract import Json

ROUTES: Final = (
    "chrome_dom", "chrome_dom_then_navigation", "chrome_trusted_input_fallback", "native_ax", "ocr_center",
    "visual_coordinate",
)  # fmt: skip
"""How an action may have been done. The last is the contract's: no tool here takes a coordinate, so none has it."""
SEEN: Final = ("role", "name", "description", "value", "states")
"""What of a node shows that something has happened."""


@dataclass(frozen=True, slots=True)
class Done:
    """An action with an observed effect. result: what else the extension said of it."""

    route: str
    effect: tuple[str, ...]
    result: Mapping[str, Json]


class Actor:
    """Of one server. Raises BridgeError: an action without an observed effect among others."""

    def __init__(self, desktop: Desktop, settings: Settings) -> None:
        self._desktop = desktop
        self._settings = settings

    async def act(self, snapshot: Snapshot, node: Mapping[str, Any], verb: str, value: Json = None) -> Done:
        """Do one thing with one node of a snapshot that is not over."""
        if verb not in node["actions"]:
            raise BridgeError("not_actionable", f"this node has no {verb}")
        provider = node["provider"]
        if provider == EXTENSION:
            return await self._in_page(snapshot, node, verb, value)
        assert snapshot.window is not None
        if verb != "activate":
            raise BridgeError("not_actionable", f"nodes of {provider} have no {verb}")
        try:
            if provider == NATIVE:
                return await self._native(snapshot.window, node)
            return await self._word(snapshot.window, node)
        except DesktopError as error:
            raise BridgeError("not_actionable", f"{provider}: {error}") from None

    # The page

    async def _in_page(self, snapshot: Snapshot, node: Mapping[str, Any], verb: str, value: Json) -> Done:
        page = snapshot.page
        assert page is not None
        params: dict[str, Json] = {"ref": dict(snapshot.ref(node))}
        if verb == "set_value":
            params["value"] = value
        try:
            result = await page.bridge.request(verb, params, self._settings.ask_ms)
        except BridgeError as error:
            if error.reason != "needs_trusted_input" or verb != "activate":
                raise
            return await self._trusted(snapshot, page, node, error)
        self._same_place(page, node, result)
        rest = {name: each for name, each in result.items() if name not in ("route", "effect")}
        return Done(str(result["route"]), tuple(result["effect"]), rest)

    def _same_place(self, page: Page, node: Mapping[str, Any], result: Mapping[str, Any]) -> None:
        """An answer of another tab, frame or document is none."""
        ref = page.refs[node["frame_id"]]
        place = result["target"]
        if any(place[name] != ref[name] for name in ("tab_id", "frame_id", "document_id")):
            raise BridgeError("no_result", "the answer came from another document", dispatched=True)

    async def _trusted(self, snapshot: Snapshot, page: Page, node: Mapping[str, Any], first: BridgeError) -> Done:
        """One real click. Raises the page's own error where there is no real input here."""
        ask, ask_ms = page.bridge.request, self._settings.ask_ms
        ref: dict[str, Json] = dict(snapshot.ref(node))
        await ask("select_target", {"tab_id": page.tab_id, "front": True}, ask_ms)
        window = await self._owned_front(page, first)
        rectangle = (await ask("locate", {"ref": ref}, ask_ms))["rectangle"]
        if not inside(rectangle):
            raise BridgeError("needs_trusted_input", "its centre is not in the viewport", detail=first.detail)
        before = await ask("snapshot", {"tab_id": page.tab_id, "keeps": True}, ask_ms)
        again = (await ask("locate", {"ref": ref}, ask_ms))["rectangle"]
        change = moved(rectangle, again)
        if change is not None:
            raise BridgeError("stale_snapshot", f"{change} changed while the click was prepared; nothing was clicked")
        point = on_screen(again, window.unit)
        try:
            await self._desktop.click(window.id, point.x, point.y)
        except DesktopError as error:
            if error.said:
                raise BridgeError("needs_trusted_input", str(error), detail=first.detail) from None
            raise BridgeError("no_result", f"the click: {error}", dispatched=True) from None
        return await self._observed(snapshot, page, before)

    async def _owned_front(self, page: Page, first: BridgeError) -> Window:
        """The window in front, if it is one of the browser's."""
        try:
            windows = await self._desktop.windows()
        except DesktopError as error:
            raise BridgeError("needs_trusted_input", f"no real input: {error}", detail=first.detail) from None
        front = next((window for window in windows if window.front), None)
        if front is None or front.pid != page.bridge.endpoint.browser:
            raise BridgeError("needs_trusted_input", "the browser's window did not come to the front; nothing was "
                              "clicked", detail=first.detail)  # fmt: skip
        return front

    async def _observed(self, snapshot: Snapshot, page: Page, before: Mapping[str, Any]) -> Done:
        """What the extension reads after the click, against what it read before it."""
        await anyio.sleep(self._settings.settle_ms / 1000)
        try:
            after = await page.bridge.request("snapshot", {"tab_id": page.tab_id}, self._settings.ask_ms)
        except BridgeError as error:
            raise BridgeError(
                error.reason, f"clicked, and not read after it: {error.message}", dispatched=True
            ) from None
        effect = effects(before, after)
        if not effect:
            raise BridgeError("no_observed_effect", "the click changed nothing that can be seen", dispatched=True)
        snapshot.over = "since then one of its nodes was clicked"
        place = {name: after["target"][name] for name in ("tab_id", "frame_id", "document_id")}
        return Done("chrome_trusted_input_fallback", effect, {"target": place})

    # The system

    async def _native(self, window: Window, node: Mapping[str, Any]) -> Done:
        async def look() -> list[Thing]:
            return await self._desktop.read(window.id, "browser") + await self._desktop.read(window.id, "page")

        before = await look()
        if before == await self._after(self._desktop.press(window.id, node["id"][1:]), look):
            raise BridgeError("no_observed_effect", "pressing it changed nothing that can be seen", dispatched=True)
        return Done("native_ax", ("content",), {})

    async def _word(self, window: Window, node: Mapping[str, Any]) -> Done:
        async def look() -> list[Thing]:
            return await self._desktop.recognise(window.id)

        before = await look()
        if not any(f"w{word.id}" == node["id"] and word.name == node["name"] for word in before):
            raise BridgeError("stale_snapshot", "the word is not there any more")
        bounds = node["bounds"]
        x, y = bounds["x"] + bounds["w"] / 2, bounds["y"] + bounds["h"] / 2
        if before == await self._after(self._desktop.click(window.id, x, y), look):
            raise BridgeError("no_observed_effect", "the click changed nothing that can be seen", dispatched=True)
        return Done("ocr_center", ("content",), {})

    async def _after(self, doing: Awaitable[None], look: Callable[[], Awaitable[list[Thing]]]) -> list[Thing]:
        """Do something, and see what is there then. Once it may have been done, no failure means that it was not."""
        sent = False
        try:
            await doing
            sent = True
            return await look()
        except DesktopError as error:
            if not sent and error.said:
                raise
            raise BridgeError("no_result", f"it may have been done: {error}", dispatched=True) from None


def effects(before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[str, ...]:
    """What is different in the later of two readings of the extension."""
    was, now = before["target"], after["target"]
    if now["document_id"] != was["document_id"]:
        return ("navigation",)
    found = []
    if now["url"] != was["url"]:
        found.append("same_document_navigation")
    if [_seen(node) for node in before["nodes"]] != [_seen(node) for node in after["nodes"]]:
        found.append("content")
    return tuple(found)


def _seen(node: Mapping[str, Any]) -> list[Any]:
    return [node[name] for name in SEEN]
