"""safaridriver in WebDriver mode (`-p PORT`): W3C WebDriver over the same Safari, with the quirks of Apple's driver.

One HTTP connection is one process of this machine, so the one session that a driver has stands in the world. A second
session is refused as already paired; `/print` and `/element/{id}/displayed` are unknown commands; an open dialog makes
every command but those about dialogs fail; elements of another document are stale.
Source: trailcam facts on Safari MCP, section 2. Commands that are not in `COMMANDS` are unknown, whatever W3C says.
"""

from __future__ import annotations

from fakes.fronts.safaridriver_session import DriverSession
from fakes.fronts.safaridriver_settings import settings_of
from fakes.worlds.page_live import inner_text
from fakes.worlds.page_programs import ScriptError
from fakes.worlds.page_select import SelectorError
from harness.faults.steps import At, Exit, Send
from harness.serve.machine import Silent
from harness.wire.http_text import reply
from harness.wire.jsontext import JsonTextError, dumps, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping, Sequence
    from typing import Any, TypeAlias

    from fakes.worlds.page import Node
    from fakes.worlds.safari import Safari
    from fakes.worlds.safari_windows import Document, Tab
    from harness.faults.steps import Handler, Step
    from harness.serve.machine import Given
    from harness.wire.frame import Frame
    from harness.wire.jsontext import Json

    Answer: TypeAlias = Generator[Step, Any, Any]

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
SESSION = "6E3A4E5B-0000-4000-8000-000000000001"
DRIVER = 0
"""Whose the session's window is: the driver's, which is none of its connections."""
STATUS: dict[str, int] = {
    "invalid argument": 400, "invalid selector": 400, "invalid session id": 404, "no such alert": 404,
    "no such element": 404, "no such window": 404, "unknown command": 404, "stale element reference": 404,
    "element not interactable": 400, "javascript error": 500, "session not created": 500,
    "unexpected alert open": 500,
}  # fmt: skip
"""Error of the W3C table -> its HTTP status."""
PAIRED = (
    "Could not create a session: The Safari instance is already paired with another WebDriver session."
)
NOT_ALLOWED = (
    "Could not create a session: You must enable the 'Allow Remote Automation' option in Safari's Develop menu to "
    "control Safari via WebDriver."
)
NAMES = {"27.0": "safari", "technology-preview": "safari technology preview"}
"""Profile -> the browserName that it answers to, in small letters."""


