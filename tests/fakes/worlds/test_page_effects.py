"""Each effect of a page, on a page."""

from __future__ import annotations

from typing import Any

import pytest

from tests.fakes.worlds.surf import HOME, node, surf, text

BODY: tuple[Any, ...] = (
    {"id": "p", "tag": "p", "text": "old", "attributes": {"class": "x", "lang": "en"}},
    {"id": "box", "children": [{"id": "inner", "text": "inner"}, "tail"]},
    {"id": "host", "shadow": [{"id": "shade"}]},
)


def did(*effects: Any) -> Any:
    made, tab = surf(*BODY)
    made.world.page_does(tab.document, list(effects), "page")
    return made, tab


def test_set_changes_what_it_names_alone() -> None:
    made, tab = did({"set": {"node": "p", "text": "new", "attributes": {"class": "y", "lang": None, "hidden": True}}})
    p = node(tab, "p")
    assert p.children == ["new"] and p.attributes == {"class": "y", "hidden": ""}
    assert made.book.changes()[-1] == {
        "document": "doc-2", "node": "p", "text": "new", "@class": "y", "@lang": None, "@hidden": True,
    }  # fmt: skip
    made, tab = did({"set": {"node": "p", "value": "v", "hidden": "display", "checked": True}})
    p = node(tab, "p")
    assert (p.value, p.hidden, p.checked, p.children) == ("v", "display", True, ["old"])
    made.world.page_does(tab.document, [{"set": {"node": "p", "hidden": None, "value": None, "text": None}}], "page")
    assert (p.value, p.hidden, p.children) == ("", None, [])


def test_text_takes_the_place_of_nodes() -> None:
    _, tab = did({"focus": "inner"}, {"set": {"node": "box", "text": "flat"}})
    assert tab.document.page.names() == {"body", "p", "box", "host", "shade"}
    assert tab.document.page.focus is None


def test_nodes_come_and_go() -> None:
    made, tab = surf(*BODY)
    old = node(tab, "inner")
    made.world.page_does(tab.document, [{"remove": "inner"}, {"remove": "shade"}], "page")
    assert not old.connected and text(tab) == "old\n\ntail"
    made.world.page_does(tab.document, [{"insert": {"into": "box", "element": {"text": "first"}, "at": 0}}], "page")
    made.world.page_does(tab.document, [{"insert": {"into": "body", "element": {"tag": "p", "text": "end"}}}], "page")
    assert [each.name for each in node(tab, "box").children if not isinstance(each, str)] == ["n1"]
    assert text(tab).endswith("end")


def test_replace_and_rerender_make_other_nodes() -> None:
    made, tab = surf(*BODY)
    p, inner = node(tab, "p"), node(tab, "inner")
    p.attributes["class"] = "now"
    made.world.page_does(
        tab.document, [{"rerender": "p"}, {"replace": {"node": "box", "element": {"id": "box"}}}], "page"
    )
    assert node(tab, "p") is not p and node(tab, "p").attributes["class"] == "now"
    assert not p.connected and not inner.connected


def test_a_node_that_is_gone_ends_the_handler_as_an_error() -> None:
    _, tab = did({"remove": "p"}, {"remove": "p"}, {"title": "never"})
    assert tab.title == "Home"
    assert tab.console[-1]["text"] == "Error: no node p" and tab.console[-1]["level"] == "error"


def test_throw_ends_the_handler() -> None:
    _, tab = did({"throw": "boom"}, {"title": "never"})
    assert (tab.title, tab.console[-1]["text"]) == ("Home", "Error: boom")


def test_plain_effects() -> None:
    made, tab = did(
        {"title": "New"}, {"focus": "p"}, {"console": {"text": "hi"}}, {"download": "a.zip"}, {"prevent": True},
        {"fetch": {"url": "/api", "method": "PUT"}},
    )  # fmt: skip
    assert tab.title == "New" and tab.document.page.focus is node(tab, "p")
    assert tab.console[-1] == {"level": "info", "text": "hi", "url": HOME, "line": 1}
    assert made.book.changes()[-1] == {"document": "doc-2", "downloaded": "a.zip"}
    assert (tab.requests[-1]["method"], tab.requests[-1]["url"]) == ("PUT", HOME + "api")


def test_timers_come_in_their_time() -> None:
    made, tab = did(
        {"after_ms": 100, "do": [{"title": "late"}]}, {"after_ms": 50, "do": [{"title": "early"}]}, {"after_ms": 1}
    )
    made.later(99)
    assert tab.title == "early"
    made.later(1)
    assert tab.title == "late"


@pytest.mark.parametrize(("kind", "accept", "title"), [
    ("alert", True, "after"),
    ("confirm", True, "yes"),
    ("confirm", False, "no"),
    ("prompt", True, "yes"),
])  # fmt: skip
def test_a_dialog_holds_what_follows(kind: str, accept: bool, title: str) -> None:
    branches = (
        {} if kind == "alert" else {"then": [{"title": "yes"}, {"throw": ""}], "else": [{"title": "no"}, {"throw": ""}]}
    )
    made, tab = did({"title": "before"}, {kind: "?", **branches}, {"title": "after"})
    assert tab.title == "before" and tab.dialogs[0].kind == kind
    made.world.page_does(tab.document, [{"after_ms": 0, "do": [{"console": {"text": "timer"}}]}], "page")
    made.later(10)
    assert not tab.console, "a page with an open dialog stands still"
    made.world.answer_dialog(tab, accept, "", "user")
    assert tab.title == title and not tab.dialogs
    assert tab.console[-1]["text"] == "timer"
    assert made.book.woken[-1] == f"dialog:{tab.key}"


def test_tabs_and_history() -> None:
    made, tab = did({"push": "/pushed"})
    assert tab.url == HOME + "pushed" and tab.document.key == "doc-2"
    made.world.page_does(tab.document, [{"navigate": "/two"}, {"open": "/two"}], "page")
    made.later(100)
    assert [each.title for each in tab.window.tabs] == ["Two", "Two"] and tab.window.tabs[1].opener is tab
    made.world.page_does(tab.document, [{"back": True}], "page")
    made.later(100)
    assert tab.url == HOME + "pushed"
    before = tab.document
    made.world.page_does(tab.document, [{"reload": True}], "page")
    made.later(100)
    assert tab.document is not before and tab.document.epoch == before.epoch + 1
    made.world.page_does(before, [{"title": "dead"}], "page")
    assert tab.title != "dead", "a document that is gone does nothing"
    made.world.page_does(tab.document, [{"close": True}, {"title": "dead"}], "page")
    assert tab.closed
