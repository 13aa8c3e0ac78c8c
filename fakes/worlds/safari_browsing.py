"""Tabs and documents as a browser runs them: opening, closing, what pages ask for, timers and dialogs.

Separate from the world on top of it, which knows sessions, permissions and effects: what is here happens in every
Safari, whoever drives it.
"""

from __future__ import annotations

from fakes.settings import read
from fakes.worlds import safari_loading as loading
from fakes.worlds.page_settings import REQUEST_KEYS
from fakes.worlds.page_url import BLANK, resolve
from fakes.worlds.safari_network import Network
from fakes.worlds.safari_windows import Dialog, Document, Tab, Window, handle_of, window_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from fakes.worlds.page import Definition, Node
    from fakes.worlds.safari_pages import Pages
    from harness.serve.machine import Record
    from harness.wire.jsontext import Json


class Browsing:
    """windows: the front one first, whichever process it belongs to. The module says the rest."""

    def __init__(self, record: Record, pages: Pages, error_url: str, restart_uids: bool) -> None:
        self._record = record
        self.agenda = loading.Agenda(record.now_ms)
        self.network = Network(self.agenda)
        self.pages = pages
        self.error_url = error_url
        self.restart_uids = restart_uids
        self.windows: list[Window] = []
        self.frames = 0
        self._tabs = 0
        self._documents = 0
        self.handles_anew = False
        self._session_tabs: dict[int, int] = {}

    def now_ms(self) -> float:
        """Milliseconds since the run began."""
        return self._record.now_ms()

    def wake(self, key: str) -> None:
        self._record.wake(key)

    def note(self, e: str, **fields: Json) -> int:
        """A line of the world record that a front writes itself: `shown`, `violation`."""
        return self._record.record(e, **fields)

    def advance(self) -> None:
        """Let happen what pages and loads do by now. To be called before the world is looked at."""
        self.agenda.advance()

    def next_due(self) -> float | None:
        """Milliseconds until something happens by itself; None where nothing is to."""
        return self.agenda.next_ms()

    def tabs(self) -> Iterator[Tab]:
        for window in self.windows:
            yield from window.tabs

    def changed(self, by: str, **what: Json) -> None:
        self._record.record("changed", what=what, by=by)

    # Tabs and documents

    def new_tab(self, window: Window, at: int | None = None) -> Tab:
        """A tab with an empty document at the end of a window, or at a place."""
        self._tabs += 1
        tab = Tab(self._tabs, window)
        if self.handles_anew and window.session is not None:
            self._session_tabs[window.session] = count = self._session_tabs.get(window.session, 0) + 1
            tab.handle = handle_of(count)
        tab.document = self.document(tab, BLANK, self.pages.look_up(BLANK), 0)
        tab.document.ready = "complete"
        tab.history, tab.at = [BLANK], 0
        window.tabs.insert(len(window.tabs) if at is None else at, tab)
        return tab

    def document(self, tab: Tab, url: str, definition: Definition, epoch: int) -> Document:
        self._documents += 1
        if self.restart_uids:
            tab.next_uid = 0
        return Document(f"doc-{self._documents}", tab, url, definition, epoch)

    def drop_tab(self, tab: Tab, by: str) -> None:
        """The tab is gone; its window too where it was the last one."""
        window = tab.window
        place = window.tabs.index(tab)
        window.tabs.remove(tab)
        tab.closed = True
        loading.close_document(tab.document)
        tab.dialogs.clear()
        self.changed(by, closed=tab.key)
        self.wake(f"loaded:{tab.key}")
        self.wake(f"dialog:{tab.key}")
        if window.current > place or window.current >= len(window.tabs):
            window.current = max(0, window.current - 1)
        if not window.tabs:
            self._forget(window, by)

    def drop_window(self, window: Window, by: str) -> None:
        """The window is gone with its tabs."""
        for tab in list(window.tabs):
            self.drop_tab(tab, by)
        if not window.closed:
            self._forget(window, by)

    def _forget(self, window: Window, by: str) -> None:
        window.closed = True
        self.windows.remove(window)
        self.changed(by, window=window_name(window), closed=True)
        if window.held:
            window.held = False
            self._record.record("freed", p=window.session, what="window", id=window_name(window))

    def show_at_once(self, tab: Tab, url: str) -> None:
        """What has been there since before the run: loaded, its timers begun."""
        load = loading.Load(tab, url, "page", 0)
        load.definition = self.pages.look_up(url)
        document = self.document(tab, url, load.definition, 0)
        tab.document = document
        tab.history = [url]
        tab.at = 0
        loading.start(self, document)
        document.ready = "complete"

    def load(self, tab: Tab, url: str, by: str, place: int | None) -> None:
        """Navigate a tab; place: in its history, None for a new one at the end."""
        loading.load(self, tab, url, by, place)

    # What pages ask for (page_effects.Browser)

    def go(self, document: Document, url: str, by: str) -> None:
        if document.host is not None:
            self._go_in_frame(document, url, by)
            return
        loading.begin(self, document.tab, resolve(document.url, url), by)

    def _go_in_frame(self, document: Document, url: str, by: str) -> None:
        host = document.host
        assert host is not None
        above = document.tab.document.owner(host)
        loading.close_document(document)
        host.frame = None
        host.attributes["src"] = resolve(document.url, url)
        if above is not None:
            loading.load_frames(self, above, [host])
            self.changed(by, tab=document.tab.key, document=host.frame.key, url=host.frame.url)

    def reload(self, document: Document, by: str) -> None:
        loading.begin(self, document.tab, document.tab.url, by, document.tab.at)

    def push(self, document: Document, url: str, by: str) -> None:
        loading.move(self, document.tab, resolve(document.url, url), by)

    def back(self, document: Document, by: str) -> None:
        tab = document.tab
        if tab.at > 0:
            loading.begin(self, tab, tab.history[tab.at - 1], by, tab.at - 1)

    def popup(self, document: Document, url: str, by: str) -> None:
        opener = document.tab
        tab = self.new_tab(opener.window)
        tab.opener = opener
        self.changed(by, opened=tab.key, opener=opener.key)
        loading.begin(self, tab, resolve(document.url, url), by)

    def close_page(self, document: Document, by: str) -> None:
        self.drop_tab(document.tab, by)

    def dialog(self, document: Document, kind: str, text: str, by: str, closed: Callable[[bool, str], None]) -> None:
        document.tab.dialogs.append(Dialog(kind, text, closed))
        self.changed(by, tab=document.tab.key, dialog=kind, text=text)

    def answer_dialog(self, tab: Tab, accept: bool, text: str, by: str) -> None:
        """Close the tab's open dialog: the page goes on."""
        dialog = tab.dialogs.pop(0)
        self.changed(by, tab=tab.key, dialog=None, accepted=accept)
        dialog.closed(accept, text)
        while tab.deferred and not tab.dialogs:
            tab.deferred.pop(0)()
        self.wake(f"dialog:{tab.key}")

    def log(self, document: Document, level: str, text: str, line: int) -> None:
        document.tab.console.append({"level": level, "text": text, "url": document.url, "line": line})

    def fetch(self, document: Document, request: dict[str, Any]) -> None:
        self.network.sub(document, read(request, REQUEST_KEYS, "fetch"), "script")

    def after(self, document: Document, ms: float, work: Callable[[], None]) -> None:
        """A timer of a page: it waits while a dialog is open, and never comes when the document is gone."""

        def due() -> None:
            if document.tab.dialogs:
                document.tab.deferred.append(due)
            elif document.alive:
                work()

        self.agenda.after(ms, due)

    def load_frames(self, document: Document, nodes: Sequence[Node]) -> None:
        loading.load_frames(self, document, nodes)

    def page_does(self, document: Document, effects: list[dict[str, Any]], by: str) -> None:
        """Effects of a page that nothing on it has caused."""
        from fakes.worlds.page_effects import run  # where a page does anything at all

        run(self, document, effects, by)
