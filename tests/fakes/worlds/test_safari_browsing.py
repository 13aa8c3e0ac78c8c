"""Tabs and documents as a browser runs them."""

from __future__ import annotations

from typing import Any

from tests.fakes.worlds.surf import HOME, Surf, page, surf

PAGES = {HOME: page()}


def test_closing_a_tab_leaves_the_neighbour_current() -> None:
    made = Surf(pages=PAGES, windows=[{"id": 1, "tabs": [{"url": HOME}] * 3, "current": 1}])
    window: Any = made.world.windows[0]
    a, b, c = window.tabs
    made.world.drop_tab(a, "user")
    assert window.tab is b
    made.world.drop_tab(b, "user")
    assert window.tab is c and not window.closed
    made.world.drop_tab(c, "user")
    assert window.closed and made.world.windows == [] and made.book.of("freed") == []


def test_choosing_a_tab_is_a_change_where_it_is_another() -> None:
    made = Surf(pages=PAGES, windows=[{"id": 1, "tabs": [{"url": HOME}] * 2}])
    first, second = made.world.windows[0].tabs
    made.world.select_tab(first, "user")
    made.world.select_tab(second, "user")
    assert made.book.changes() == [{"selected": "tab-2"}]
    assert made.world.new_tab(first.window, 0).window.tabs[0].key == "tab-3"


def test_time_goes_on_when_somebody_looks() -> None:
    made, tab = surf(timers=[{"after_ms": 5000, "do": [{"title": "later"}]}])
    assert made.world.now_ms() == 1000 and tab.title == "Home"
    made.later(made.world.next_due() or 0)
    assert tab.title == "later" and made.world.next_due() is None


def test_numbers_of_nodes_may_begin_anew_in_each_document() -> None:
    for uids, number in (("tab", 5), ("document", 0)):
        made, tab = surf(world={"uids": uids})
        tab.next_uid = 5
        made.world.reload(tab.document, "user")
        made.later(100)
        assert tab.next_uid == number


def test_notes_wakes_and_back_at_the_beginning() -> None:
    made, tab = surf()
    made.world.note("violation", p=1, why="x")
    made.world.wake("key")
    tab.at = 0
    made.world.back(tab.document, "page")
    assert tab.load is None and made.book.woken[-1] == "key" and made.book.of("violation") == [{"p": 1, "why": "x"}]
