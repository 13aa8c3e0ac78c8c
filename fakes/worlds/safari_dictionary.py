"""Safari's scripting dictionary: from a specifier's path to what it names, and the properties of that.

A path is what an Apple Event carries: `[["app", "Safari"], ["p", "windows"], ["id", 7], ["p", "currentTab"]]`. By-id
names stay with their window, by-index ones drift when the list changes, and a property of a collection is the list of
its elements' properties. Source: trailcam facts: JXA, section 1.3 (published type declarations, quoted dictionary).
"""

from __future__ import annotations

from fakes.worlds.safari_windows import Tab, Window

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any, TypeAlias

    from fakes.worlds.safari import Safari
    from harness.wire.jsontext import Json

    Step: TypeAlias = Sequence[Any]
    """[kind, value]: `p` a property or elements, `id`, `at` (from 0, -1 the last), `name`, `whose`."""
    Found: TypeAlias = "Thing | Elements | Value"

VERSION = "26.0"


class AppleEventError(Exception):
    """The application answers an event with an error. about: the object, as the text of the error names it."""

    def __init__(self, number: int, about: str | None = None) -> None:
        super().__init__(number)
        self.number = number
        self.about = about


class Application:
    """One process of Safari as a root of specifiers. root: the step by which the client addresses it."""

    def __init__(self, world: Safari, pid: int, root: Step) -> None:
        self.world = world
        self.pid = pid
        self.root = root

    @property
    def windows(self) -> list[Window]:
        """Its windows, the front one first."""
        return [window for window in self.world.windows if window.pid == self.pid]


class Thing:
    """One object that a path names. path: the same object by the steadiest name that Safari gives it."""

    __slots__ = ("kind", "of", "path")

    def __init__(self, kind: str, of: Any, path: list[Step]) -> None:
        self.kind = kind
        self.of = of
        self.path = path


class Elements:
    """The elements of a collection; of a collection of collections, its parts. size: how many; name: of the collection;
    owner: what has it, for texts of errors."""

    __slots__ = ("size", "name", "owner", "_things", "_made")

    def __init__(self, size: int, things: Callable[[], Iterable[Found]], name: str, owner: str = "") -> None:
        self.size = size
        self.name = name
        self.owner = owner
        self._things = things
        self._made: list[Found] | None = None

    @property
    def things(self) -> list[Found]:
        """Made when they are first looked at: of most paths only one is."""
        if self._made is None:
            self._made = list(self._things())
        return self._made

    @property
    def plain(self) -> list[Thing]:
        """The elements, where they can be chosen from. Raises AppleEventError for a collection of collections."""
        things = [each for each in self.things if isinstance(each, Thing)]
        if len(things) < len(self.things):
            raise AppleEventError(-1728)
        return things


class Value:
    """A value that is no object any more."""

    __slots__ = ("value",)

    def __init__(self, value: Json) -> None:
        self.value = value


def _bounds(window: Window) -> Json:
    return dict(zip(("x", "y", "width", "height"), window.bounds, strict=True))


def _titled(window: Window) -> str:
    """Name of a window or document: the page's title behind the profile or tab group, where there is one."""
    title = window.tab.title if window.tab is not None else ""
    return f"{window.profile} — {title}" if window.profile else title


def _index(window: Window, app: Application) -> int:
    return app.windows.index(window) + 1


PROPERTIES: Mapping[str, Mapping[str, Callable[[Any, Application], Json]]] = {
    "application": {
        "name": lambda of, app: "Safari",
        "version": lambda of, app: VERSION,
        "id": lambda of, app: "com.apple.Safari",
        "frontmost": lambda of, app: bool(app.world.windows) and app.world.windows[0].pid == app.pid,
    },
    "window": {
        "id": lambda window, app: window.id,
        "index": _index,
        "name": lambda window, app: _titled(window),
        "bounds": lambda window, app: _bounds(window),
        "visible": lambda window, app: window.visible,
        "miniaturized": lambda window, app: window.miniaturized,
        "zoomed": lambda window, app: window.zoomed,
        "closeable": lambda window, app: True,
        "miniaturizable": lambda window, app: True,
        "resizable": lambda window, app: True,
        "zoomable": lambda window, app: True,
    },
    "tab": {
        "url": lambda tab, app: tab.url,
        "name": lambda tab, app: tab.title,
        "index": lambda tab, app: tab.window.tabs.index(tab) + 1,
        "visible": lambda tab, app: tab is tab.window.tab,
        "text": lambda tab, app: tab.document.page.text(),
    },
    "document": {
        "url": lambda tab, app: tab.url,
        "name": lambda tab, app: _titled(tab.window),
        "text": lambda tab, app: tab.document.page.text(),
        "modified": lambda tab, app: False,
    },
}
"""Kind of object -> property -> its value. A document is held by the current tab of its window."""
ELEMENTS = {"application": {"windows": "window", "documents": "document"}, "window": {"tabs": "tab"}}
ONE = {"window": {"currentTab": "tab", "document": "document"}}


def resolve(app: Application, path: Sequence[Step]) -> Thing | Elements | Value:
    """What a path names now, its first step (the application) aside. Raises AppleEventError."""
    found: Thing | Elements | Value = Thing("application", app, [app.root])
    for kind, value in path[1:]:
        if isinstance(found, Value):
            raise AppleEventError(-1728)
        if kind == "p":
            found = _property(app, found, value)
        elif isinstance(found, Elements):
            found = _chosen(app, found, kind, value)
        else:
            raise AppleEventError(-1728)
    return found


