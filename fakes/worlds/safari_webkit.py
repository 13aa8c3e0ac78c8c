"""The same Safari with real WebKit behind its tabs: the fronts are the same, and what a page is and does is WebKit's.

Windows, tabs, sessions, permissions and the record are the model's; documents, their nodes, boxes and texts, what
clicks and scripts do, dialogs, console and network are the engine's. Error pages are Safari's own, and so the model's.

The engine is slow, and every question to it holds the run, so this world is for runs on the machine's clock. It comes
with the first tab that is looked at; `close` ends it and says in the record what was `held` (at the end, so that lines
before it have the numbers that they have on the model). `advance` notices
what has happened in it; a page is read when somebody asks for it after that.
"""

from __future__ import annotations

from fakes.engines import walker
from fakes.engines.webdriver import DriverError
from fakes.engines.webkit import WebKit
from fakes.worlds import safari_loading as loading
from fakes.worlds.engine_events import Live, Log
from fakes.worlds.engine_hand import act
from fakes.worlds.engine_page import EngineDocument, EnginePage
from fakes.worlds.engine_reading import evaluate_at_top, evaluate_in_frame, plain, read_page
from fakes.worlds.engine_table import table
from fakes.worlds.page_jxa_look import viewport
from fakes.worlds.page_programs import ScriptError
from fakes.worlds.page_url import BLANK, normal
from fakes.worlds.safari import Safari
from fakes.worlds.safari_pages import ERROR_URL
from fakes.worlds.safari_windows import Dialog
from harness.problem import Problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from fakes.worlds.page import Definition, Node
    from fakes.worlds.safari_windows import Document, Tab, Window
    from harness.serve.machine import Record
    from harness.wire.jsontext import Json

LOOK_AGAIN_MS = 20.0
"""While a tab loads it is looked at this often."""
COUNT_AGAIN_MS = 50.0
"""So long after the last time the windows are counted again, and at once where something was done in one."""
RUN = "window[Symbol.for('page')].run(arguments[0]);"
IN_THE_WAY = "unexpected alert open"
GONE = ("no such window", "no such frame")
"""What a command says whose document or window left while it was carried out: what it did, it did."""
PNG_SIZE = (16, 20)
"""Where width and height stand in a PNG, four bytes each."""


class Shown:
    """A tab that the engine has: its window there, and what it has said of it."""

    def __init__(self, handle: str, log: Log) -> None:
        self.handle = handle
        self.log = log
        self.by = "page"
        """Whose doing the next change of the page is."""


