"""The fake `desktop`: native accessibility, OCR, pictures and real clicks, over the fake browsers' world.

No such program exists yet; it stands for the port of stack/chrome/desktop.py. A request in one JSON line, the answer in
one, and it ends. Where a click comes down is found from the place on the screen alone, by a computation of its own, so
that a rectangle that was mapped wrongly lands where it would.
"""

from __future__ import annotations

from fakes.fronts.chrome_extension import press
from fakes.settings import read
from fakes.worlds.chrome import OUTER, SCREEN, VIEWPORT
from harness.faults.steps import At, Close, Exit, Send
from harness.serve.machine import Silent
from harness.wire.jsontext import dumps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any, TypeGuard

    from fakes.settings import Table
    from fakes.worlds.chrome import Browser, Chrome, Tab
    from fakes.worlds.chrome_pages import Document, Node
    from harness.faults.steps import Handler
    from harness.serve.machine import Given
    from harness.wire.frame import Frame
    from harness.wire.jsontext import Json

KEYS: Table = {
    "windows": ("bool", True, "whether it tells windows and processes"),
    "ax": ("bool", True, "whether it has native accessibility"),
    "page": ("list", [], "what native accessibility sees of the page: {id, role, name, bounds}"),
    "ocr": ("any", None, "words that OCR finds: {id, name, bounds}; null: it has none"),
    "picture": ("bool", False, "whether it takes pictures"),
    "titles": ("bool", False, "whether tabs are called by the titles of their pages, as browsers do"),
    "clicks": ("bool", True, "whether it has real input"),
    "ends": ("itself|input|never", "itself", "with its answer, with its input, or never, with its output closed"),
}
PICTURE = "iVBORw0KGgo="
SIDE = (OUTER[0] - VIEWPORT[0]) / 2
ABOVE = OUTER[1] - VIEWPORT[1] - SIDE


