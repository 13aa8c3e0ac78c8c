"""What Safari does at an Apple Event: who is asked, whether it may be, what it does and what it answers.

Over the same world as the driver of automation sessions. Whatever the client learns of windows and nodes is a line
`shown`, whatever an event does an `effect`, so the laws judge Apple Events as they judge everything else. Source:
trailcam facts: JXA, sections 1.2 to 1.5; nothing of it was compared with a real Safari.
"""

from __future__ import annotations

from fakes.settings import SettingsProblem, read
from fakes.worlds import safari_loading as loading
from fakes.worlds.page_url import BLANK
from fakes.worlds.safari_dictionary import (
    AppleEventError,
    Application,
    Elements,
    Thing,
    answer_of,
    canonical,
    resolve,
    thing,
)
from fakes.worlds.safari_windows import window_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from fakes.settings import Table
    from fakes.worlds.safari import Safari
    from fakes.worlds.safari_windows import Window
    from harness.wire.jsontext import Json

    Answer = dict[str, Any]
    """{value}, {specifier: path} or {specifiers: [path]}."""
    Evaluate = Callable[[int, Any, str], Json]
    """(process, tab, text) -> the value that the text has in that tab's page."""

NAMES = ("Safari", "com.apple.Safari", "/Applications/Safari.app")
OTHERS = ("System Events", "com.apple.systemevents", "Finder", "com.apple.finder", "osascript")
"""Applications that are there, and that the fake has no dictionary of: every event to them is a violation."""
ORDER_KEYS: Table = {
    "number": ("int", -1712, "number of the error that the script gets"),
    "runs": ("never|now|later", "never", "whether and when the event happens in Safari all the same"),
    "wait_ms": ("number", 0, "how much later than usual the script gets it"),
    "late_ms": ("number", 5000, "how long after the error the event happens, where it runs later"),
}
CHANGING = ("set", "make", "push", "close", "doJavaScript", "activate", "move", "delete", "quit")
"""Events that may change something; of doJavaScript it is known only of page programs whether they do."""


class Ordered:
    """An error that a fault ordered for the next event: `ORDER_KEYS`."""

    def __init__(self, number: int, runs: str, wait_ms: float, late_ms: float) -> None:
        self.number = number
        self.runs = runs
        self.wait_ms = wait_ms
        self.late_ms = late_ms


def expect_error(world: Safari, by: str, value: Json) -> None:
    """The change `apple_event`: the next Apple Event of the run gets an error. Raises SettingsProblem."""
    given = read(value, ORDER_KEYS, "the change")
    if given["number"] == 0:
        raise SettingsProblem("number 0", "the number of an error", "name one, or leave it out")
    events_of(world).ordered = Ordered(**given)