class SafariOnWebKit(Safari):
    """See the module. engine: one that runs already, does not wait for loads, and is lent to this world alone for as
    long as the world is there. Raises Problem where the run has no real clock."""

    blocking = True

    def __init__(self, record: Record, settings: Mapping[str, Json], engine: WebKit | None = None) -> None:
        if not getattr(record, "may_block", False):
            raise Problem("WebKit in a virtual run", "a run on the machine's clock", "give --mode process")
        self._lent = engine
        self.engine: WebKit | None = None
        self._shown: dict[Tab, Shown] = {}
        self.last_picture = b""
        """The PNG of the last picture that was taken."""
        self._counted_ms = 0.0
        self._age = 0
        """Counts what may have changed pages: a reading is as old as it."""
        super().__init__(record, settings)

    # The engine

    def _started(self) -> WebKit:
        if self.engine is None:
            pages = table(self.pages.all())
            self.engine = self._lent or WebKit(pages, waits=False)
            if self._lent is None:
                self.engine.start()
            else:
                self.engine.serve(pages)
        return self.engine

    def close(self) -> None:
        """End the engine; a world without one stays as it is. A lent one only loses the windows of this world."""
        if self.engine is not None:
            if self._lent is None:
                self.engine.close()
            else:
                for handle in self.engine.handles():
                    self.engine.close_window(handle)
            self._record.record("held", p=0, what="engine", id=f"WebKitGTK {self.engine.version}")
            self._record.record("freed", p=0, what="engine", id=f"WebKitGTK {self.engine.version}")
            self._shown.clear()
            self.engine = None

    def shown(self, tab: Tab) -> Shown:
        """The tab's window in the engine; where it has none, one is opened with the tab's address."""
        found = self._shown.get(tab)
        if found is None:
            found = self._take(tab, self._started().open())
            assert isinstance(tab.document, EngineDocument)
            tab.document.engine_id = walker.look(self._started(), found.handle)["id"]
            if tab.document.url != BLANK:
                self._started().go(found.handle, tab.document.url)
                self._follow(tab, found, tab.document)
        return found

    def _take(self, tab: Tab, handle: str) -> Shown:
        engine = self._started()
        engine.viewport(handle, *(round(each) for each in self.viewport))
        console, requests = Live(lambda: self._hear(tab)), Live(lambda: self._hear(tab))
        tab.console, tab.requests = console, requests
        log = Log(tab, console, requests, lambda number: engine.body(handle, number))
        self._shown[tab] = found = Shown(handle, log)
        return found

    def _follow(self, tab: Tab, shown: Shown, document: Document) -> None:
        """Wait until the engine shows what the tab has shown since before the run."""
        engine = self._started()
        assert isinstance(document, EngineDocument)
        blank = document.engine_id
        while True:
            try:
                seen = walker.look(engine, shown.handle)
            except DriverError:
                continue  # between two documents no script runs
            if seen["ready"] == "complete" and seen["id"] != blank:
                break
        document.engine_id = seen["id"]

    # What the model's parts do otherwise here

    def document(self, tab: Tab, url: str, definition: Definition, epoch: int) -> Document:
        model = super().document(tab, url, definition, epoch)
        return EngineDocument(model.key, tab, url, definition, epoch, self._look)

    def show_at_once(self, tab: Tab, url: str) -> None:
        """What has been there since before the run: the engine shows it when somebody looks."""
        tab.document = self.document(tab, url, self.pages.look_up(BLANK), 0)
        tab.document.ready = "complete"
        tab.history, tab.at = [url], 0

    def load(self, tab: Tab, url: str, by: str, place: int | None) -> None:
        shown, engine = self.shown(tab), self._started()
        shown.by = by
        tab.load = load = loading.Load(tab, normal(url), by, place)
        self._age += 1
        if place is None or tab.document.error is not None:
            engine.go(shown.handle, load.url)
        elif place == tab.at:
            engine.reload(shown.handle)
        else:
            engine.back(shown.handle)

    def drop_tab(self, tab: Tab, by: str) -> None:
        shown = self._shown.pop(tab, None)
        _rest(tab.document)
        super().drop_tab(tab, by)
        if shown is not None and self.engine is not None and shown.handle in self.engine.handles():
            self.engine.close_window(shown.handle)

    def resize(self, p: int, width: float, height: float) -> None:
        super().resize(p, width, height)
        self._age += 1
        for shown in self._shown.values():
            self._started().viewport(shown.handle, round(width), round(height))

    def move_window(self, by: str, window: Window, bounds: list[float]) -> None:
        super().move_window(by, window, bounds)
        self._age += 1
        for tab in window.tabs:
            if tab in self._shown:
                self._started().viewport(self._shown[tab].handle, *(round(each) for each in viewport(self, tab)))

    def emulate(self, p: int, tab: Tab, media: str) -> None:
        """The media type that a tab's page is shown for; empty ends that."""
        self._started().emulate(self.shown(tab).handle, media)
        super().emulate(p, tab, media)

    def picture_size(self, tab: Tab, full_page: bool) -> Json:
        try:
            self.last_picture = self._started().screenshot(self.shown(tab).handle, full_page)
        except DriverError as error:
            if error.code not in (IN_THE_WAY, *GONE):
                raise
            return None
        return [int.from_bytes(self.last_picture[at : at + 4], "big") for at in PNG_SIZE]

    def next_due(self) -> float | None:
        due = super().next_due()
        return due if not any(tab.loading for tab in self.tabs()) else min(LOOK_AGAIN_MS, due or LOOK_AGAIN_MS)

    def perform(self, document: Document, node: Node | None, verb: str, value: Json, by: str) -> None:
        if document.error is not None:
            super().perform(document, node, verb, value, by)
            return
        tab, shown = document.tab, self.shown(document.tab)
        shown.by = by
        page = document.page
        assert isinstance(document, EngineDocument) and isinstance(page, EnginePage)
        ref = None if node is None else page.ref_of(node)
        focus = page.take_focus()
        self._age += 1
        try:
            act((self._started(), shown.handle, self._top(document).engine_id, ref), verb, value, focus)
        except DriverError as error:
            if error.code not in (IN_THE_WAY, "stale element reference", *GONE):
                raise
        self._notice_windows()
        if tab in self._shown:
            self._notice(tab, self._shown[tab])

    def page_does(self, document: Document, effects: list[dict[str, Any]], by: str) -> None:
        shown = self.shown(document.tab)
        shown.by = by
        self._age += 1
        try:
            self._started().evaluate(shown.handle, RUN, effects)
        except DriverError as error:  # a dialog; an effect that throws, or that ends the page
            if error.code not in (IN_THE_WAY, "javascript error", *GONE):
                raise
        self._notice_windows()

    def evaluate(self, document: Document, script: str) -> Json:
        if document.error is not None:
            return super().evaluate(document, script)
        engine, shown = self._started(), self.shown(document.tab)
        self._age += 1
        try:
            if document.host is None:
                leaves = document.tab.loading
                value = plain(evaluate_at_top(engine, shown.handle, script, leaves))
                if leaves:  # it may be of the document that came: the record has that before anybody knows
                    self._notice(document.tab, shown)
                return value
            return plain(evaluate_in_frame(engine, shown.handle, self._top(document), document, script))
        except DriverError as error:
            raise ScriptError(_said(error)) from None

    # Noticing

    def advance(self) -> None:
        super().advance()
        if self.engine is None or not self.engine.is_up:
            return
        self._age += 1
        if self.now_ms() - self._counted_ms >= COUNT_AGAIN_MS:
            self._notice_windows()
        for tab, shown in list(self._shown.items()):
            self._notice(tab, shown)

    def _notice_windows(self) -> None:
        """Windows that pages opened and closed by themselves."""
        engine = self._started()
        self._counted_ms = self.now_ms()
        there = engine.handles()
        for tab, shown in list(self._shown.items()):
            if shown.handle not in there:
                self.drop_tab(tab, shown.by)
        known = [shown.handle for shown in self._shown.values()]
        for handle in [handle for handle in there if handle not in known]:
            self._adopt(handle)

    def _adopt(self, handle: str) -> None:
        """A window that a page opened is a tab beside that page's: which page, the last one that was acted on."""
        opener = next(reversed([tab for tab, shown in self._shown.items() if shown.by != "page"] or list(self._shown)))
        tab = self.new_tab(opener.window)
        tab.opener = opener
        shown = self._take(tab, handle)
        shown.by = self._shown[opener].by
        self.changed(shown.by, opened=tab.key, opener=opener.key)
        tab.load = loading.Load(tab, BLANK, shown.by, None)

    def _notice(self, tab: Tab, shown: Shown) -> None:
        """What has become of a tab's page."""
        engine = self._started()
        try:
            seen = walker.look(engine, shown.handle)
        except DriverError as error:
            if error.code == IN_THE_WAY and not tab.dialogs:
                self._ask(tab, shown)
            return  # between two documents no script runs: the next look will tell
        document = tab.document
        assert isinstance(document, EngineDocument)
        if not document.engine_id and seen["url"] == BLANK:
            document.engine_id = seen["id"]  # of a window that a page has opened: what it shall show is still to come
        elif seen["id"] != document.engine_id:
            self._arrive(tab, shown, seen)
        elif seen["url"] != document.url and document.error is None:
            tab.load = None
            loading.move(self, tab, seen["url"], shown.by)
        document = tab.document
        if document.ready != "complete" and seen["ready"] == "complete":
            document.ready = "complete"
            shown.by = "page"
            self.wake(f"loaded:{tab.key}")
        if isinstance(document, EngineDocument) and document.error is None:
            document.page_of_engine.title = seen["title"]

    def _ask(self, tab: Tab, shown: Shown) -> None:
        """A dialog has opened. Of which kind it is, no engine says."""
        engine = self._started()
        text = engine.dialog(shown.handle)
        if text is None:
            return

        def closed(accepted: bool, answer: str) -> None:
            self._age += 1
            engine.answer_dialog(shown.handle, accepted, answer or None)

        tab.dialogs.append(Dialog("alert", text, closed))
        self.changed(shown.by, tab=tab.key, dialog="alert", text=text)

    def _arrive(self, tab: Tab, shown: Shown, seen: Mapping[str, Any]) -> None:
        """Another document is there, or the engine's error page in place of one."""
        load, tab.load = tab.load, None
        why = self._failure(load.url if load is not None else ERROR_URL) if seen["url"] == BLANK else None
        url = seen["url"] if why is None else ERROR_URL
        definition = self.pages.errors[why] if why is not None else self.pages.look_up(BLANK)
        _rest(tab.document)
        loading.close_document(tab.document)
        tab.loads += 1
        document = self.document(tab, url, definition, tab.document.epoch + 1)
        assert isinstance(document, EngineDocument)
        document.engine_id, document.error = seen["id"], why
        tab.document = document
        asked = load.url if load is not None else url
        tab.shown_url = None if why is None else asked if self.error_url == "requested" else ERROR_URL
        tab.given_title = None
        loading.remember(tab, asked if why is not None else url, None if load is None else load.place)
        if why is None:
            document.page_of_engine.title = seen["title"]
        self.changed(shown.by, tab=tab.key, document=document.key, url=tab.url)
        if seen["ready"] == "complete" or why is not None:
            document.ready = "complete"
            self.wake(f"loaded:{tab.key}")

    def _failure(self, url: str) -> str | None:
        """Why the engine shows an empty page for an address: the definition's reason, or an unknown host."""
        if normal(url) == BLANK:
            return None
        why: str | None = self.pages.look_up(url)["fails"]
        return why or "host"

    def _hear(self, tab: Tab) -> None:
        """Bring console and requests of a tab up to now."""
        shown = self._shown.get(tab)
        if shown is not None and self.engine is not None and self.engine.is_up:
            shown.log.take(self.engine.events(shown.handle), self.agenda.at_ms)

    # Reading pages

    def _look(self, document: EngineDocument) -> None:
        """Somebody asks for a page: read it, where it is older than the last thing that may have changed it."""
        tab = document.tab
        if document.host is not None:
            self._look_at_top(document)
        elif document.error is None and not tab.closed and document.engine_id and document.age != self._age:
            if tab in self._shown and tab.document is document and not tab.dialogs:
                document.age = self._age
                read_page(self, self._started(), document, self._shown[tab].handle)
        elif not document.engine_id and tab not in self._shown and document.url != BLANK and document.alive:
            self.shown(tab)
            self._look(document)

    def _look_at_top(self, document: EngineDocument) -> None:
        top = document.tab.document
        if isinstance(top, EngineDocument) and document.alive and top is not document:
            self._look(top)

    def _top(self, document: Document) -> EngineDocument:
        top = document.tab.document
        assert isinstance(top, EngineDocument)
        return top

def _rest(document: Document) -> None:
    """Nobody is to read the document any more."""
    if isinstance(document, EngineDocument):
        document.look = lambda gone: None


def _said(error: DriverError) -> str:
    """What a script threw, as JavaScript words it."""
    return error.message if error.code == "javascript error" else f"{error.code}: {error.message}".rstrip(": ")
