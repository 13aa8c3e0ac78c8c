"""The page program of stack/safari_jxa on the model: epochs, guarded actions under nonces, and their phases.

Answers as the program does, one JSON text for one request, and keeps its state where the program keeps it: on the
document, with which it dies. What an action does to the page is the world's (`Safari.act`), and so is its line in the
record; every node that an observation offers is a line `shown`, by the reference `WINDOW/NODE`, and in a session of
safaridriver, whose windows have no number that a client knows, `page of HANDLE/NODE`.
"""

from __future__ import annotations

from fakes.worlds.page import FIELDS, Node, option_value
from fakes.worlds.page_jxa_look import State, View, editable
from fakes.worlds.page_names import disabled, hidden
from harness.wire.jsontext import dumps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from fakes.worlds.safari import Safari
    from fakes.worlds.safari_windows import Document, Tab
    from harness.wire.jsontext import Json

CHANGING = frozenset({"act"})
KEY = "trailcam.safari_jxa"
PARTS = {
    "element": (
        ("route", "route"), ("viewport", "viewport"), ("fields", "field"), ("target", "target"), ("around", "around"),
    ),
    "page": (("route", "route"), ("viewport", "viewport"), ("fields", "field"), ("content", "around")),
}  # fmt: skip
"""What a guard compares, in order: its key, and what the refusal calls the part."""


def answer(world: Safari, show: Callable[[int, str, Json], None], p: int, tab: Tab, argument: Any) -> str:
    """The program's answer to one request, which has no members where it is no object. show: writes a line `shown`."""
    return dumps(Program(world, show, p, tab, argument if isinstance(argument, dict) else {}).answer())