class SafariEvents:
    """The applications of a world, as Apple Events reach them."""

    def __init__(self, world: Safari) -> None:
        self.world = world
        self.ordered: Ordered | None = None
        self._spoken: set[tuple[int, int]] = set()
        self._shown: dict[tuple[int, str], Json] = {}

    def take_ordered(self) -> Ordered | None:
        ordered, self.ordered = self.ordered, None
        return ordered

    # Applications

    def pids(self) -> list[int]:
        """Running Safaris."""
        return [process.pid for process in self.world.processes if process.running]

    def known(self, name: Json) -> bool:
        """Whether there is such an application. A number is a process, and it has to run."""
        return name in self.pids() if isinstance(name, int) else name in (*NAMES, *OTHERS)

    def running(self, name: Json) -> bool:
        return name in self.pids() if isinstance(name, int) else (bool(self.pids()) if name in NAMES else True)

    def application(self, p: int, name: Json, last: bool) -> Application:
        """The process that an event to that application reaches. Raises AppleEventError."""
        if isinstance(name, str) and name not in NAMES:
            self.world.note("violation", p=p, why="an application that the fake does not have", name=name)
            raise AppleEventError(-1708)
        if self.world.permissions["automation"] == "denied":
            raise AppleEventError(-1743)
        pids = self.pids()
        wanted = self._reached(name, pids, last)
        if wanted not in pids:
            gone = [pair for pair in self._spoken if pair[0] == p and (wanted is None or pair[1] == wanted)]
            self._spoken.difference_update(gone)
            if not gone and isinstance(name, str):
                self.world.note("violation", p=p, why="the event would have launched Safari", name=name)
            if gone:
                self.world.note("unsaid", p=p, why="-609 does not say whether the event has run")
            raise AppleEventError(-609 if gone else -600)
        assert isinstance(wanted, int)
        self._spoken.add((p, wanted))
        return Application(self.world, wanted, ["app", name])

    def _reached(self, name: Json, pids: list[int], last: bool) -> int | None:
        """The process that a name or number means, whether it runs or not; None where no Safari does."""
        if isinstance(name, int):
            return name
        return pids[-1 if last else 0] if pids else None

    def held(self, request: Mapping[str, Any], *, last: bool = False) -> bool:
        """Whether the event gets no answer now: the user is being asked for consent, or a dialog holds the page."""
        if self.world.permissions["automation"] == "unasked":
            return True
        if request["event"] != "doJavaScript":
            return False
        pid = self._reached(request["path"][0][1], self.pids(), last)
        if pid is None:
            return False
        try:
            return bool(self._tab(Application(self.world, pid, request["path"][0]), request).dialogs)
        except AppleEventError:
            return False

    # Events

    def perform(self, p: int, request: Mapping[str, Any], evaluate: Evaluate, *, last: bool = False) -> Answer:
        """Carry out one event of process `p`. last: which of several processes a name means. Raises AppleEventError."""
        app = self.application(p, request["path"][0][1], last)
        event = request["event"]
        if event not in EVENTS:
            resolve(app, request["path"])
            self.world.note("violation", p=p, why="a command that the fake does not have", name=event)
            raise AppleEventError(-1708)
        return EVENTS[event](self, p, app, request, evaluate)

    def _tab(self, app: Application, request: Mapping[str, Any]) -> Any:
        """The tab that a doJavaScript addresses. Raises AppleEventError."""
        if not self.world.permissions["javascript_from_apple_events"]:
            raise AppleEventError(8)
        given = request["options"].get("in")
        if not isinstance(given, dict) or "specifier" not in given or not isinstance(request["value"], str):
            raise AppleEventError(-1708)
        found = thing(app, [request["path"][0], *given["specifier"][1:]])
        if found.kind not in ("tab", "document"):
            raise AppleEventError(-1708)
        return found.of

    def show(self, p: int, ref: str, what: Json) -> None:
        """A line `shown`, where the reference stands for something else than when this process last saw it."""
        if self._shown.get((p, ref)) != what:
            self._shown[p, ref] = what
            self.world.note("shown", p=p, ref=ref, what=what)

    def show_windows(self, p: int, app: Application) -> None:
        for window in app.windows:
            if window.tab is not None:
                self.show(p, str(window.id), {"window": window_name(window)})
                self.show(p, f"{window.id}/page", self.world.target(window.tab))

    def _get(self, p: int, app: Application, request: Mapping[str, Any], evaluate: Evaluate) -> Answer:
        found = resolve(app, request["path"])
        self.show_windows(p, app)
        return answer_of(found)

    def _count(self, p: int, app: Application, request: Mapping[str, Any], evaluate: Evaluate) -> Answer:
        found = resolve(app, request["path"])
        if isinstance(found, Thing):
            raise AppleEventError(-1728)
        if isinstance(found, Elements):
            return {"value": found.size}
        return {"value": len(found.value) if isinstance(found.value, list) else 0}

    def _exists(self, p: int, app: Application, request: Mapping[str, Any], evaluate: Evaluate) -> Answer:
        try:
            resolve(app, request["path"])
        except AppleEventError as error:
            if error.number not in (-1728, -1719):
                raise
            return {"value": False}
        return {"value": True}

    def _set(self, p: int, app: Application, request: Mapping[str, Any], evaluate: Evaluate) -> Answer:
        *owner, (_, name) = request["path"]
        try:
            found = thing(app, owner)
        except AppleEventError as error:
            raise AppleEventError(-10006 if error.number == -1728 else error.number, error.about) from None
        setter = SETTERS.get((found.kind, canonical(name)))
        if setter is None:
            raise AppleEventError(-10006)
        setter(self, p, app, found.of, request["value"])
        return {"value": None}

    def _make(self, p: int, app: Application, request: Mapping[str, Any], evaluate: Evaluate) -> Answer:
        kind, properties = _made(request["value"])
        if kind != "Document" or len(request["path"]) != 1:
            raise AppleEventError(-10000)
        url = str(properties.get("url") or properties.get("URL") or BLANK)
        self.world.open_window(p, url, app.pid)
        self.show_windows(p, app)
        return {"specifier": [app.root, ["p", "documents"], ["at", 0]]}

    def _push(self, p: int, app: Application, request: Mapping[str, Any], evaluate: Evaluate) -> Answer:
        """A new tab at the end of a window; it does not become the current one."""
        kind, properties = _made(request["value"])
        *owner, (_, name) = request["path"]
        window = thing(app, owner, "window").of
        if (kind, name) != ("Tab", "tabs"):
            raise AppleEventError(-10000)
        tab = self.world.new_tab(window)
        url = str(properties.get("url") or properties.get("URL") or BLANK)
        n = self.world.effect(p, "open", self.world.target(tab), url)
        if url != BLANK:
            loading.begin(self.world, tab, url, f"effect:{n}")
        return {"value": len(window.tabs)}

    def _close(self, p: int, app: Application, request: Mapping[str, Any], evaluate: Evaluate) -> Answer:
        found = thing(app, request["path"])
        if found.kind == "application":
            raise AppleEventError(-1708)
        if found.kind == "window":
            self.world.close_window(p, found.of)
        else:
            self.world.close_tab(p, found.of)
        return {"value": None}

    def _activate(self, p: int, app: Application, request: Mapping[str, Any], evaluate: Evaluate) -> Answer:
        own = app.windows
        self.world.windows[:] = own + [each for each in self.world.windows if each.pid != app.pid]
        self.world.changed(f"driver:{p}", activated=app.pid)
        return {"value": None}

    def _launch(self, p: int, app: Application, request: Mapping[str, Any], evaluate: Evaluate) -> Answer:
        return {"value": None}

    def _do_javascript(self, p: int, app: Application, request: Mapping[str, Any], evaluate: Evaluate) -> Answer:
        return {"value": evaluate(p, self._tab(app, request), request["value"])}


