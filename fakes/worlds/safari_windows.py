"""Processes, windows, tabs and documents of Safari: what there is, without what happens to it.

The user's own windows stand in the run sheet; those of automation sessions are made in the run. A window may be a
phantom (trailcam facts on JXA, 1.3): it is listed, and has neither tabs nor a current tab.
"""

from __future__ import annotations

from fakes.settings import REQUIRED, SettingsProblem, read
from fakes.worlds.page import Definition
from fakes.worlds.page_url import BLANK

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from fakes.settings import Table
    from fakes.worlds.page import Node
    from harness.wire.jsontext import Json

DEFAULT_PID = 763
DEFAULT_BOUNDS = [0, 38, 1200, 800]
PROCESS_KEYS: Table = {
    "pid": ("int", REQUIRED, "process number"),
    "running": ("bool", True, "whether it runs"),
}
DISPLAY_KEYS: Table = {"bounds": ("list", REQUIRED, "x, y, width, height of the display, the main one first")}
WINDOW_KEYS: Table = {
    "id": ("int", REQUIRED, "number of the window"),
    "tabs": ("list", [], "its tabs from left to right: {url, title}"),
    "current": ("int", 0, "place of the current tab, from 0"),
    "bounds": ("list", DEFAULT_BOUNDS, "x, y, width, height on the desktop"),
    "visible": ("bool", True, "whether it is on the screen"),
    "miniaturized": ("bool", False, "whether it is in the Dock"),
    "zoomed": ("bool", False, "whether it is zoomed"),
    "profile": ("text or null", None, "profile or tab group, which the window's name begins with"),
    "phantom": ("bool", False, "listed, but without tabs"),
    "pid": ("int or null", None, "process that it belongs to; the first one where absent"),
}
TAB_KEYS: Table = {
    "url": ("text", BLANK, "what it shows"),
    "title": ("text or null", None, "title, where it is not the page's own"),
}


class Process:
    """One running Safari."""

    __slots__ = ("pid", "running")

    def __init__(self, pid: int, running: bool = True) -> None:
        self.pid = pid
        self.running = running


class Dialog:
    """An open alert, confirm or prompt. closed: called with (accepted, text) when it is answered."""

    __slots__ = ("kind", "text", "closed")

    def __init__(self, kind: str, text: str, closed: Callable[[bool, str], None]) -> None:
        self.kind = kind
        self.text = text
        self.closed = closed


class Document:
    """One document in a tab or frame. url: what location.href says. epoch: counts the documents of the tab. stamps:
    what page programs keep on window. host: the iframe that it is in. frame_id: of a frame, two numbers."""

    __slots__ = (
        "key",
        "tab",
        "url",
        "page",
        "ready",
        "error",
        "epoch",
        "stamps",
        "host",
        "frame_id",
        "alive",
        "status",
    )

    def __init__(self, key: str, tab: Tab, url: str, definition: Definition, epoch: int) -> None:
        self.key = key
        self.tab = tab
        self.url = url
        from fakes.worlds.page_live import Page  # a program that shows no page does not pay for it

        self.page = Page(definition)
        self.ready = "loading"
        self.error: str | None = None
        self.epoch = epoch
        self.stamps: dict[str, Any] = {}
        self.host: Node | None = None
        self.frame_id: tuple[int, int] | None = None
        self.alive = True
        self.status: int = definition["status"]

    def frames(self) -> Iterator[Document]:
        """This document and those in its frames."""
        yield self
        for node in self.page.walk(shadow=True):
            if node.frame is not None:
                yield from node.frame.frames()

    def owner(self, node: Node) -> Document | None:
        """The document of this one's frames, itself included, that has the node."""
        top = list(node.line())[-1]
        return next((document for document in self.frames() if document.page.body is top), None)


def handle_of(number: int) -> str:
    """A handle as WebDriver has it, counted up so that a scenario can name it."""
    return f"page-00000000-0000-4000-8000-{number:012d}"


