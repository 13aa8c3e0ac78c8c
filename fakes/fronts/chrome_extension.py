"""The extension's side of the protocol on the model back: what it answers to each verb, and what that does.

Separate from the channel, which has the bytes. The rules are those that the claims ask of the real extension: a frame
is looked up before anything is done in it, a document in the cache is stale, each answer is gated on permission, and
what was shown must still be as it was shown.
"""

from __future__ import annotations

from fakes.worlds.chrome import OUTER, SCREEN, VIEWPORT
from fakes.worlds.chrome_pages import restriction
from harness.faults.steps import At, Wait

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Mapping
    from typing import Any, TypeAlias

    from fakes.worlds.chrome import Browser, Chrome, Profile, Tab
    from fakes.worlds.chrome_pages import Document, Node
    from harness.faults.steps import Step
    from harness.wire.jsontext import Json

    Answer: TypeAlias = Generator[Step, Any, dict[str, Json]]

VERSION = "0.1.0"
BOUNDS: dict[str, Json] = {
    "nodes": 5000, "depth": 128, "text": 1000, "bytes": 2_097_152, "frames": 64, "message_bytes": 4_194_304,
    "request_bytes": 1_048_576, "in_flight": 32, "deadline_ms": 60_000,
}  # fmt: skip
EXTENSION_ID = "fjpkpadlhgllicceinkhebmbjnpekjje"
OBSERVE_MS = 50
"""How long an action's effect is waited for."""