def _made(value: Json) -> tuple[str, dict[str, Json]]:
    made = value.get("made") if isinstance(value, dict) else None
    if not isinstance(made, dict):
        raise AppleEventError(-1700)
    return str(made["class"]), dict(made["properties"])


def _set_bounds(events: SafariEvents, p: int, app: Application, window: Window, value: Json) -> None:
    names = ("x", "y", "width", "height")
    if not isinstance(value, dict) or not all(isinstance(value.get(name), int | float) for name in names):
        raise AppleEventError(-1700)
    events.world.move_window(f"driver:{p}", window, [value[name] for name in names])


def _set_flag(name: str) -> Callable[[SafariEvents, int, Application, Window, Json], None]:
    def setter(events: SafariEvents, p: int, app: Application, window: Window, value: Json) -> None:
        if not isinstance(value, bool):
            raise AppleEventError(-1700)
        setattr(window, name, value)
        what: dict[str, Any] = {"window": window_name(window), name: value}
        events.world.changed(f"driver:{p}", **what)

    return setter


def _set_current(events: SafariEvents, p: int, app: Application, window: Window, value: Json) -> None:
    if not isinstance(value, dict) or "specifier" not in value:
        raise AppleEventError(-1700)
    tab = thing(app, value["specifier"], "tab").of
    if tab.window is not window:
        raise AppleEventError(-10006)
    events.world.select_tab(tab, f"driver:{p}")


def _set_index(events: SafariEvents, p: int, app: Application, window: Window, value: Json) -> None:
    if value != 1:
        raise AppleEventError(-10006)
    events.world.raise_window(f"driver:{p}", window)


def _set_url(events: SafariEvents, p: int, app: Application, tab: Any, value: Json) -> None:
    if not isinstance(value, str):
        raise AppleEventError(-1700)
    events.world.navigate(p, tab, value)


SETTERS: Mapping[tuple[str, str], Callable[[SafariEvents, int, Application, Any, Json], None]] = {
    ("window", "bounds"): _set_bounds,
    ("window", "visible"): _set_flag("visible"),
    ("window", "miniaturized"): _set_flag("miniaturized"),
    ("window", "zoomed"): _set_flag("zoomed"),
    ("window", "currentTab"): _set_current,
    ("window", "index"): _set_index,
    ("tab", "url"): _set_url,
    ("document", "url"): _set_url,
}
"""(kind of object, property) -> what setting it does; any other property can't be set."""

EVENTS: Mapping[str, Callable[[SafariEvents, int, Application, Mapping[str, Any], Evaluate], Answer]] = {
    "get": SafariEvents._get,
    "count": SafariEvents._count,
    "exists": SafariEvents._exists,
    "set": SafariEvents._set,
    "make": SafariEvents._make,
    "push": SafariEvents._push,
    "close": SafariEvents._close,
    "activate": SafariEvents._activate,
    "launch": SafariEvents._launch,
    "doJavaScript": SafariEvents._do_javascript,
}


def events_of(world: Safari) -> SafariEvents:
    """The one object of a world that answers Apple Events."""
    found: SafariEvents | None = getattr(world, "apple_events", None)
    if found is None:
        found = SafariEvents(world)
        world.apple_events = found
    return found