class Unable(Exception):
    """It does not do that. reason: in its answer."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class DesktopHelp(Silent):
    """See the module."""

    wires: Mapping[str, str] = {"stdio": "ndjson"}
    moments: Sequence[str] = ("received", "before_effect", "after_effect")

    def __init__(self, given: Given) -> None:
        super().__init__(given)
        self.world: Chrome = given.world
        self.p = given.p
        self.settings = read(dict(given.settings), KEYS, "programs.desktop")
        self._asked = False

    def ended(self, wire: str) -> Handler:
        """Who has asked closes its side, and still gets its answer."""
        if not self._asked or self.settings["ends"] == "input":
            yield Exit(0)

    def received(self, wire: str, frame: Frame) -> Handler:
        self._asked = True
        request = frame.value
        if not _fits(request):
            yield from self._say({"ok": False, "reason": "invalid_request", "message": "no request"})
            return
        ask = str(request["ask"])
        yield At("received", {"ask": ask})
        try:
            if ask in ("press", "click"):
                yield At("before_effect", {"verb": ask})
            result = ASKS[ask](self, request)
        except Unable as unable:
            yield from self._say({"ok": False, "reason": unable.reason, "message": f"{ask} is not done"})
            return
        if ask in ("press", "click"):
            yield At("after_effect", {"verb": ask})
        yield from self._say({"ok": True, "result": result})

    def _say(self, answer: Json) -> Handler:
        yield Send(dumps(answer).encode() + b"\n")
        if self.settings["ends"] == "itself":
            yield Exit(0)
        if self.settings["ends"] == "never":
            yield Close("stdio", "out")

    def _need(self, name: str) -> None:
        if not self.settings[name]:
            raise Unable("unavailable")

    # What there is

    def _windows(self, request: Mapping[str, Any]) -> Json:
        self._need("windows")
        rows: list[Json] = []
        for browser in self.world.browsers:
            if browser.running:
                for window in browser.active:
                    front = self.world.front == f"browser {browser.number}" and browser.focused == window
                    rows.append({"id": 100 * browser.number + window, "pid": self.world.pid_of(browser), "front": front,
                                 "app": str(browser.values["name"]), "unit": self.world.unit})  # fmt: skip
        if not self.world.front.startswith("browser "):
            rows.append({"id": 9000, "pid": 9000, "front": True, "app": self.world.front, "unit": self.world.unit})
        rows.sort(key=lambda row: not (isinstance(row, dict) and row["front"]))
        return {"windows": rows}

    def _of(self, window: int) -> Browser | None:
        return next((each for each in self.world.browsers if window // 100 == each.number and window != 9000), None)

    def _read(self, request: Mapping[str, Any]) -> Json:
        self._need("ax")
        browser = self._of(request["window"])
        if request["part"] == "page":
            return {"nodes": [_thing(each, "activate") for each in self.settings["page"]]}
        nodes: list[Json] = []
        if browser is not None:
            front = browser.front()
            url = front.document.url if front is not None else ""
            nodes.append(_thing({"id": "address", "role": "textfield", "name": "Address", "value": url}))
            for tab in browser.tabs.values():
                name = tab.document.title if self.settings["titles"] else f"Tab {tab.id}"
                value = "1" if browser.active.get(tab.window) == tab.id else "0"
                nodes.append(_thing({"id": f"tab-{tab.id}", "role": "tab", "name": name, "value": value}, "activate"))
                what: dict[str, Json] = {"window": f"{browser.number}/{tab.window}", "node": f"tab-{tab.id}"}
                self.world.note("shown", p=self.p, ref=f"native/tab-{tab.id}", what=what)
        return {"nodes": nodes}

    def _recognise(self, request: Mapping[str, Any]) -> Json:
        if self.settings["ocr"] is None:
            raise Unable("unavailable")
        words = [{"role": "text", **each} for each in self.settings["ocr"]]
        browser = self._of(request["window"])
        tab = browser.front() if browser is not None else None
        if browser is not None and tab is not None:
            for word in words:
                x, y, w, h = word["bounds"]
                document, node = self._under(tab, x + w / 2, y + h / 2)
                if node is not None:
                    what = self.world.what(browser, tab, 0, document, node)
                    self.world.note("shown", p=self.p, ref=f"ocr/{word['id']}", what=what)
            words += [{"id": f"change-{tab.document.changes}", "role": "text", "name": "changed"}] * bool(
                tab.document.changes
            )
        return {"nodes": [_thing(each, "activate") for each in words]}

    def _picture(self, request: Mapping[str, Any]) -> Json:
        self._need("picture")
        return {"data": PICTURE, "mime": "image/png"}

    # What it does

    def _press(self, request: Mapping[str, Any]) -> Json:
        self._need("ax")
        browser = self._of(request["window"])
        id = str(request["node"])
        if browser is None or not id.startswith("tab-") or int(id[4:]) not in browser.tabs:
            raise Unable("no_such_node")
        tab = browser.tabs[int(id[4:])]
        if browser.active.get(tab.window) == tab.id:
            self.world.refused(self.p, "activate", "it is in front already")
            return {}
        target: dict[str, Json] = {"window": f"{browser.number}/{tab.window}", "node": id}
        n = self.world.effect(self.p, "activate", target)
        browser.active[tab.window] = tab.id
        self.world.changed(f"effect:{n}", front=str(tab.id))
        return {}

    def _click(self, request: Mapping[str, Any]) -> Json:
        self._need("clicks")
        front = self.world.front
        if not front.startswith("browser "):
            self.world.effect(self.p, "activate", {"app": front})
            return {}
        browser = self.world.browsers[int(front[8:])]
        tab = browser.front()
        if tab is None:
            raise Unable("refused")
        document, node = self._under(tab, float(request["x"]), float(request["y"]))
        if node is None:
            target: dict[str, Json] = {
                "window": f"{browser.number}/{tab.window}",
                "tab": str(tab.id),
                "node": "nothing",
            }
            self.world.effect(self.p, "activate", target)
            return {}
        if node.does in ("nothing", "trusted_nothing"):
            self.world.refused(self.p, "activate", "nothing comes of it")
            return {}
        n = self.world.effect(self.p, "activate", self.world.what(browser, tab, 0, document, node))
        press(self.world, browser, tab, document, node, n)
        return {}

    def _under(self, tab: Tab, x: float, y: float) -> tuple[Document, Node | None]:
        """What is at a place on the screen, in the page of a tab."""
        document = tab.document
        scale = 2.0 if self.world.unit == "pixel" else 1.0
        css_x = (x / scale - SCREEN[0] - SIDE) / document.zoom
        css_y = (y / scale - SCREEN[1] - ABOVE) / document.zoom
        for node in document.nodes:
            left, top, width, height = node.bounds
            if not node.hidden and left <= css_x < left + width and top <= css_y < top + height:
                return document, node
        return document, None


def _thing(given: Mapping[str, Any], *actions: str) -> dict[str, Json]:
    x, y, w, h = given.get("bounds", [0, 0, 10, 10])
    return {
        "id": given["id"], "role": given.get("role", "button"), "name": given["name"], "value": given.get("value"),
        "actions": [*actions], "bounds": {"x": x, "y": y, "w": w, "h": h},
    }  # fmt: skip


ASKS: Mapping[str, Callable[[DesktopHelp, Mapping[str, Any]], Json]] = {
    "windows": DesktopHelp._windows,
    "read": DesktopHelp._read,
    "recognise": DesktopHelp._recognise,
    "picture": DesktopHelp._picture,
    "press": DesktopHelp._press,
    "click": DesktopHelp._click,
}
"""What it is asked."""
FORMS: Mapping[str, Mapping[str, tuple[type, ...]]] = {
    "windows": {},
    "read": {"window": (int,), "part": (str,)},
    "recognise": {"window": (int,)},
    "picture": {"window": (int,)},
    "press": {"window": (int,), "node": (str,)},
    "click": {"window": (int,), "x": (int, float), "y": (int, float)},
}
"""What each has to come with; more does no harm."""
LARGEST = 2**53
"""A number beyond it is no place and no window."""


def _fits(request: Json) -> TypeGuard[dict[str, Any]]:
    if not isinstance(request, dict) or not isinstance(ask := request.get("ask"), str) or ask not in FORMS:
        return False
    given = {name: request.get(name) for name in FORMS[ask]}
    return all(
        type(value) in FORMS[ask][name] and (not isinstance(value, int | float) or abs(value) <= LARGEST)
        for name, value in given.items()
    )
