"""What a page does with clicks, keys and texts: handlers from the inside out, then defaults."""

from __future__ import annotations

from typing import Any

import pytest

from fakes.worlds.page_behaviour import BEHAVIOURS, behave, current
from tests.fakes.worlds.surf import HOME, node, surf


def said(word: str) -> dict[str, Any]:
    return {"console": {"text": word}}


def words(tab: Any) -> list[str]:
    return [message["text"] for message in tab.console]


def test_clicks_bubble_and_prevent_takes_the_default() -> None:
    made, tab = surf(
        {"id": "out", "on": {"click": [said("out")]}, "children": [
            {"id": "go", "tag": "a", "attributes": {"href": "/two"}, "on": {"click": [said("in")]}}]},
        {"id": "stay", "tag": "a", "attributes": {"href": "/two"}, "on": {"click": [said("stay"), {"prevent": True}]}},
        {"id": "script", "tag": "a", "attributes": {"href": "javascript:void(0)"}},
    )  # fmt: skip
    made.act(tab, "stay", "click")
    made.act(tab, "script", "click")
    made.later(100)
    assert tab.url == HOME and words(tab) == ["stay"]
    made.act(tab, "go", "click")
    made.later(100)
    assert words(tab) == ["stay", "in", "out"] and tab.url == HOME + "two"


def test_disabled_controls_do_nothing() -> None:
    made, tab = surf(
        {"id": "b", "tag": "button", "attributes": {"disabled": True}, "on": {"click": [said("no")]}},
        {"id": "i", "tag": "input", "attributes": {"disabled": True}, "value": "x"},
        {"id": "r", "tag": "input", "attributes": {"readonly": True}, "value": "x"},
        {"id": "s", "tag": "select", "attributes": {"disabled": True}, "children": [{"tag": "option", "text": "a"}]},
    )
    made.act(tab, "b", "click")
    for name in ("i", "r"):
        for verb in ("type", "replace", "fill"):
            behave(made.world, tab.document, node(tab, name), verb, "y", "test")
    made.act(tab, "s", "select", "a")
    assert words(tab) == [] and node(tab, "i").value == node(tab, "r").value == "x"


def test_boxes_and_radios() -> None:
    made, tab = surf(
        {"id": "c", "tag": "input", "attributes": {"type": "checkbox"}, "on": {"change": [said("changed")]}},
        {"id": "r1", "tag": "input", "attributes": {"type": "radio", "name": "r", "checked": True}},
        {"id": "r2", "tag": "input", "attributes": {"type": "radio", "name": "r"}},
        {"id": "r3", "tag": "input", "attributes": {"type": "radio"}, "checked": True},
        {"id": "l", "tag": "label", "attributes": {"for": "named"}, "text": "x"},
        {"id": "n", "tag": "input", "attributes": {"type": "checkbox", "id": "named"}},
        {"id": "w", "tag": "label", "children": [{"id": "wi", "tag": "input", "attributes": {"type": "checkbox"}}]},
    )
    for name in ("c", "r2", "l", "w"):
        made.act(tab, name, "click")
    states = {name: node(tab, name).checked for name in ("c", "r1", "r2", "r3", "n", "wi")}
    assert states == {"c": True, "r1": False, "r2": True, "r3": True, "n": True, "wi": True}
    made.act(tab, "c", "click")
    assert not node(tab, "c").checked and words(tab) == ["changed", "changed"]


def test_details_open_and_links_open_tabs() -> None:
    made, tab = surf(
        {"id": "d", "tag": "details", "children": [{"id": "s", "tag": "summary", "text": "more"}]},
        {"id": "a", "tag": "a", "attributes": {"href": "/two", "target": "_blank"}},
        {"id": "f", "tag": "button", "text": "no form"},
    )
    made.act(tab, "s", "click")
    assert "open" in node(tab, "d").attributes
    made.act(tab, "s", "click")
    assert "open" not in node(tab, "d").attributes
    made.act(tab, "f", "click")
    made.act(tab, "a", "click")
    made.later(100)
    assert [each.url for each in tab.window.tabs] == [HOME, HOME + "two"]


FIELDS: list[Any] = [
    {"id": "q", "tag": "input", "attributes": {"name": "q"}, "value": "a b&ü"},
    {"tag": "input", "attributes": {"name": "c", "type": "checkbox"}, "checked": True},
    {"tag": "input", "attributes": {"name": "off", "type": "checkbox"}},
    {"tag": "input", "attributes": {"name": "dis", "disabled": True}, "value": "x"},
    {"tag": "textarea", "attributes": {"name": "t"}, "text": "line"},
    {"tag": "input"},
    {"id": "ok", "tag": "button", "attributes": {"name": "by", "value": "ok"}, "text": "Go"},
    {"tag": "input", "attributes": {"type": "submit", "name": "other", "value": "no"}},
]