def thing(app: Application, path: Sequence[Step], kind: str | None = None) -> Thing:
    """The one object that a path names. Raises AppleEventError: -1728 where it names several, none, or a value."""
    found = resolve(app, path)
    if not isinstance(found, Thing) or kind not in (None, found.kind):
        raise AppleEventError(-1728)
    return found


def canonical(name: str) -> str:
    return "url" if name == "URL" else name


def _property(app: Application, found: Thing | Elements | Value, name: str) -> Thing | Elements | Value:
    if isinstance(found, Value):  # in a collection: what one of its elements lacks is missing for that one alone
        return Value(None)
    if isinstance(found, Elements):
        parts = [_property(app, each, name) for each in found.things]
        if any(not isinstance(part, Value) for part in parts):
            return Elements(len(parts), lambda: parts, name)
        return Value([part.value for part in parts if isinstance(part, Value)])
    if name in ELEMENTS.get(found.kind, {}):
        return _elements(app, found, name)
    if name in ONE.get(found.kind, {}):
        tab = found.of.tab
        if tab is None:
            return Value(None)
        return _tab(app, tab) if name == "currentTab" else _document(app, found.of)
    known = PROPERTIES[found.kind]
    if canonical(name) not in known:
        raise AppleEventError(-1728)
    return Value(known[canonical(name)](found.of, app))


def _elements(app: Application, found: Thing, name: str) -> Elements | Value:
    if name == "windows":
        windows = app.windows
        return Elements(len(windows), lambda: [_window(app, each) for each in windows], "window")
    if name == "documents":
        shown = [each for each in app.windows if each.tab is not None]
        return Elements(len(shown), lambda: [_document(app, each) for each in shown], "document")
    if found.of.phantom:
        return Value(None)
    tabs, owner = found.of.tabs, f" of window id {found.of.id}"
    return Elements(len(tabs), lambda: [_tab(app, tab) for tab in tabs], "tab", owner)


def _window(app: Application, window: Window) -> Thing:
    return Thing("window", window, [app.root, ["p", "windows"], ["id", window.id]])


def _tab(app: Application, tab: Tab) -> Thing:
    """Tabs have no id: their place is all that names them."""
    return Thing("tab", tab, [*_window(app, tab.window).path, ["p", "tabs"], ["at", tab.window.tabs.index(tab)]])


def _document(app: Application, window: Window) -> Thing:
    return Thing("document", window.tab, [app.root, ["p", "documents"], ["name", _titled(window)]])


def _chosen(app: Application, found: Elements, kind: str, value: Any) -> Thing | Elements:
    if kind == "id" and found.name == "window":  # nearly every path begins so
        for window in app.windows:
            if window.id == value:
                return _window(app, window)
        raise AppleEventError(-1728, f"window id {value}")
    things = found.plain
    if kind == "at":
        if -len(things) <= value < len(things):
            chosen: Thing = things[value]
            return chosen
        raise AppleEventError(-1719, f"{found.name} {value + 1}{found.owner}")
    if kind == "whose":
        fitting = [each for each in things if _fits(app, each, value)]
        return Elements(len(fitting), lambda: fitting, found.name, found.owner)
    name = "id" if kind == "id" else "name"
    for each in things:
        if name in PROPERTIES[each.kind] and PROPERTIES[each.kind][name](each.of, app) == value:
            return each
    raise AppleEventError(-1728, f"{found.name} {f'id {value}' if kind == 'id' else f'“{value}”'}{found.owner}")


TESTS: Mapping[str, Callable[[Any, Any], bool]] = {
    "_equals": lambda is_, given: bool(is_ == given),
    "_contains": lambda is_, given: isinstance(is_, str) and str(given) in is_,
    "_beginsWith": lambda is_, given: isinstance(is_, str) and is_.startswith(str(given)),
    "_endsWith": lambda is_, given: isinstance(is_, str) and is_.endswith(str(given)),
}
"""Operator of a filter -> its test. Any other is refused."""


def _fits(app: Application, each: Thing, tests: Any) -> bool:
    if not isinstance(tests, dict):
        raise AppleEventError(-1700)
    for name, test in tests.items():
        found = _property(app, each, name)
        if not isinstance(found, Value):
            raise AppleEventError(-1700)
        operators = test.items() if isinstance(test, dict) else [("_equals", test)]
        for operator, given in operators:
            if operator not in TESTS:
                raise AppleEventError(-1700)
            if not TESTS[operator](found.value, given):
                return False
    return True


def answer_of(found: Thing | Elements | Value) -> dict[str, Any]:
    """What a `get` answers: {value}, {specifier: path}, or {specifiers}, a list of {specifier}, null and such lists."""
    if isinstance(found, Value):
        return {"value": found.value}
    if isinstance(found, Thing):
        return {"specifier": found.path}
    return {"specifiers": _listed(found)}


def _listed(found: Elements) -> list[Any]:
    return [
        _listed(each) if isinstance(each, Elements) else answer_of(each) if isinstance(each, Thing) else each.value
        for each in found.things
    ]
