"""One tools/call: what its handler works with, and the tools about tabs. `safaridriver_table` has all of them.

A handler is a generator of steps that returns the text of the result, or raises ToolError.
"""

from __future__ import annotations

from fakes.fronts.safaridriver_session import ToolError
from fakes.worlds.page_content import Extraction
from fakes.worlds.page_formats import FORMATS
from harness.faults.steps import At, Wait
from harness.wire.jsontext import dumps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator, Mapping
    from typing import Any, TypeAlias

    from fakes.fronts.safaridriver_session import DriverSession
    from fakes.worlds.safari_windows import Tab
    from harness.faults.steps import Step
    from harness.wire.jsontext import Json

    Tool: TypeAlias = Generator[Step, Any, str]

FOLDER = "/private/tmp/com.apple.Safari.MCP"
"""Where the paths in replies lie. No file is written: a machine opens none, and clients get paths as text."""


class Call:
    """given: the arguments, checked."""

    def __init__(self, session: DriverSession, tool: str, given: Mapping[str, Any]) -> None:
        self.session = session
        self.world = session.world
        self.p = session.p
        self.tool = tool
        self.given = given

    def before(self, **where: Json) -> At:
        return At("before_effect", {"verb": self.tool, **where})

    def after(self, **where: Json) -> At:
        return At("after_effect", {"verb": self.tool, **where})

    def shown(self, tab: Tab) -> None:
        """The client was given this tab's handle."""
        self._shown(tab.handle, self.world.target(tab))

    def _shown(self, ref: str, what: dict[str, Json]) -> None:
        """One line for each thing that a reference comes to stand for, not for each time that it is told."""
        if self.session.told.get(ref) != what:
            self.session.told[ref] = what
            self.world.note("shown", p=self.p, ref=ref, what=what)

    def told(self, p: int, ref: str, what: Json) -> None:
        """The client was given what a page program calls something."""
        assert isinstance(what, dict)
        self._shown(ref, what)

    def extract(self, tab: Tab, options: Mapping[str, Json]) -> tuple[str, Extraction]:
        """What the page shows, in the format of the options; nobody has been shown it yet."""
        width, height = self.world.viewport
        extraction = Extraction(tab.document, options, (width, height))
        return FORMATS[str(extraction.options["format"])](extraction), extraction

    def show_nodes(self, tab: Tab, extraction: Extraction, text: str | None = None) -> None:
        """The client was given the numbers of nodes: all, or those that stand in a text."""
        words = None if text is None else set(text.split())
        for uid, document, node in extraction.shown:
            if words is None or f"uid={uid}" in words:
                self._shown(f"{tab.handle}/{uid}", self.world.target(tab, document, node))

    def content(self, tab: Tab, options: Mapping[str, Json]) -> str:
        """What the page shows, as the client is given it now."""
        text, extraction = self.extract(tab, options)
        self.show_nodes(tab, extraction)
        return text + " " * int(self.session.settings["padding"])

    def envelope(self, tab: Tab, options: Mapping[str, Json], **members: Json) -> str:
        """A reply with the page's content; a path in its place where it is large, or where a path was given."""
        text = self.content(tab, options)
        whole: dict[str, Json] = {
            "title": tab.title,
            "url": tab.url,
            "content": text,
            "format": options.get("format", "textTree"),
            **members,
        }
        return self.perhaps_file(dumps(whole, ascii_only=False), options.get("savePath"))

    def perhaps_file(self, text: str, path: Json = None) -> str:
        size = len(text.encode("utf-8", "surrogatepass"))
        if path is None and size < self.session.settings["spill_bytes"]:
            return text
        if path is None:
            path = self.new_path("content", "json")
        large = "large output" if size >= self.session.settings["spill_bytes"] else "output"
        advice = "Use the Read tool to read it."
        return f"Saved {large} to '{path}' ({size / 1024:.1f} kB). {advice}"

    def new_path(self, stem: str, ending: str) -> str:
        self.session.files += 1
        return f"{FOLDER}/{self.p}/{stem}-{self.session.files}.{ending}"


def opened(call: Call, url: str | None) -> Generator[Step, Any, Tab]:
    """A new tab of the session, the active one from now on; the browser is started for the first."""
    session, world = call.session, call.world
    if session.window is None or session.window.closed:
        yield Wait(session.settings["browser_ms"])
        world.advance()
        session.window = world.session_window(call.p, session.name)
    yield call.before()
    tab = world.open_tab(call.p, session.window, url)
    session.choose(tab)
    yield call.after()
    return tab


def create_tab(call: Call) -> Tool:
    """With a URL the load has only begun when this answers."""
    tab = yield from opened(call, call.given.get("url"))
    call.shown(tab)
    return dumps({"handle": tab.handle, "url": tab.url, "title": tab.title}, ascii_only=False)


def list_tabs(call: Call) -> Tool:
    rows: list[Json] = []
    for tab in call.session.tabs():
        call.shown(tab)
        rows.append(
            {"handle": tab.handle, "title": tab.title, "url": tab.url, "active": call.session.is_active(tab)}
        )
    yield from ()
    return dumps(rows, ascii_only=False)


def switch_tab(call: Call) -> Tool:
    tab = call.session.tab(call.given["handle"])
    yield call.before()
    if tab.closed:
        raise ToolError(f"No tab with handle '{tab.handle}'")
    call.world.select_tab(tab, f"driver:{call.p}")
    call.session.choose(tab)
    yield call.after()
    return f"Switched to tab {tab.handle}"


def close_tab(call: Call) -> Tool:
    """The active tab is none after it was closed."""
    tab = call.session.tab(call.given["handle"])
    yield call.before()
    if tab.closed:
        raise ToolError(f"No tab with handle '{tab.handle}'")
    call.world.close_tab(call.p, tab)
    yield call.after()
    return f"Closed tab {tab.handle}"


def page_info(call: Call) -> Tool:
    tab = call.session.current()
    yield from ()
    state = "loading" if tab.loading else "complete"
    return dumps({"url": tab.url, "title": tab.title, "loadingState": state}, ascii_only=False)


def wait_for_navigation(call: Call) -> Tool:
    tab = call.session.current()
    seconds = call.given.get("timeout_seconds", 30)
    yield from call.session.loaded(tab, seconds * 1000)
    if tab.loading or tab.closed:
        raise ToolError(f"Timed out after {seconds} seconds waiting for the navigation")
    return dumps({"url": tab.url, "title": tab.title}, ascii_only=False)