class Tab:
    """key: its name in the world record; handle: what drivers call it. history: URLs, with `at` the place in it."""

    __slots__ = (
        "key",
        "handle",
        "window",
        "document",
        "shown_url",
        "given_title",
        "history",
        "at",
        "dialogs",
        "console",
        "requests",
        "deferred",
        "load",
        "closed",
        "opener",
        "next_uid",
        "loads",
        "media",
    )

    def __init__(self, number: int, window: Window) -> None:
        self.key = f"tab-{number}"
        self.handle = handle_of(number)
        self.window = window
        self.document: Document
        self.shown_url: str | None = None
        self.given_title: str | None = None
        self.history: list[str] = []
        self.at = -1
        self.dialogs: list[Dialog] = []
        self.console: list[dict[str, Json]] = []
        self.requests: list[dict[str, Any]] = []
        self.deferred: list[Callable[[], None]] = []
        self.load: Any = None
        """The load that has not come to a document yet."""
        self.closed = False
        self.opener: Tab | None = None
        self.next_uid = 0
        self.media = ""
        """The media type that a driver has its page shown for; empty for its own."""
        self.loads = 0

    @property
    def url(self) -> str:
        """What Safari shows as the tab's URL."""
        return self.shown_url if self.shown_url is not None else self.document.url

    @property
    def title(self) -> str:
        return self.given_title if self.given_title is not None else self.document.page.title

    @property
    def loading(self) -> bool:
        return self.load is not None or self.document.ready != "complete"


class Window:
    """session: the automation session (a process of the run) that owns it; None where the user does. held: whether the
    record says that the session holds it."""

    __slots__ = (
        "id",
        "pid",
        "tabs",
        "current",
        "bounds",
        "visible",
        "miniaturized",
        "zoomed",
        "profile",
        "phantom",
        "session",
        "held",
        "closed",
    )

    def __init__(self, id: int, pid: int, session: int | None = None) -> None:
        self.id = id
        self.pid = pid
        self.tabs: list[Tab] = []
        self.current = 0
        self.bounds: list[float] = list(DEFAULT_BOUNDS)
        self.visible = True
        self.miniaturized = False
        self.zoomed = False
        self.profile: str | None = None
        self.phantom = False
        self.session = session
        self.held = False
        self.closed = False

    @property
    def tab(self) -> Tab | None:
        """The current tab; None in a phantom and in a window without tabs."""
        return self.tabs[self.current] if not self.phantom and 0 <= self.current < len(self.tabs) else None


def window_name(window: Window) -> str:
    """How the world record names a window."""
    return f"window-{window.id}"


def window_of(given: Json, where: str, first_pid: int) -> tuple[Window, list[dict[str, Any]]]:
    """A user's window of the run sheet, and what its tabs are to show."""
    values = read(given, WINDOW_KEYS, where)
    window = Window(values["id"], first_pid if values["pid"] is None else values["pid"])
    window.bounds = numbers(values["bounds"], f"{where}.bounds")
    for name in ("current", "visible", "miniaturized", "zoomed", "profile", "phantom"):
        setattr(window, name, values[name])
    tabs = [read(tab, TAB_KEYS, f"{where}.tabs[{n}]") for n, tab in enumerate(values["tabs"])]
    if values["phantom"] and tabs:
        raise SettingsProblem(f"tabs in {where}", "none in a phantom window", "remove them")
    if tabs and not 0 <= values["current"] < len(tabs):
        raise SettingsProblem(f"{values['current']!r} for 'current' in {where}", "a place of a tab", "correct it")
    return window, tabs


def numbers(given: Json, where: str) -> list[float]:
    """Four numbers. Raises SettingsProblem."""
    if not (isinstance(given, list) and len(given) == 4 and all(type(each) in (int, float) for each in given)):
        raise SettingsProblem(f"{given!r} for {where}", "x, y, width, height", "give four numbers")
    return list(given)
