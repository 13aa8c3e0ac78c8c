"""A Safari without a stage: a record that is a list, and a clock that a test turns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fakes.worlds.safari import Safari
from fakes.worlds.safari_windows import Document, Tab
from tests.fakes.worlds.recorded import Book

HOME = "http://shop.test/"


class Rows(Book):
    """What a world writes to: rows without their kind."""

    def __init__(self) -> None:
        super().__init__(pids=500)

    def of(self, e: str) -> list[dict[str, Any]]:
        return [{key: value for key, value in line.items() if key != "e"} for line in super().of(e)]

    def changes(self) -> list[Any]:
        return [line["what"] for line in self.of("changed")]


class Surf:
    """A world with one automation window, process 1."""

    def __init__(self, **settings: Any) -> None:
        self.book = Rows()
        self.world = Safari(self.book, settings)

    def later(self, ms: float) -> None:
        """So much time passes, and the world takes notice."""
        self.book.time_ms += ms
        self.world.advance()

    def open(self, url: str = HOME, ms: float = 1000) -> Tab:
        """A tab of the session that has had so long to load."""
        tab = self.world.open_tab(1, self.world.session_window(1, "test"), url)
        self.later(ms)
        return tab

    def act(self, tab: Tab, name: str | None, verb: str, value: Any = None) -> int:
        node = None if name is None else tab.document.page.find(name)
        return self.world.act(1, tab, tab.document, node, verb, value)


def page(*body: Any, **members: Any) -> dict[str, Any]:
    return {"title": "Home", "body": list(body), **members}


def surf(*body: Any, world: Mapping[str, Any] | None = None, **members: Any) -> tuple[Surf, Tab]:
    """A loaded page of these elements, and members of its definition."""
    settings = dict(world or {})
    pages = {
        HOME: page(*body, **members),
        HOME + "two": {"title": "Two", "body": ["second"]},
        **settings.pop("pages", {}),
    }
    made = Surf(pages=pages, **settings)
    return made, made.open()


def text(tab: Tab) -> str:
    return tab.document.page.text()


def node(tab: Tab | Document, name: str) -> Any:
    document = tab.document if isinstance(tab, Tab) else tab
    return document.page.find(name)
