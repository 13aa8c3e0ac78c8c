"""Navigations: from a request over redirects to a new document and its load event, in virtual time.

Nothing runs by itself: loads and timers of pages stand in one agenda, and whoever looks at the world brings it up to
now first (`Agenda.advance`). So the world changes only between two steps.
"""

from __future__ import annotations

from _heapq import heappop, heappush

from fakes.worlds.page_url import BLANK, normal, page_of, resolve
from fakes.worlds.safari_pages import ERROR_URL
from fakes.worlds.safari_windows import Document

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from fakes.worlds.page import Definition, Node
    from fakes.worlds.safari_browsing import Browsing
    from fakes.worlds.safari_windows import Tab

REDIRECTS = 20
FRAMES_DEEP = 4


class Agenda:
    """What is to happen at which time, in the order of (time, when it was put down)."""

    def __init__(self, now_ms: Callable[[], float]) -> None:
        self._now_ms = now_ms
        self._rows: list[tuple[float, int, Callable[[], None]]] = []
        self._sequence = 0
        self.at_ms = 0.0
        """The time that the world has reached: of what is happening now, while something of the agenda happens."""

    def after(self, ms: float, work: Callable[[], None]) -> None:
        self._sequence += 1
        heappush(self._rows, (self.at_ms + ms, self._sequence, work))

    def advance(self) -> None:
        """Let happen what is due by now."""
        now = self._now_ms()
        while self._rows and self._rows[0][0] <= now:
            due, _, work = heappop(self._rows)
            self.at_ms = max(self.at_ms, due)
            work()
        self.at_ms = max(self.at_ms, now)

    def next_ms(self) -> float | None:
        """How long until something happens; None where nothing is to."""
        return max(0.0, self._rows[0][0] - self._now_ms()) if self._rows else None


class Load:
    """One navigation that has no document yet. place: where its document goes in the history; None: at the end."""

    __slots__ = ("tab", "url", "by", "place", "hops", "definition")

    def __init__(self, tab: Tab, url: str, by: str, place: int | None) -> None:
        self.tab = tab
        self.url = url
        self.by = by
        self.place = place
        self.hops = 0
        self.definition: Definition


def begin(world: Browsing, tab: Tab, url: str, by: str, place: int | None = None) -> None:
    """Navigate a tab, as the world does it: a real engine does it otherwise."""
    world.load(tab, url, by, place)


def load(world: Browsing, tab: Tab, url: str, by: str, place: int | None) -> None:
    """Navigate a tab of the model; one that is under way is given up. An URL that only has another fragment moves in
    the same document."""
    here = tab.document.url if tab.load is None else ""
    if place is None and "#" in url and page_of(url) == page_of(here):
        move(world, tab, url, by)
        return
    tab.load = load = Load(tab, normal(url), by, place)
    _request(world, load)


def move(world: Browsing, tab: Tab, url: str, by: str) -> None:
    """Another URL for the same document (fragment, pushState)."""
    tab.document.url = url
    tab.shown_url = None
    remember(tab, url, None)
    world.changed(by, tab=tab.key, document=tab.document.key, url=url)


def _request(world: Browsing, load: Load) -> None:
    load.definition = definition = world.pages.look_up(load.url)
    wait = definition["commit_ms"]
    if wait:
        world.agenda.after(wait, lambda: _arrive(world, load))
    else:
        _arrive(world, load)


def _arrive(world: Browsing, load: Load) -> None:
    """The server has answered."""
    tab, definition = load.tab, load.definition
    if tab.closed or tab.load is not load:
        return
    if definition["fails"] is None:
        world.network.main(tab, load.url, definition)
    if definition["redirect"] is not None and load.hops < REDIRECTS:
        load.hops += 1
        load.url = resolve(load.url, definition["redirect"])
        _request(world, load)
        return
    tab.load = None
    _replace_document(world, tab, load)


def _replace_document(world: Browsing, tab: Tab, load: Load) -> None:
    definition = load.definition
    why = definition["fails"]
    if why is not None:
        definition = world.pages.errors[why]
    close_document(tab.document)
    tab.loads += 1
    document = world.document(tab, load.url if why is None else ERROR_URL, definition, tab.document.epoch + 1)
    document.error = why
    tab.document = document
    tab.shown_url = None if why is None else load.url if world.error_url == "requested" else ERROR_URL
    tab.given_title = None
    remember(tab, load.url, load.place)
    world.changed(load.by, tab=tab.key, document=document.key, url=tab.url)
    start(world, document)


def start(world: Browsing, document: Document) -> None:
    """What a new document does until its load event, and after it."""
    definition = document.page.definition
    for message in definition["console"]:
        world.log(document, message["level"], message["text"], message["line"])
    for request in definition["requests"]:
        world.network.sub(document, request, "parser")
    load_frames(world, document, list(document.page.walk(shadow=True)))
    for timer in definition["timers"]:
        world.after(document, timer["after_ms"], _timer(world, document, timer["do"]))
    if definition["load_ms"]:
        world.agenda.after(definition["load_ms"], lambda: _complete(world, document))
    else:
        _complete(world, document)


def _timer(world: Browsing, document: Document, effects: list[dict[str, Any]]) -> Callable[[], None]:
    return lambda: world.page_does(document, effects, "page")


def _complete(world: Browsing, document: Document) -> None:
    if document.alive:
        document.ready = "complete"
        world.wake(f"loaded:{document.tab.key}")
        world.page_does(document, document.page.definition["on"].get("load", []), "page")


def load_frames(world: Browsing, document: Document, nodes: Sequence[Node]) -> None:
    """Documents for the iframes among nodes and in them. They come with the document that they are in."""
    for node in [each for top in nodes for each in top.walk(shadow=True)]:
        if node.tag == "iframe" and node.frame is None and _depth(document) < FRAMES_DEEP:
            source = node.attributes.get("src")
            url = resolve(document.url, source) if source else BLANK
            definition = world.pages.look_up(url)
            hops = 0
            while definition["redirect"] is not None and hops < REDIRECTS:
                url, hops = resolve(url, definition["redirect"]), hops + 1
                definition = world.pages.look_up(url)
            if definition["fails"] is not None:
                url, definition = ERROR_URL, world.pages.errors[definition["fails"]]
            world.frames += 1
            frame = world.document(document.tab, url, definition, document.epoch)
            frame.host, frame.frame_id = node, (5 + world.frames, 1)
            node.frame = frame
            start(world, frame)


def _depth(document: Document) -> int:
    deep = 0
    host = document.host
    while host is not None:
        deep += 1
        above = document.tab.document.owner(host)
        host = above.host if above is not None else None
    return deep


def close_document(document: Document) -> None:
    """The document is gone, with its frames, timers and nodes."""
    for each in document.frames():
        each.alive = False


def remember(tab: Tab, url: str, place: int | None) -> None:
    if place is None:
        tab.history[tab.at + 1 :] = [url]
        tab.at += 1
    else:
        tab.at = place
