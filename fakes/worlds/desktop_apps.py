"""Apps, windows and elements of a desktop, read strictly from the run sheet. Plain data; nothing happens here."""

from __future__ import annotations

from fakes.settings import REQUIRED, SettingsProblem, read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from fakes.settings import Table
    from harness.wire.jsontext import Json

APP_KEYS: Table = {
    "name": ("text", REQUIRED, "name in the Dock; several apps may have the same"),
    "bundle": ("text", REQUIRED, "bundle identifier"),
    "path": ("text or null", None, "full path; /Applications/NAME.app where absent"),
    "pid": ("int or null", None, "process number; counted up from 501 where absent"),
    "running": ("bool", True, "whether it runs"),
    "blocked": ("bool", False, "whether Computer Use refuses it for safety"),
    "activates": ("texts", [], "verbs after which it comes to the front"),
    "uses": ("int", 1, "how often it was used, as list_apps says"),
    "windows": ("list", [], "its windows, the front one first"),
}
WINDOW_KEYS: Table = {
    "id": ("text", REQUIRED, "name of the window in the world record; unique in the world"),
    "title": ("text", "", "title"),
    "hidden": ("bool", False, "not on the screen until an element opens it"),
    "elements": ("list", [], "its elements"),
}
ELEMENT_KEYS: Table = {
    "id": ("text", REQUIRED, "name of the element in the world record; unique in its app"),
    "role": ("text", "button", "role as the accessibility tree says it"),
    "title": ("text", "", "accessible name"),
    "value": ("text or null", None, "value"),
    "settable": ("bool", False, "whether set_value and typing change its value"),
    "focused": ("bool", False, "whether it has the keyboard at the start"),
    "secret": ("bool", False, "whether its value is shown as dots"),
    "actions": ("texts", [], "secondary actions"),
    "opens": ("text or null", None, "window that a click opens"),
    "closes": ("text or null", None, "window that a click closes"),
    "at": ("list", [], "place on the screen: x, y, width, height"),
    "children": ("list", [], "elements in it"),
}
DEFAULT_APPS: list[Json] = [
    {
        "name": "Chess",
        "bundle": "com.apple.Chess",
        "path": "/System/Applications/Chess.app",
        "windows": [
            {
                "id": "chess-game",
                "title": "Game 1",
                "elements": [
                    {
                        "id": "board",
                        "role": "group",
                        "title": "Board",
                        "children": [
                            {"id": "e2", "title": "white pawn, e2", "at": [40, 60, 10, 10], "actions": ["AXShowMenu"]},
                            {"id": "e4", "title": "e4", "at": [40, 40, 10, 10]},
                        ],
                    },
                    {"id": "new-game", "title": "New Game", "at": [0, 90, 20, 10]},
                ],
            }
        ],
    },
    {
        "name": "TextEdit",
        "bundle": "com.apple.TextEdit",
        "path": "/System/Applications/TextEdit.app",
        "windows": [
            {
                "id": "untitled",
                "title": "Untitled",
                "elements": [
                    {
                        "id": "text",
                        "role": "text entry area",
                        "value": "hello world",
                        "settable": True,
                        "focused": True,
                    },
                    {"id": "bold", "role": "checkbox", "title": "bold", "value": "0"},
                ],
            }
        ],
    },
    {"name": "Finder", "bundle": "com.apple.finder", "path": "/System/Library/CoreServices/Finder.app"},
]


class Element:
    """One element of a window. `value` None: it has none."""

    __slots__ = (
        "id",
        "role",
        "title",
        "value",
        "settable",
        "secret",
        "actions",
        "opens",
        "closes",
        "at",
        "children",
        "selected",
    )

    def __init__(self, given: Json, where: str) -> None:
        values = read(given, ELEMENT_KEYS, where)
        self.id: str = values["id"]
        self.role: str = values["role"]
        self.title: str = values["title"]
        self.value: str | None = values["value"]
        self.settable = bool(values["settable"])
        self.secret = bool(values["secret"])
        self.actions: list[str] = list(values["actions"])
        self.opens: str | None = values["opens"]
        self.closes: str | None = values["closes"]
        self.at: list[float] = list(values["at"])
        self.selected: str | None = None
        self.children = [Element(child, f"{where}.children[{n}]") for n, child in enumerate(values["children"])]
        if self.at and len(self.at) != 4:
            raise SettingsProblem(
                f"{self.at!r} for 'at' in {where}", "x, y, width, height", "give four numbers or none"
            )

    def covers(self, x: float, y: float) -> bool:
        """Whether the point lies on it. What has no place covers nothing."""
        if not self.at:
            return False
        left, top, width, height = self.at
        return left <= x < left + width and top <= y < top + height

    def walk(self, depth: int = 0) -> Iterator[tuple[int, Element]]:
        """(depth, element), this one first, in the order of the tree."""
        yield depth, self
        for child in self.children:
            yield from child.walk(depth + 1)