class Program:
    """One run of the program in the document that the tab has now."""

    def __init__(
        self, world: Safari, show: Callable[[int, str, Json], None], p: int, tab: Tab, request: Mapping[str, Any]
    ) -> None:
        self.world = world
        self.show = show
        self.p = p
        self.tab = tab
        self.document: Document = tab.document
        self.request = request

    @property
    def held(self) -> State | None:
        return self.document.stamps.get(KEY)

    def answer(self) -> dict[str, Json]:
        op = self.request.get("op")
        if op == "bind":
            return self._described(self.held or self._install(self.request.get("epoch")))
        if op == "observe":
            return self._observe()
        state = self.held
        if state is None or state.epoch != self.request.get("epoch"):
            return {"status": "document"}
        if not isinstance(op, str) or op not in OPS:
            return {"status": "invalid", "message": f"op {op}"}
        return OPS[op](self, state)

    def _install(self, epoch: Any) -> State:
        state = State(epoch)
        self.document.stamps[KEY] = state
        return state

    def _described(self, state: State) -> dict[str, Json]:
        document = self.document
        title, ready = document.page.title, document.ready
        return {"status": "ok", "epoch": state.epoch, "url": document.url, "title": title, "ready": ready}

    def _observe(self) -> dict[str, Json]:
        state = self.held
        rebound = state is None or state.epoch != self.request.get("epoch")
        if rebound and self.request.get("rebind") is None:
            return {"status": "document"}
        if state is None:
            state = self._install(self.request["rebind"])
        return self._seen(state, rebound)

    def _seen(self, state: State, rebound: bool) -> dict[str, Json]:
        """What the page shows now, and a line `shown` for each thing that it offers."""
        view = self._view(state)
        actions = view.actions()
        guards: dict[str, Json] = {}
        for number in dict.fromkeys(action["node"] for action in actions if "node" in action):
            node = state.node(number)
            assert node is not None
            guards[str(number)] = view.guard(node)
            target = self.world.target(self.tab, self.document, node)
            self.show(self.p, f"{prefix(self.tab)}/{number}", target)
        self.show(self.p, f"{prefix(self.tab)}/page", self.world.target(self.tab))
        return {
            **self._described(state),
            "rebound": rebound,
            "text": view.text(),
            "scroll": view.scroll(),
            "actions": actions,
            "page": view.content(),
            "guards": guards,
        }

    def _view(self, state: State) -> View:
        return View(self.world, self.tab, self.document, state)

    # Whether an action may be done

    def _objection(self, state: State, view: View) -> dict[str, Json] | None:
        """Why nothing may be done now, {part} or {reason}; None where it may."""
        action = self.request["action"]
        if action["kind"] == "scroll":
            part = self._moved(view.content(), "page")
            return {"part": part} if part else None
        node = state.node(action["node"])
        if node is None:
            moved = view.route() != self.request["guard"]["route"]
            return {"part": "route"} if moved else {"reason": "gone"}
        part = self._moved({"route": view.route(), "viewport": view.viewport(), **view.guard(node)}, "element")
        if part:
            return {"part": part}
        reason = self._blocked(view, node, action)
        return {"reason": reason} if reason else None

    def _moved(self, now: Mapping[str, Json], kind: str) -> str | None:
        return next((part for key, part in PARTS[kind] if now[key] != self.request["guard"].get(key)), None)

    def _blocked(self, view: View, node: Node, action: Mapping[str, Any]) -> str | None:
        if view.forbidden(node):
            return "forbidden"
        if disabled(node) or hidden(node):
            return "read_only"
        if action["kind"] == "fill":
            if not editable(node):
                return "read_only"
            if not accepts(node, self.request.get("text")):
                return "rejected"
        if action["kind"] == "select":
            return None if option_of(node, action) is not None else "gone"
        point = view.point(node)
        if point is None:
            return "out_of_view"
        return "covered" if view.covered(node, point) else None

    # Doing

    def _act(self, state: State) -> dict[str, Json]:
        nonce = self.request["nonce"]
        known = state.records.get(nonce)
        if known is not None:
            return {"status": "void"} if known["phase"] == "void" else {"status": "repeated", **known}
        self._record(state, "armed")
        view = self._view(state)
        why = self._objection(state, view)
        if why is not None:
            self._record(state, "refused", **why)
            return {"status": "refused", **why, "seen": self._seen(state, False)}
        before = self._look(state, view)
        self._record(state, "started")
        self._perform(state, view)
        changed = not self.document.alive or self._look(state, self._view(state)) != before
        self._record(state, "finished", changed=changed)
        return {"status": "finished", "changed": changed}

    def _perform(self, state: State, view: View) -> None:
        action = self.request["action"]
        node = None if action["kind"] == "scroll" else state.node(action["node"])
        value: Json = None
        if node is None:
            distance = round(view.height * 0.8)
            bottom = view.scroll()["height"] - view.height
            at = self.document.page.scroll[1]
            value = [0, max(-at, -distance) if action["direction"] == "up" else min(distance, bottom - at)]
        elif action["kind"] == "fill":
            value = self.request["text"]
        elif action["kind"] == "select":
            option = option_of(node, action)
            assert option is not None
            value = option_value(option)
        self.world.act(self.p, self.tab, self.document, node, action["kind"], value)

    def _look(self, state: State, view: View) -> Json:
        """All that an action can be seen to have changed at once."""
        node = state.node(self.request["action"].get("node"))
        return [self.document.url, view.content(), view.text(), view.guard(node) if node is not None else None]

    def _record(self, state: State, phase: str, **more: Json) -> None:
        state.records[self.request["nonce"]] = {"phase": phase, **more}

    def _resolve(self, state: State) -> dict[str, Json]:
        """A nonce without an outcome is voided, and what is then written down is read back."""
        known = state.records.get(self.request["nonce"])
        if known is None or known["phase"] == "armed":
            self._record(state, "void")
        return {"status": "ok", **state.records[self.request["nonce"]]}

    def _fresh(self, state: State) -> dict[str, Json]:
        why = self._objection(state, self._view(state))
        return {"status": "refused", **why} if why is not None else {"status": "ok"}


OPS: Mapping[str, Callable[[Program, State], dict[str, Json]]] = {
    "act": Program._act,
    "resolve": Program._resolve,
    "fresh": Program._fresh,
}
"""The ops that need the request's own document."""


def prefix(tab: Tab) -> str:
    """What a reference to something in the tab begins with. Numbers of the program are none of those in snapshots."""
    return str(tab.window.id) if tab.window.session is None else f"page of {tab.handle}"


def option_of(node: Node, action: Mapping[str, Any]) -> Node | None:
    options = node.options() if node.tag == "select" else []
    place = action.get("option")
    if not isinstance(place, int) or not 0 <= place < len(options) or options[place].disabled:
        return None
    return options[place]


def accepts(node: Node, text: Json) -> bool:
    """Whether a field would keep the text: its length, and numbers in fields for numbers."""
    if node.tag not in FIELDS or not isinstance(text, str):
        return True
    limit = node.attributes.get("maxlength", "")
    if limit.isdigit() and len(text) > int(limit):
        return False
    if node.tag == "input" and node.type == "number" and text:
        try:
            float(text)
        except ValueError:
            return False
    return not (node.tag == "input" and "\n" in text)