class Refused(Exception):
    """A command failed. code: of the W3C table."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class Paired:
    """The one session of a driver: its tabs, and what it has called elements."""

    def __init__(self, world: Safari, settings: Mapping[str, Any]) -> None:
        self.session = DriverSession(world, DRIVER, settings)
        self.elements: dict[str, tuple[Document, Node]] = {}

    def name(self, document: Document, node: Node) -> dict[str, Json]:
        """The reference of an element, the same each time."""
        for key, known in self.elements.items():
            if known[1] is node:
                return {ELEMENT: key}
        key = f"node-{len(self.elements) + 1}"
        self.elements[key] = (document, node)
        return {ELEMENT: key}

    def find(self, key: str) -> tuple[Document, Node]:
        if key not in self.elements:
            raise Refused("no such element", f"no element {key}")
        document, node = self.elements[key]
        if not document.alive or not node.connected:
            raise Refused("stale element reference", "the element is not in its document any more")
        return document, node


class WebDriver(Silent):
    """See the module: one connection."""

    wires: Mapping[str, str] = {"stdio": "http"}
    moments: Sequence[str] = ("received", "before_effect", "after_effect")

    def __init__(self, given: Given) -> None:
        super().__init__(given)
        self.world: Safari = given.world
        self.settings = settings_of(given.settings)

    @property
    def paired(self) -> Paired | None:
        found: Paired | None = getattr(self.world, "webdriver", None)
        return found

    def received(self, wire: str, frame: Frame) -> Handler:
        method, _, path = (frame.method or "").partition(" ")
        yield At("received", {"verb": f"{method} {path}"})
        self.world.advance()
        try:
            value = yield from self._answer(method, path.strip("/").split("/"), _body_of(frame))
        except Refused as refused:
            error: Json = {"error": refused.code, "message": refused.message, "stacktrace": ""}
            yield Send(reply(STATUS[refused.code], dumps({"value": error})))
        else:
            yield Send(reply(200, dumps({"value": value})))
        yield Exit(0)

    def _answer(self, method: str, parts: list[str], body: dict[str, Any]) -> Answer:
        if parts == ["status"] and method == "GET":
            ready = self.paired is None
            return {"ready": ready, "message": "No sessions created" if ready else "Session is in progress"}
        if parts == ["session"] and method == "POST":
            return self._begin(body)
        if parts[0] != "session" or len(parts) < 2:
            raise Refused("unknown command", "/".join(parts))
        if self.paired is None or parts[1] != SESSION:
            raise Refused("invalid session id", f"no session {parts[1]}")
        if len(parts) == 2 and method == "DELETE":
            self.world.end_session(DRIVER)
            self.world.webdriver = None  # type: ignore[attr-defined]
            return None
        return (yield from self._command(method, parts[2:], body, self.paired))

    def _begin(self, body: dict[str, Any]) -> Json:
        if self.paired is not None:
            raise Refused("session not created", PAIRED)
        if not self.world.permissions["remote_automation"]:
            raise Refused("session not created", NOT_ALLOWED)
        wanted = (body.get("capabilities") or {}).get("alwaysMatch") or {}
        name = NAMES[self.settings["profile"]]
        if str(wanted.get("browserName", name)).lower() != name:
            raise Refused("session not created", f"no browser named {wanted['browserName']!r} here; this is {name!r}")
        made = Paired(self.world, self.settings)
        made.session.window = self.world.session_window(DRIVER, "WebDriver")
        made.session.choose(self.world.open_tab(DRIVER, made.session.window, None))
        self.world.webdriver = made  # type: ignore[attr-defined]
        return {"sessionId": SESSION, "capabilities": {
            "browserName": name.title(), "browserVersion": self.settings["profile"], "platformName": "macOS",
            "acceptInsecureCerts": False, "setWindowRect": True, "strictFileInteractability": False,
        }}  # fmt: skip

    def _command(self, method: str, parts: list[str], body: dict[str, Any], paired: Paired) -> Answer:
        wanted = parts[1] if parts[0] == "element" and len(parts) > 2 else ""
        pattern = [method, *(["element", "{id}", *parts[2:]] if wanted else parts)]
        if pattern[1:3] == ["element", "{id}"] and len(pattern) == 5 and pattern[3] == "attribute":
            body, pattern = {**body, "name": pattern[4]}, [*pattern[:4], "{name}"]
        command = COMMANDS.get(" ".join(pattern))
        if command is None:
            raise Refused("unknown command", f"{method} {'/'.join(parts)}")
        tab = paired.session.active
        if parts[0] not in ("window", "alert") and (tab is None or tab.closed):
            raise Refused("no such window", "the window of the session is closed")
        if parts[0] not in ("window", "alert") and tab is not None and tab.dialogs:
            raise Refused("unexpected alert open", tab.dialogs[0].text)
        return (yield from command(self.world, paired, body, wanted))


def _body_of(frame: Frame) -> dict[str, Any]:
    value = frame.value
    text = value.get("body") if isinstance(value, dict) else None
    try:
        found: Any = loads(text) if isinstance(text, str) and text else {}
    except JsonTextError:
        found = {}
    return found if isinstance(found, dict) else {}


def _tab(paired: Paired) -> Tab:
    tab = paired.session.active
    assert tab is not None, "checked before each command"
    return tab


def _now(read: Callable[[Safari, Paired, dict[str, Any], str], Any]) -> Callable[..., Answer]:
    """A command that takes no time."""

    def command(world: Safari, paired: Paired, body: dict[str, Any], key: str) -> Answer:
        yield from ()
        return read(world, paired, body, key)

    return command


def _go(world: Safari, paired: Paired, body: dict[str, Any], key: str) -> Answer:
    tab = _tab(paired)
    yield At("before_effect", {"verb": "navigate"})
    world.navigate(DRIVER, tab, str(body.get("url", "")))
    yield At("after_effect", {"verb": "navigate"})
    yield from paired.session.loaded(tab)


def _again(world: Safari, paired: Paired, body: dict[str, Any], key: str) -> Answer:
    world.reload(_tab(paired).document, f"driver:{DRIVER}")
    yield from paired.session.loaded(_tab(paired))


def _back(world: Safari, paired: Paired, body: dict[str, Any], key: str) -> Answer:
    world.back(_tab(paired).document, f"driver:{DRIVER}")
    yield from paired.session.loaded(_tab(paired))


def _click(world: Safari, paired: Paired, body: dict[str, Any], key: str) -> Answer:
    document, node = paired.find(key)
    if not node.visible:
        raise Refused("element not interactable", "the element is not shown")
    yield At("before_effect", {"verb": "click"})
    world.act(DRIVER, document.tab, document, node, "click", None)
    yield At("after_effect", {"verb": "click"})
    world.advance()
    if not document.tab.dialogs:
        yield from paired.session.loaded(document.tab)


def _keys(world: Safari, paired: Paired, body: dict[str, Any], key: str) -> Any:
    document, node = paired.find(key)
    if not node.visible or not node.editable:
        raise Refused("element not interactable", "the element takes no text")
    world.act(DRIVER, document.tab, document, node, "type", str(body.get("text", "")))


def _elements(world: Safari, paired: Paired, body: dict[str, Any], key: str) -> Any:
    document = _tab(paired).document
    strategy = STRATEGIES.get(str(body.get("using")))
    if strategy is None:
        raise Refused("invalid selector", f"no strategy {body.get('using')!r} here")
    try:
        found = strategy(document, str(body.get("value", "")))
    except SelectorError as problem:
        raise Refused("invalid selector", str(problem)) from None
    return [paired.name(document, node) for node in found]


def _element(world: Safari, paired: Paired, body: dict[str, Any], key: str) -> Any:
    found = _elements(world, paired, body, key)
    if not found:
        raise Refused("no such element", f"nothing matches {body.get('value')!r}")
    return found[0]


def _script(world: Safari, paired: Paired, body: dict[str, Any], key: str) -> Any:
    script, given = str(body.get("script", "")), body.get("args") or []
    if given:  # a function's arguments; the model runs none but the fixed programs
        script = f"return (async function () {{{script}\n}}).apply(null, {dumps(given)})"
    try:
        return world.evaluate(_tab(paired).document, script)
    except ScriptError as problem:
        raise Refused("javascript error", problem.text) from None


def _switch(world: Safari, paired: Paired, body: dict[str, Any], key: str) -> Any:
    for tab in paired.session.tabs():
        if tab.handle == body.get("handle"):
            world.select_tab(tab, f"driver:{DRIVER}")
            paired.session.choose(tab)
            return
    raise Refused("no such window", f"no window {body.get('handle')!r}")


def _new(world: Safari, paired: Paired, body: dict[str, Any], key: str) -> Any:
    assert paired.session.window is not None
    tab = world.open_tab(DRIVER, paired.session.window, None)
    return {"handle": tab.handle, "type": "tab"}


def _close(world: Safari, paired: Paired, body: dict[str, Any], key: str) -> Any:
    tab = paired.session.active
    if tab is None or tab.closed:
        raise Refused("no such window", "the window of the session is closed")
    world.close_tab(DRIVER, tab)
    return [each.handle for each in paired.session.tabs()]


def _window(world: Safari, paired: Paired, body: dict[str, Any], key: str) -> Any:
    if _tab(paired).closed:
        raise Refused("no such window", "the window of the session is closed")
    return _tab(paired).handle


def _alert_text(world: Safari, paired: Paired, body: dict[str, Any], key: str) -> Any:
    return _open(paired).dialogs[0].text


def _open(paired: Paired) -> Tab:
    tab = _tab(paired)
    if not tab.dialogs:
        raise Refused("no such alert", "no dialog is open")
    return tab


def _answered(accept: bool) -> Callable[[Safari, Paired, dict[str, Any], str], Any]:
    def answer(world: Safari, paired: Paired, body: dict[str, Any], key: str) -> Any:
        world.answer_dialog(_open(paired), accept, "", f"driver:{DRIVER}")

    return answer


STRATEGIES: dict[str, Callable[[Document, str], list[Node]]] = {
    "css selector": lambda document, value: document.page.select(value),
    "tag name": lambda document, value: [node for node in document.page.walk() if node.tag == value.lower()],
    "link text": lambda document, value: [node for node in document.page.select("a") if _text(node) == value],
    "partial link text": lambda document, value: [node for node in document.page.select("a") if value in _text(node)],
}
"""How elements are found, but for xpath, which this driver does not know."""


def _text(node: Node) -> str:
    return inner_text(node).strip()


COMMANDS: dict[str, Callable[..., Answer]] = {
    "POST url": _go,
    "GET url": _now(lambda world, paired, body, key: _tab(paired).url),
    "GET title": _now(lambda world, paired, body, key: _tab(paired).title),
    "POST refresh": _again,
    "POST back": _back,
    "POST element": _now(_element),
    "POST elements": _now(_elements),
    "POST element {id} click": _click,
    "POST element {id} value": _now(_keys),
    "GET element {id} text": _now(lambda world, paired, body, key: inner_text(paired.find(key)[1])),
    "GET element {id} name": _now(lambda world, paired, body, key: paired.find(key)[1].tag),
    "GET element {id} attribute {name}": _now(
        lambda world, paired, body, key: paired.find(key)[1].attributes.get(body["name"])
    ),
    "POST execute sync": _now(_script),
    "GET window": _now(_window),
    "GET window handles": _now(lambda world, paired, body, key: [tab.handle for tab in paired.session.tabs()]),
    "POST window": _now(_switch),
    "POST window new": _now(_new),
    "DELETE window": _now(_close),
    "GET alert text": _now(_alert_text),
    "POST alert accept": _now(_answered(True)),
    "POST alert dismiss": _now(_answered(False)),
}
"""Method and path below the session -> what carries it out."""
