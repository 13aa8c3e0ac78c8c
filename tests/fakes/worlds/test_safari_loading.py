"""Navigations in virtual time: commit, load, redirects, failures, frames, history."""

from __future__ import annotations

import pytest

from fakes.worlds.safari_loading import REDIRECTS, Agenda
from fakes.worlds.safari_pages import ERROR_URL
from tests.fakes.worlds.surf import HOME, Surf, node, page, surf, text


def test_the_agenda_keeps_the_order_of_times() -> None:
    now = [0.0]
    agenda = Agenda(lambda: now[0])
    done: list[str] = []
    agenda.after(5, lambda: done.append("b"))

    def first() -> None:
        done.append("a")
        agenda.after(1, lambda: done.append("a2"))

    agenda.after(1, first)
    agenda.after(5, lambda: done.append("c"))
    assert agenda.next_ms() == 1
    now[0] = 10
    agenda.advance()
    assert done == ["a", "a2", "b", "c"] and agenda.next_ms() is None and agenda.at_ms == 10


def test_a_load_takes_its_time() -> None:
    made = Surf(pages={HOME: page(commit_ms=100, load_ms=50, on={"load": [{"title": "Loaded"}]})})
    tab = made.open(HOME, 99)
    assert tab.url == "about:blank" and tab.loading and made.world.next_due() == 1
    made.later(1)
    assert (tab.url, tab.title, tab.document.ready, tab.loading) == (HOME, "Home", "loading", True)
    made.later(50)
    assert (tab.title, tab.document.ready, tab.loading) == ("Loaded", "complete", False)
    assert made.book.woken == [f"loaded:{tab.key}"]


def test_a_page_without_delays_is_there_at_once() -> None:
    made = Surf(pages={HOME: page(commit_ms=0, load_ms=0)})
    assert not made.open(HOME, 0).loading


def test_redirects_are_followed_and_not_for_ever() -> None:
    made = Surf(
        pages={
            HOME: {"redirect": "/a"},
            HOME + "a": {"redirect": "/b"},
            HOME + "b": page(),
            HOME + "loop": {"redirect": "/loop"},
        }
    )
    assert made.open().url == HOME + "b"
    tab = made.open(HOME + "loop")
    assert tab.url == HOME + "loop" and len(tab.requests) == REDIRECTS + 1


@pytest.mark.parametrize(("shown", "url"), [("requested", "http://no.test/"), ("resource", ERROR_URL)])
def test_a_failed_load_ends_on_the_error_page(shown: str, url: str) -> None:
    made = Surf(pages={HOME: {"fails": "refused"}}, error_url=shown)
    tab = made.open("http://no.test/")
    assert (tab.url, tab.document.url, tab.document.error, tab.title) == (url, ERROR_URL, "host", "Failed to open page")
    assert made.open(HOME).document.error == "refused"
    assert "Connect" in text(made.open(HOME))


def test_a_newer_navigation_gives_up_the_older_one() -> None:
    made = Surf(pages={HOME: page(commit_ms=50), HOME + "two": page(commit_ms=10)})
    tab = made.open(HOME, 20)
    made.world.navigate(1, tab, HOME + "two")
    made.later(100)
    assert tab.url == HOME + "two" and tab.loads == 1
    gone = made.open(HOME, 10)
    made.world.close_tab(1, gone)
    made.later(100)
    assert gone.loads == 0


def test_a_fragment_keeps_the_document() -> None:
    made, tab = surf({"id": "a", "tag": "a", "attributes": {"href": "#part"}})
    document = tab.document
    made.act(tab, "a", "click")
    made.later(100)
    assert (
        tab.document is document and tab.url == HOME + "#part" and tab.history == ["about:blank", HOME, HOME + "#part"]
    )


def test_old_documents_are_dead_with_their_timers_and_frames() -> None:
    made, tab = surf(
        {"id": "f", "tag": "iframe", "attributes": {"src": "/two"}},
        timers=[{"after_ms": 5000, "do": [{"title": "late"}]}],
    )
    old, frame = tab.document, node(tab, "f").frame
    made.world.navigate(1, tab, HOME + "two")
    made.later(10_000)
    assert not old.alive and not frame.alive and tab.title == "Two" and old.page.title == "Home"
    assert tab.document.epoch == old.epoch + 1


def test_frames_load_with_their_page() -> None:
    pages = {
        HOME + "r": {"redirect": "/two"},
        HOME + "self": page({"id": "f", "tag": "iframe", "attributes": {"src": "/self"}}),
        HOME + "two": page({"id": "x", "tag": "button", "on": {"click": [{"navigate": "/three"}]}}),
        HOME + "three": page("three"),
    }  # fmt: skip
    made, tab = surf(
        {"id": "a", "tag": "iframe", "attributes": {"src": "/r"}}, {"id": "b", "tag": "iframe"},
        {"id": "c", "tag": "iframe", "attributes": {"src": "http://no.test/"}},
        {"id": "d", "tag": "iframe", "attributes": {"src": "/self"}},
        world={"pages": pages},
    )  # fmt: skip
    urls = [node(tab, name).frame.url for name in "abcd"]
    assert urls == [HOME + "two", "about:blank", ERROR_URL, HOME + "self"]
    deep, frame = 0, node(tab, "d").frame
    while frame is not None:
        deep, frame = deep + 1, node(frame, "f").frame
    assert deep == 4, "a page that holds itself ends somewhere"
    inner = node(tab, "a").frame
    made.world.act(1, tab, inner, node(inner, "x"), "click", None)
    made.later(100)
    assert node(tab, "a").frame.url == HOME + "three" and not inner.alive and tab.url == HOME


def test_the_first_and_the_next_load_may_differ() -> None:
    made = Surf(pages={HOME: [page("first"), page("second")]})
    tab = made.open()
    made.world.change("user", reload={"tab": tab.key})
    made.later(100)
    assert text(tab) == "second" and tab.history == ["about:blank", HOME]