@pytest.mark.parametrize(("form", "url"), [
    ({"attributes": {"action": "/two?old=1#f"}}, HOME + "two?q=a+b%26%C3%BC&c=on&t=line&by=ok"),
    ({"attributes": {"action": "/two", "method": "POST"}}, HOME + "two"),
    ({"attributes": {"action": "/two"}, "on": {"submit": [{"prevent": True}]}}, HOME),
    ({"on": {"submit": [{"title": "sent"}]}}, HOME),
    ({}, HOME + "?q=a+b%26%C3%BC&c=on&t=line&by=ok"),
])  # fmt: skip
def test_submission(form: Any, url: str) -> None:
    made, tab = surf({"tag": "form", **form, "children": FIELDS}, world={"pages": {HOME + "two*": {}, HOME + "?*": {}}})
    made.act(tab, "ok", "click")
    made.later(100)
    assert tab.url == url
    assert (tab.title == "sent") == ("submit" in form.get("on", {}) and "prevent" not in form["on"]["submit"][0])


def test_enter_in_a_field_submits() -> None:
    made, tab = surf(
        {"tag": "form", "attributes": {"action": "/two"}, "children": FIELDS[:1]}, world={"pages": {HOME + "two*": {}}}
    )
    made.act(tab, "q", "click")
    made.act(tab, None, "keyPress", "Enter")
    made.later(100)
    assert tab.url.startswith(HOME + "two?q=")


def test_typing_and_filling() -> None:
    made, tab = surf(
        {"id": "i", "tag": "input", "value": "a", "on": {"type": [said("input")], "change": [said("change")]}},
        {"id": "p", "tag": "input", "attributes": {"type": "password"}},
        {"id": "e", "attributes": {"contenteditable": True}, "text": "x"},
    )
    made.act(tab, "i", "type", "b")
    made.act(tab, "i", "fill", "c")
    made.act(tab, "p", "type", "hunter2hunter2")
    made.act(tab, "e", "type", "y")
    behave(made.world, tab.document, node(tab, "e"), "replace", "", "test")
    assert (node(tab, "i").value, current(node(tab, "p")), current(node(tab, "e"))) == ("c", "hunter2hunter2", "")
    assert words(tab) == ["input", "input", "change"]
    assert "hunter2" not in repr(made.book.changes()), "the record of changes does not hold what is secret"


def test_a_handler_that_leaves_ends_what_comes_after_it() -> None:
    made, tab = surf({"id": "i", "tag": "input", "on": {"type": [{"close": True}], "change": [said("never")]}})
    made.act(tab, "i", "fill", "x")
    assert tab.closed and words(tab) == []


def test_keys() -> None:
    made, tab = surf(
        {
            "id": "i",
            "tag": "input",
            "value": "ab",
            "on": {"key": {"x": [{"prevent": True}], "Escape": [said("escape")]}},
        },
        {"id": "t", "tag": "textarea"},
        {"id": "b", "tag": "button", "text": "b", "on": {"click": [said("pressed")]}},
        {"id": "p", "text": "no field"},
        on={"key": {"k": [said("page")]}},
    )
    made.act(tab, None, "keyPress", "k")
    for name, keys in (
        ("i", ["c", "x", "Escape", "Backspace", "ArrowLeft"]),
        ("t", ["a", "Enter", "Backspace", "Backspace", "Backspace"]),
    ):
        made.act(tab, name, "click")
        for key in keys:
            made.act(tab, None, "keyPress", key)
    made.act(tab, "b", "click")
    made.act(tab, None, "keyPress", "Enter")
    assert node(tab, "i").value == "ab" and node(tab, "t").value == ""
    assert words(tab) == ["page", "escape", "pressed", "pressed"]


def test_hover_scroll_and_select() -> None:
    made, tab = surf(
        {"id": "h", "on": {"hover": [said("over")]}},
        {"id": "s", "tag": "select", "on": {"change": [said("changed")]}, "children": [
            {"tag": "option", "text": "a"}, {"tag": "option", "text": "b"}]},
    )  # fmt: skip
    made.act(tab, "h", "hover")
    made.act(tab, None, "scroll", [-5, 40])
    made.act(tab, "h", "scroll", [1, 2])
    made.act(tab, "s", "select", "b")
    made.act(tab, "s", "select", "nothing")
    assert tab.document.page.scroll == [0, 40] and node(tab, "h").scroll == [1, 2]
    assert node(tab, "s").value == "b" and words(tab) == ["over", "changed"]


def test_what_is_no_behaviour_does_nothing() -> None:
    made, tab = surf({"id": "h"})
    assert "highlightText" not in BEHAVIOURS
    before = len(made.book.lines)
    behave(made.world, tab.document, None, "highlightText", "x", "test")
    assert len(made.book.lines) == before
