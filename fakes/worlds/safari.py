"""Safari as it really is: windows, tabs, documents, dialogs, permissions; what drivers do to it, and what came of it.

One world for the driver of automation sessions (safaridriver) and for Apple Events (osascript), so that a session can
be seen to touch a window of the user's. In the record

- a window is `window-N`, a tab its key (`tab-1`), a document `doc-1`, a node its name in the page's definition;
- `effect.target` is {tab}, or {tab, document, node} where a node was named; verbs are those of `VERBS`;
- choosing a tab is no effect but `changed {selected}`: observations choose tabs too;
- an automation window is `held` by the process whose session it is, and `freed` when the session ends in order.

Time is lazy: whoever looks calls `advance` first (safari_loading).
"""

from __future__ import annotations

from fakes.settings import SettingsProblem, read
from fakes.worlds import safari_loading as loading
from fakes.worlds.safari_browsing import Browsing
from fakes.worlds.safari_pages import Pages
from fakes.worlds.safari_windows import (
    DEFAULT_PID,
    DISPLAY_KEYS,
    PROCESS_KEYS,
    Process,
    Window,
    numbers,
    window_name,
    window_of,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from fakes.settings import Table
    from fakes.worlds.page import Node
    from fakes.worlds.safari_windows import Document, Tab
    from harness.serve.machine import Record
    from harness.wire.jsontext import Json

VERBS = (
    "open",
    "close",
    "navigate",
    "click",
    "type",
    "fill",
    "select",
    "keyPress",
    "scroll",
    "hover",
    "selectText",
    "selectMenuItem",
    "highlightText",
)
RESTRICTED = ("navigate", "click", "type", "fill", "select", "keyPress", "hover", "selectText", "selectMenuItem")
"""Verbs whose effects need the user's leave."""
NEEDS = "safari"
FIRST_SESSION_WINDOW = 9001
"""Number of the first automation window, where no window has it."""
PERMISSIONS = {
    "remote_automation": (True, False),
    "developer_features": (True, False),
    "javascript_from_apple_events": (True, False),
    "automation": ("granted", "denied", "unasked"),
}
"""Name -> what it may be, the default first."""
KEYS: Table = {
    "pages": ("object", {}, "URL, or prefix with `*` -> page, or list of pages for the first load, the second, ..."),
    "windows": ("list", [], "the user's windows, the front one first"),
    "processes": ("list", [{"pid": DEFAULT_PID}], "running Safaris"),
    "displays": ("list", [{"bounds": [0, 0, 1440, 900]}], "displays, the main one first"),
    "permissions": ("object", {}, "remote_automation, developer_features, javascript_from_apple_events, automation"),
    "locked": ("bool", False, "whether the screen is locked: clicks and hovers do nothing"),
    "viewport": ("list", [1200, 740], "width and height of a page's viewport"),
    "uids": ("tab|document", "tab", "whether numbers of nodes go on in the tab's next document, or begin anew"),
    "effects": ("texts", list(VERBS), "verbs whose doing is a line `effect`; the others are lines `changed`"),
    "needs": ("bool", False, "whether effects say what grant they need"),
    "native_menus": ("bool", True, "selectMenuItem opens the menu of a native select, and chooses nothing (27.0)"),
    "handles": ("run|session", "run", "whether handles are counted up over the run, or anew in each session"),
    "error_url": ("requested|resource", "requested", "URL of a tab whose load failed"),
}


class Approval:
    """What a judge has allowed once: the next effect of that verb and value."""

    __slots__ = ("name", "verb", "value")

    def __init__(self, name: str, verb: str, value: Json) -> None:
        self.name = name
        self.verb = verb
        self.value = value


class Safari(Browsing):
    """See the module. Built with the stage as its record, and the run sheet's `world`."""

    blocking = False
    """Whether looking at a page takes real time, so that a front has to ask with `Ask`."""

    def __init__(self, record: Record, settings: Mapping[str, Json]) -> None:
        values = read(dict(settings), KEYS, "world")
        super().__init__(record, Pages(values["pages"]), values["error_url"], values["uids"] == "document")
        self.native_menus = bool(values["native_menus"])
        self.handles_anew = values["handles"] == "session"
        self.locked = bool(values["locked"])
        self.needs = bool(values["needs"])
        self.viewport: list[float] = list(values["viewport"])
        self.effects = frozenset(values["effects"])
        self.approvals: list[Approval] = []
        self._signalled: set[int] = set()
        self._blocked: list[tuple[int, str]] = []
        """(process, key of the tab) of the calls that a dialog holds."""
        self.model_script: dict[int, int] = {}
        """How often each answer of a model's script was given, by its place."""
        self.apple_events: Any = None
        """What the program that sends Apple Events keeps here."""
        self.permissions: dict[str, Json] = {name: allowed[0] for name, allowed in PERMISSIONS.items()}
        self.processes = [
            Process(**read(each, PROCESS_KEYS, f"world.processes[{n}]")) for n, each in enumerate(values["processes"])
        ]
        self.displays = [
            numbers(read(each, DISPLAY_KEYS, f"world.displays[{n}]")["bounds"], f"world.displays[{n}].bounds")
            for n, each in enumerate(values["displays"])
        ]
        for name, value in values["permissions"].items():
            self.permit(name, value)
        for verb in self.effects.difference(VERBS):
            raise SettingsProblem(f"{verb!r} in world.effects", f"some of {', '.join(VERBS)}", "correct it")
        self._ready_tabs(values["windows"])

    def _ready_tabs(self, given: list[Json]) -> None:
        first = self.processes[0].pid if self.processes else DEFAULT_PID
        for n, each in enumerate(given):
            window, tabs = window_of(each, f"world.windows[{n}]", first)
            if window.id in [other.id for other in self.windows]:
                raise SettingsProblem(f"window {window.id} twice", "a number of its own for each", "correct it")
            self.windows.append(window)
            for shown in tabs:
                tab = self.new_tab(window)
                self.show_at_once(tab, shown["url"])
                tab.given_title = shown["title"]

    # Looking

    def tab(self, name: str) -> Tab:
        """The tab with that key or handle. Raises SettingsProblem: definitions and changes name tabs, clients ask their
        session."""
        for tab in self.tabs():
            if name in (tab.key, tab.handle):
                return tab
        raise SettingsProblem(f"tab {name!r}", "a tab that is open now", "name a tab by key or handle")

    def window(self, id: Json) -> Window:
        """The window with that number. Raises SettingsProblem."""
        for window in self.windows:
            if window.id == id:
                return window
        raise SettingsProblem(f"window {id!r}", "a window that is open now", "name a window by its number")

    def target(self, tab: Tab, document: Document | None = None, node: Node | None = None) -> dict[str, Json]:
        """How the record names something. A window is named where it is the user's: no client of a session sees its
        window."""
        named: dict[str, Json] = {} if tab.window.session is not None else {"window": window_name(tab.window)}
        named["tab"] = tab.key
        if node is not None and document is not None:
            named.update(document=document.key, node=node.name)
        return named

    # Doing

    def effect(self, p: int, verb: str, target: dict[str, Json], value: Json, **fields: Json) -> int:
        """One line for what was done: `effect`, or `changed` for a verb that the run sheet left out of `effects`."""
        if verb not in self.effects:
            return self._record.record("changed", what={**target, "did": verb, "value": value}, by=f"driver:{p}")
        if self.needs and verb in RESTRICTED:
            fields["needs"] = NEEDS
            for approval in self.approvals:
                if (approval.verb, approval.value) == (verb, value):
                    self.approvals.remove(approval)
                    fields["grant"] = approval.name
                    break
        return self._record.record("effect", p=p, verb=verb, target=target, value=value, **fields)

    def resize(self, p: int, width: float, height: float) -> None:
        """A session sets the size of its pages."""
        self.viewport = [width, height]
        self.changed(f"driver:{p}", viewport=[width, height])

    def emulate(self, p: int, tab: Tab, media: str) -> None:
        """A session sets the media type that a page is shown for; an empty text ends that."""
        tab.media = media
        self.changed(f"driver:{p}", tab=tab.key, media=media)

    def picture(self, p: int, tab: Tab, path: str, full_page: bool) -> None:
        """A picture of a page is wanted at a path. No file is written: the record says how large the picture is, in
        pixels of CSS, and null where none could be taken."""
        self.changed(f"driver:{p}", tab=tab.key, picture=path, size=self.picture_size(tab, full_page))

    def picture_size(self, tab: Tab, full_page: bool) -> Json:
        """Width and height of the viewport or of the whole page. An engine takes the picture for it."""
        width, height = self.viewport
        if full_page:
            page = tab.document.page
            wide, high = page.layout(width).size(page.definition["size"])
            width, height = max(width, wide), max(height, high)
        return [round(width), round(height)]

    def approve(self, name: str, verb: str, value: Json) -> None:
        """A judge allows the next effect of this verb and value, under this name."""
        self.approvals.append(Approval(name, verb, value))

    def refused(self, p: int, verb: str, why: str) -> None:
        self._record.record("refused", p=p, verb=verb, why=why)

    def act(
        self, p: int, tab: Tab, document: Document, node: Node | None, verb: str, value: Json, **fields: Json
    ) -> int:
        """Do something to a node, or to the document: the line's number, after the page has done what it does."""
        n = self.effect(p, verb, self.target(tab, document, node), value, **fields)
        self.perform(document, node, verb, value, f"effect:{n}")
        return n

    def perform(self, document: Document, node: Node | None, verb: str, value: Json, by: str) -> None:
        """What the page does after an action. An engine does it for real."""
        from fakes.worlds.page_behaviour import behave  # as with evaluate: the handshake does not pay for it

        behave(self, document, node, verb, value, by)

    def evaluate(self, document: Document, script: str) -> Json:
        """The value of a function body in a document. Raises ScriptError: what it threw, or that it is no program that
        the model can answer."""
        from fakes.worlds.page_programs import evaluate  # a client that evaluates nothing does not pay for it

        return evaluate(self, document, script)

    def navigate(self, p: int, tab: Tab, url: str) -> int:
        n = self.effect(p, "navigate", self.target(tab), url)
        loading.begin(self, tab, url, f"effect:{n}")
        return n

    def open_tab(self, p: int, window: Window, url: str | None, at: int | None = None) -> Tab:
        """A new tab that becomes current; with an URL that begins to load."""
        tab = self.new_tab(window, at)
        n = self.effect(p, "open", self.target(tab), url)
        self.select_tab(tab, f"effect:{n}")
        if url is not None:
            loading.begin(self, tab, url, f"effect:{n}")
        return tab

    def close_tab(self, p: int, tab: Tab) -> int:
        n = self.effect(p, "close", self.target(tab), None)
        self.drop_tab(tab, f"effect:{n}")
        return n

    def select_tab(self, tab: Tab, by: str) -> None:
        """The tab becomes the current one of its window."""
        place = tab.window.tabs.index(tab)
        if tab.window.current != place:
            tab.window.current = place
            self.changed(by, selected=tab.key)

    def open_window(self, p: int, url: str | None, pid: int | None = None) -> Window:
        """A new window of the user's Safari in front, with one tab."""
        window = Window(self._free_number(self._highest() + 1), self._pid() if pid is None else pid)
        self.windows.insert(0, window)
        self.changed(f"driver:{p}", opened=window_name(window))
        self.open_tab(p, window, url)
        return window

    def close_window(self, p: int, window: Window) -> int:
        n = self.effect(p, "close", {"window": window_name(window)}, None)
        self.drop_window(window, f"effect:{n}")
        return n

    def raise_window(self, by: str, window: Window) -> None:
        """The window comes to the front."""
        self.windows.remove(window)
        self.windows.insert(0, window)
        self.changed(by, front=window_name(window))

    def move_window(self, by: str, window: Window, bounds: list[float]) -> None:
        window.bounds = list(bounds)
        self.changed(by, window=window_name(window), bounds=list(bounds))

    def _highest(self) -> int:
        return max([0, *(window.id for window in self.windows if window.session is None)])

    def _free_number(self, least: int) -> int:
        taken = {window.id for window in self.windows}
        while least in taken:
            least += 1
        return least

    # Sessions of drivers

    def session_window(self, p: int, name: str) -> Window:
        """The window of process p's automation session; a new one in front where it has none."""
        for window in self.windows:
            if window.session == p:
                return window
        window = Window(self._free_number(FIRST_SESSION_WINDOW), self._pid(), p)
        self.windows.insert(0, window)
        window.held = True
        self._record.record("held", p=p, what="window", id=window_name(window))
        self.changed(f"driver:{p}", window=window_name(window), controlled_by=name)
        return window

    def _pid(self) -> int:
        """The process that automation windows belong to: the first that runs, or one that is started for it."""
        running = [process.pid for process in self.processes if process.running]
        if not running:
            self.processes.append(Process(max([DEFAULT_PID, *(each.pid for each in self.processes)]) + 1))
            running = [self.processes[-1].pid]
        return running[0]

    def end_session(self, p: int) -> None:
        """A session ends in order: its window and tabs go."""
        for window in [window for window in self.windows if window.session == p]:
            self.drop_window(window, f"driver:{p}")

    def signalled(self, p: int) -> None:
        """A client sends process `p` a signal: what the process leaves behind is that client's doing."""
        self._signalled.add(p)

    def process_ended(self, p: int) -> None:
        """Process `p` is gone. A session that did not end in order leaves its window behind: `held` where a client's
        signal ended it, and no longer held, but there, where it broke down by itself."""
        for blocked in [blocked for blocked in self._blocked if blocked[0] == p]:
            self.unblocked(*blocked)
        for window in self.windows:
            if window.session == p and window.held and p not in self._signalled:
                window.held = False
                self.note("unsaid", p=p, verb="close", why=f"{window_name(window)} is left")
                self.changed(f"driver:{p}", window=window_name(window), orphaned=True)
                self._record.record("freed", p=p, what="window", id=window_name(window))

    def blocked(self, p: int, key: str) -> None:
        """A call of process `p` waits until the dialog of the tab with that key is closed, and says nothing before."""
        self._record.record("unsaid", p=p, why=f"a dialog is open in {key}")
        if (p, key) not in self._blocked:
            self._blocked.append((p, key))
            self._record.record("held", p=p, what="dialog", id=key)

    def unblocked(self, p: int, key: str) -> None:
        """No call of the process waits for it any more."""
        if (p, key) in self._blocked:
            self._blocked.remove((p, key))
            self._record.record("freed", p=p, what="dialog", id=key)

    # What happens by itself

    def permit(self, name: str, value: Json) -> None:
        """Set a permission. Raises SettingsProblem."""
        if name not in PERMISSIONS or value not in PERMISSIONS[name]:
            raise SettingsProblem(f"permission {name!r}: {value!r}", f"one of {PERMISSIONS}", "correct it")
        self.permissions[name] = value

    def change(self, by: str, **what: Json) -> None:
        """The world changes by itself; keys are those of `CHANGES`. Raises ValueError for any other, or a bad value."""
        from fakes.worlds.safari_changes import CHANGES

        self.advance()
        for key in what:
            if key not in CHANGES:
                raise ValueError(f"saw change {key!r}; expected one of {', '.join(sorted(CHANGES))}")
        for key, value in what.items():
            try:
                CHANGES[key][0](self, by, value)
            except SettingsProblem as problem:
                raise ValueError(f"change {key!r}: {problem}") from None