class Failed(Exception):
    """The extension did not do it. reason: of the protocol's registry."""

    def __init__(self, reason: str, message: str, detail: Mapping[str, Json] | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.message = message
        self.detail = dict(detail or {})


class Extension:
    """The worker of one profile, for process `p` of the run (its channel)."""

    def __init__(self, world: Chrome, browser: Browser, profile: Profile, p: int) -> None:
        self.world = world
        self.browser = browser
        self.profile = profile
        self.p = p

    def hello(self) -> dict[str, Json]:
        low, high = self.browser.values["protocol"]
        return {
            "v": 1, "type": "hello", "role": "extension", "protocol": {"min": low, "max": high}, "version": VERSION,
            "id": EXTENSION_ID, "instance": self.profile.instance,
            "browser": {"name": self.browser.values["name"], "version": "156.0.8078.108"},
            "capabilities": sorted([*VERBS, "cancel"]), "bounds": BOUNDS,
        }  # fmt: skip

    def answer(self, verb: str, params: Mapping[str, Any], deadline_ms: float) -> Answer:
        """The result of a verb. Raises Failed."""
        return (yield from VERBS[verb](self, params, deadline_ms))

    # Which tab, and whether it may be seen

    def _tabs(self) -> dict[int, Tab]:
        return self.browser.tabs if self.profile.number == 0 else {}

    def _tab(self, id: int) -> Tab:
        tab = self._tabs().get(id)
        if tab is None:
            raise Failed("tab_not_found", "no such tab")
        return tab

    def _state(self, document: Document) -> tuple[str, str | None]:
        why = restriction(document)
        if why is not None:
            return "unsupported", why
        return ("enabled", None) if self.browser.allows(document) else ("site_denied", "site_permission_required")

    def _gate(self, document: Document) -> None:
        why = self._state(document)[1]
        if why is not None:
            raise Failed(why, "this page is not to be seen")

    def _usable(self, tab: Tab, deadline_ms: float) -> Generator[Step, Any, None]:
        document = tab.document
        self._gate(document)
        if document.crashed or document.error:
            raise Failed("frame_not_accessible", "the page shows an error, or has crashed")
        if document.hang:
            self.world.note("unsaid", p=self.p, why="the page answers nothing")
            yield Wait(deadline_ms)
            raise Failed("timed_out", "the page has not answered in time", {"dispatched": False})
        if document.silent:
            raise Failed("no_result", "the page gave no answer", {"dispatched": False})

    # Reading

    def _list(self, params: Mapping[str, Any], deadline_ms: float) -> Answer:
        yield from ()
        targets: list[Json] = []
        for tab in self._tabs().values():
            state, why = self._state(tab.document)
            row: dict[str, Json] = {
                "window_id": tab.window, "tab_id": tab.id, "active": self.browser.active.get(tab.window) == tab.id,
                "focused": self.browser.focused == tab.window, "state": state, "reason": why,
            }  # fmt: skip
            if state == "enabled":
                row.update(_named(tab.document), frame_id=0, document_id=tab.document.id)
            targets.append(row)
        return {"targets": targets}

    def _status(self, params: Mapping[str, Any], deadline_ms: float) -> Answer:
        yield from ()
        front = self.browser.front()
        state = self._state(front.document)[0] if front is not None else "unsupported"
        return {"state": state, "tab_id": front.id if front is not None else None, "version": VERSION,
                "instance": self.profile.instance}  # fmt: skip

    def _target(self, tab: Tab) -> dict[str, Json]:
        document = tab.document
        return {
            "instance": self.profile.instance, "browser": self.browser.values["name"], "window_id": tab.window,
            "tab_id": tab.id, "frame_id": 0, "document_id": document.id, **_named(document),
        }  # fmt: skip

    def _select(self, params: Mapping[str, Any], deadline_ms: float) -> Answer:
        yield from ()
        found = [
            tab for tab in self._tabs().values()
            if params.get("tab_id", tab.id) == tab.id and params.get("window_id", tab.window) == tab.window
            and ("title" not in params
                 or (params["title"] == _named(tab.document)["title"] and self.browser.allows(tab.document)))
        ]  # fmt: skip
        if len(found) > 1:
            candidates: list[Json] = [{"window_id": tab.window, "tab_id": tab.id} for tab in found]
            raise Failed("ambiguous_target", "more than one tab fits", {"candidates": candidates})
        if not found:
            raise Failed("tab_not_found", "no tab fits")
        tab = found[0]
        self._gate(tab.document)
        if params.get("front"):
            self.browser.active[tab.window] = tab.id
            self.browser.focused = tab.window
            self.world.front = self.world.steals or f"browser {self.browser.number}"
            self.world.changed("extension", front=str(tab.id))
        return {"target": self._target(tab)}

    def _snapshot(self, params: Mapping[str, Any], deadline_ms: float) -> Answer:
        tab = self._tab(params["tab_id"])
        yield from self._usable(tab, deadline_ms)
        document = tab.document
        if params.get("document_id", document.id) != document.id:
            raise Failed("stale_snapshot", "the tab has another document")
        keeps = params.get("keeps") is True
        serial = 0 if keeps else self.world.next_snapshot()
        frames: list[Json] = []
        nodes: list[Json] = []
        reasons: list[Json] = []
        for frame, inner, ancestry in _frames(document):
            row: dict[str, Json] = {"frame_id": frame, "parent_frame_id": ancestry[-1] if ancestry else None,
                                    "ancestry": [*ancestry], "read": True}  # fmt: skip
            why = "frame_not_accessible" if inner.crashed or inner.error else self._state(inner)[1]
            if why is not None:
                row.update(read=False, reason=why)
                reasons.append({"reason": why, "frame_id": frame})
            else:
                for id, node, shown in inner.snapshot(frame, ancestry, keeps=keeps):
                    nodes.append(shown)
                    if not keeps:
                        self.world.shown(self.p, serial, id, self.world.what(self.browser, tab, frame, inner, node))
                if not keeps:
                    row["ref"] = self._frame_ref(tab, frame, inner)
            frames.append(row)
        return {
            "provider": "chrome_extension", "snapshot_id": f"{serial:032x}", "target": self._target(tab),
            "coverage": "partial" if reasons else "complete", "reasons": reasons, "frames": frames, "nodes": nodes,
        }  # fmt: skip

    def _frame_ref(self, tab: Tab, frame: int, document: Document) -> dict[str, Json]:
        return {
            "instance": self.profile.instance, "tab_id": tab.id, "frame_id": frame, "document_id": document.id,
            "nonce": document.nonce, "generation": document.generation,
        }  # fmt: skip

    # Acting

    def _find(self, ref: Mapping[str, Any], verb: str) -> tuple[Tab, Document, Node]:
        """What a reference stands for now. Raises Failed."""
        stale = Failed("stale_snapshot", "what was shown is not there any more", {"dispatched": False})
        if ref["instance"] != self.profile.instance:
            raise stale
        tab = self._tabs().get(ref["tab_id"])
        if tab is None:
            raise Failed("tab_not_found", "no such tab")
        found = next((inner for frame, inner, _ in _frames(tab.document) if frame == ref["frame_id"]), None)
        if found is None or found.id != ref["document_id"] or found.nonce != ref["nonce"]:
            raise stale
        self._gate(found)
        if found.generation != ref["generation"] or ref["node"] not in found.shown:
            raise stale
        node, fingerprint = found.shown[ref["node"]]
        if node not in found.nodes or node.hidden or node.fingerprint() != fingerprint:
            raise stale
        if verb not in node.actions or node.states.get("disabled"):
            raise Failed("not_actionable", f"this node has no {verb}", {"dispatched": False})
        return tab, found, node

    def _act(self, verb: str, params: Mapping[str, Any], deadline_ms: float) -> Answer:
        ref = params["ref"]
        tab, document, node = self._found(ref, verb)
        yield from self._usable(tab, deadline_ms)
        where: dict[str, Json] = {"verb": verb, "node": node.id}
        yield At("before_effect", where)
        tab, document, node = self._found(ref, verb)
        result = yield from ACTS[verb](self, tab, document, node, params)
        yield At("after_effect", where)
        return result

    def _found(self, ref: Mapping[str, Any], verb: str) -> tuple[Tab, Document, Node]:
        try:
            return self._find(ref, verb)
        except Failed as failed:
            self.world.refused(self.p, verb, failed.reason)
            raise

    def _done(self, ref: Mapping[str, Any], effect: str, route: str = "chrome_dom", **more: Json) -> dict[str, Json]:
        place = {name: ref[name] for name in ("tab_id", "frame_id", "document_id")}
        return {"route": route, "effect": [effect], "target": place, **more}

    def _target_of(self, tab: Tab, params: Mapping[str, Any], document: Document, node: Node) -> dict[str, Json]:
        return self.world.what(self.browser, tab, params["ref"]["frame_id"], document, node)

    def _press(self, tab: Tab, document: Document, node: Node, params: Mapping[str, Any]) -> Answer:
        ref = params["ref"]
        if node.does in ("trusted", "trusted_nothing"):
            self.world.refused(self.p, "activate", "needs_trusted_input")
            rectangle = self._rectangle(tab, document, node)
            raise Failed("needs_trusted_input", "the page heeds real clicks alone", {"rectangle": rectangle})
        if node.does == "nothing":
            self.world.refused(self.p, "activate", "no_observed_effect")
            yield Wait(OBSERVE_MS)
            raise Failed("no_observed_effect", "nothing came of it", {"dispatched": True})
        n = self.world.effect(self.p, "activate", self._target_of(tab, params, document, node))
        effect, route = press(self.world, self.browser, tab, document, node, n)
        yield Wait(OBSERVE_MS)
        return self._done(ref, effect, route)

    def _focus(self, tab: Tab, document: Document, node: Node, params: Mapping[str, Any]) -> Answer:
        yield from ()
        effect = "already" if node.states.get("focused") else "focus"
        n = self.world.effect(self.p, "focus", self._target_of(tab, params, document, node))
        focus(self.world, document, node, n)
        return self._done(params["ref"], effect)

    def _set(self, tab: Tab, document: Document, node: Node, params: Mapping[str, Any]) -> Answer:
        yield from ()
        value = params["value"]
        n = self.world.effect(
            self.p, "set_value", self._target_of(tab, params, document, node), None if node.sensitive else value
        )
        if node.drops_value:
            return self._done(params["ref"], "content", value_taken=False)
        if isinstance(value, bool):
            node.states["checked"] = "true" if value else "false"
        else:
            node.value = value if isinstance(value, str) else ", ".join(value)
        self.world.changed(f"effect:{n}", node=node.id)
        done = self._done(params["ref"], "value", value_taken=True)
        return done if node.sensitive or isinstance(value, bool) else {**done, "value": node.value}

    def _scroll(self, tab: Tab, document: Document, node: Node, params: Mapping[str, Any]) -> Answer:
        yield from ()
        self.world.effect(self.p, "scroll_into_view", self._target_of(tab, params, document, node))
        document.scroll = [0, node.bounds[1]]
        x, y, w, h = node.bounds
        return self._done(params["ref"], "scroll", bounds={"space": "frame_css_px", "x": x, "y": y, "w": w, "h": h})

    def _locate(self, params: Mapping[str, Any], deadline_ms: float) -> Answer:
        yield from ()
        tab, document, node = self._found(params["ref"], "activate")
        return {"rectangle": self._rectangle(tab, document, node)}

    def _rectangle(self, tab: Tab, document: Document, node: Node) -> dict[str, Json]:
        x, y, w, h = node.bounds
        rectangle: dict[str, Json] = {
            "space": "main_viewport_css_px", "x": x, "y": y, "w": w, "h": h, "visible": True,
            "frame_offset": {"x": 0, "y": 0}, "scroll": {"x": document.scroll[0], "y": document.scroll[1]},
            "zoom": document.zoom, "device_pixel_ratio": 2 * document.zoom,
            "viewport": {"w": VIEWPORT[0] / document.zoom, "h": VIEWPORT[1] / document.zoom},
            "screen": {"x": SCREEN[0], "y": SCREEN[1]}, "outer": {"w": OUTER[0], "h": OUTER[1]},
            "window_id": tab.window, "tab_id": tab.id, **document.view,
        }  # fmt: skip
        if self.world.moves is not None:
            dx, dy = self.world.moves
            self.world.moves = None
            for each in document.nodes:
                each.bounds[0] += dx
                each.bounds[1] += dy
        return rectangle


def press(world: Chrome, browser: Browser, tab: Tab, document: Document, node: Node, n: int) -> tuple[str, str]:
    """What the page does when a node is pressed, by whatever way: (kind of effect, route)."""
    by = f"effect:{n}"
    if node.does == "navigate":
        world.navigate(browser, tab, str(node.goes), by)
        return "navigation", "chrome_dom_then_navigation"
    if node.does == "same_document":
        document.url = str(node.goes)
        world.changed(by, tab=str(tab.id), url=document.url)
        world.tell(browser, "same_document", tab_id=tab.id, frame_id=0, document_id=document.id)
        return "same_document_navigation", "chrome_dom_then_navigation"
    if node.does == "toggle":
        node.states["checked"] = "false" if node.states.get("checked") == "true" else "true"
        world.changed(by, node=node.id, checked=node.states["checked"])
        return "state", "chrome_dom"
    if node.does == "focus":
        focus(world, document, node, n)
        return "focus", "chrome_dom"
    document.changes += 1
    node.description = f"pressed {document.changes} times"
    world.changed(by, node=node.id, changes=document.changes)
    return ("new_tab" if node.does == "new_tab" else "content"), "chrome_dom"


def focus(world: Chrome, document: Document, node: Node, n: int) -> None:
    for each in document.nodes:
        each.states.pop("focused", None)
    node.states["focused"] = True
    world.changed(f"effect:{n}", focused=node.id)


def _named(document: Document) -> dict[str, Json]:
    """Address and title of a page, as far as they may be told."""
    return {"url": document.clean(document.url), "title": document.clean(document.title)}


def _frames(
    document: Document, frame: int = 0, ancestry: tuple[int, ...] = ()
) -> Iterator[tuple[int, Document, list[int]]]:
    """(frame id, document, ids of the frames around it), the outermost first."""
    yield frame, document, list(ancestry)
    for id, inner in document.frames.items():
        yield from _frames(inner, id, (*ancestry, frame))


def _acting(verb: str) -> Callable[[Extension, Mapping[str, Any], float], Answer]:
    return lambda extension, params, deadline_ms: extension._act(verb, params, deadline_ms)


ACTS: Mapping[str, Callable[[Extension, Tab, Document, Node, Mapping[str, Any]], Answer]] = {
    "activate": Extension._press,
    "focus": Extension._focus,
    "set_value": Extension._set,
    "scroll_into_view": Extension._scroll,
}
VERBS: dict[str, Callable[[Extension, Mapping[str, Any], float], Answer]] = {
    "list_targets": Extension._list,
    "locate": Extension._locate,
    "select_target": Extension._select,
    "snapshot": Extension._snapshot,
    "status": Extension._status,
    **{verb: _acting(verb) for verb in ACTS},
}
"""What it answers; `cancel` is the channel's."""