class Window:
    """One window. `elements` are the top ones; `walk` gives all."""

    __slots__ = ("id", "title", "hidden", "elements")

    def __init__(self, given: Json, where: str) -> None:
        values = read(given, WINDOW_KEYS, where)
        self.id: str = values["id"]
        self.title: str = values["title"]
        self.hidden = bool(values["hidden"])
        self.elements = [Element(each, f"{where}.elements[{n}]") for n, each in enumerate(values["elements"])]

    def walk(self) -> Iterator[tuple[int, Element]]:
        for element in self.elements:
            yield from element.walk()

    def find(self, element: str) -> Element | None:
        return next((each for _, each in self.walk() if each.id == element), None)

    def under(self, x: float, y: float) -> Element | None:
        """The last element in the tree's order that covers the point: the one on top."""
        found = None
        for _, element in self.walk():
            if element.covers(x, y):
                found = element
        return found


class App:
    """One installed app. `key` names it in the world record: its bundle identifier, or its path where two share that.

    generation counts what the user changed in it; focus is the element that has the keyboard.
    """

    __slots__ = (
        "key",
        "name",
        "bundle",
        "path",
        "pid",
        "running",
        "blocked",
        "activates",
        "uses",
        "windows",
        "focus",
        "generation",
    )

    def __init__(self, given: Json, where: str, pid: int) -> None:
        values = read(given, APP_KEYS, where)
        self.name: str = values["name"]
        self.bundle: str = values["bundle"]
        self.key = self.bundle
        self.path = str(values["path"] or f"/Applications/{self.name}.app")
        self.pid = int(values["pid"] or pid)
        self.running = bool(values["running"])
        self.blocked = bool(values["blocked"])
        self.activates: list[str] = list(values["activates"])
        self.uses = int(values["uses"])
        self.windows = [Window(each, f"{where}.windows[{n}]") for n, each in enumerate(values["windows"])]
        self.generation = 0
        self.focus: str | None = _first_focus(given)

    def window(self) -> Window | None:
        """The front one of its windows that are on the screen."""
        return next((window for window in self.windows if not window.hidden), None)

    @property
    def asn(self) -> str:
        """How lsappinfo names it."""
        return f"ASN:0x0-0x{self.pid * 0x1001:x}:"


def _first_focus(given: Json) -> str | None:
    pending: list[Json] = [given]
    while pending:
        each = pending.pop(0)
        if isinstance(each, dict):
            if each.get("focused") is True:
                return str(each["id"])
            for key in ("windows", "elements", "children"):
                found = each.get(key)
                pending.extend(found if isinstance(found, list) else [])
    return None


def apps(given: Json) -> list[App]:
    """Apps from a run sheet. Raises SettingsProblem for unknown keys, and for ids that stand for two things."""
    if not isinstance(given, list):
        raise SettingsProblem(f"{given!r} for 'apps'", "a list of apps", "write a list")
    found = [App(each, f"world.apps[{n}]", 501 + n) for n, each in enumerate(given)]
    for app in found:
        if sum(other.bundle == app.bundle for other in found) > 1:
            app.key = app.path
    _refuse_twice([app.key for app in found], "app path")
    _refuse_twice([str(app.pid) for app in found], "pid")
    _refuse_twice([window.id for app in found for window in app.windows], "window id")
    for app in found:
        _refuse_twice([each.id for window in app.windows for _, each in window.walk()], f"element id of {app.name}")
    return found


def _refuse_twice(names: list[str], what: str) -> None:
    for name in names:
        if names.count(name) > 1:
            raise SettingsProblem(f"{what} {name!r} twice in the world", "each once", "give them different names")
