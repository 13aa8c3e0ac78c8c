"""Definitions are read strictly; nodes know what they are, what is rendered, and what they say."""

from __future__ import annotations

from typing import Any

import pytest

from fakes.settings import SettingsProblem
from fakes.worlds.page import Definition, Names, NoNode, build, check_effects, definition_of, element, option_value
from tests.fakes.worlds.surf import page


def tree(*body: Any) -> Any:
    return Definition(page(*body), "test").tree()


def named(body: Any, name: str) -> Any:
    return next(node for node in body.walk(shadow=True) if node.name == name)


@pytest.mark.parametrize(("given", "expected"), [
    ({"titel": "x"}, "unknown key 'titel'"),
    ({"fails": "never"}, "'never' for 'fails'"),
    ({"body": [{"hidden": "x"}]}, "'x' for 'hidden'"),
    ({"body": [{"at": [1, 2]}]}, "x, y, width, height"),
    ({"body": [{"at": [1, 2, 3, "4"]}]}, "x, y, width, height"),
    ({"body": [{"attributes": {"a": 1}}]}, "a text, or true"),
    ({"body": [{"on": {"tap": []}}]}, "handler 'tap'"),
    ({"on": {"click": []}}, "handler 'click'"),
    ({"on": {"key": []}}, "name of a key"),
    ({"body": [{"on": {"click": {}}}]}, "a list of effects"),
    ({"body": [{"on": {"click": [{"explode": 1}]}}]}, "one of set, remove"),
    ({"body": [{"on": {"click": [{"remove": "a", "focus": "a"}]}}]}, "one of set, remove"),
    ({"body": [{"on": {"click": [{"remove": 1}]}}]}, "remove: text, and nothing beside it"),
    ({"body": [{"on": {"click": [{"title": "x", "then": []}]}}]}, "title: text"),
    ({"body": [{"on": {"click": [{"alert": "x", "then": [{"boo": 1}]}]}}]}, "one of set"),
    ({"body": [{"on": {"click": [{"set": {"nod": "x"}}]}}]}, "unknown key 'nod'"),
    ({"body": [{"on": {"click": [{"insert": {"into": "body", "element": {"tagg": "p"}}}]}}]}, "unknown key 'tagg'"),
    ({"body": [{"id": "a"}, {"id": "a"}]}, "'a' twice"),
    ({"timers": [{"after_ms": 1}]}, "no 'do'"),
    ({"timers": [{"after_ms": 1, "do": [{}]}]}, "one of set"),
    ({"console": [{"level": "loud", "text": "x"}]}, "debug|info"),
    ({"body": [{"on": {"click": [{"remove": "nobody"}]}}]}, "node 'nobody'"),
])  # fmt: skip
def test_what_is_refused(given: Any, expected: str) -> None:
    with pytest.raises(SettingsProblem) as raised:
        Definition(given, "test")
    assert expected in str(raised.value)


def test_effects_must_be_a_list() -> None:
    with pytest.raises(SettingsProblem, match="a list of effects"):
        check_effects("click", "here")


def test_names_are_given_in_the_order_of_the_tree() -> None:
    body = tree({"children": [{}, "text"]}, {"id": "own"}, {})
    assert [node.name for node in body.walk()] == ["body", "n1", "n2", "own", "n3"]
    assert Names(["n1", "n3"]).free() == "n2"


def test_two_loads_share_no_node() -> None:
    definition = Definition(page({"id": "a"}), "test")
    first: Any = definition.tree()
    second: Any = definition.tree()
    first.children[0].attributes["x"] = "1"
    assert second.children[0].attributes == {}


def test_what_is_rendered_and_what_is_seen() -> None:
    body = tree(
        {"id": "none", "hidden": "display", "children": [{"id": "inner"}]},
        {"id": "unseen", "hidden": "visibility", "children": [{"id": "within"}]},
        {"id": "flag", "attributes": {"hidden": True}},
        {"id": "script", "tag": "script"},
        {"id": "secret", "tag": "input", "attributes": {"type": "hidden"}},
        {"id": "dialog", "tag": "dialog"},
        {"id": "open", "tag": "dialog", "attributes": {"open": True}},
        {"id": "host", "shadow": [{"id": "dark"}], "children": [{"id": "light"}]},
        {"id": "more", "tag": "details", "children": ["kept", {"id": "sum", "tag": "summary"}, {"id": "rest"}]},
    )
    for name in ("none", "inner", "flag", "script", "secret", "dialog", "rest", "light"):
        assert not named(body, name).rendered and not named(body, name).visible, name
    assert named(body, "within").rendered and not named(body, "within").visible
    for name in ("open", "more", "sum", "host", "dark"):
        assert named(body, name).visible, name
    assert [child.name for child in named(body, "more").light()] == ["sum"]


@pytest.mark.parametrize(("given", "editable"), [
    ({"tag": "input"}, True),
    ({"tag": "input", "attributes": {"type": "EMAIL"}}, True),
    ({"tag": "input", "attributes": {"type": "checkbox"}}, False),
    ({"tag": "input", "attributes": {"type": "submit"}}, False),
    ({"tag": "textarea"}, True),
    ({"attributes": {"contenteditable": True}}, True),
    ({"attributes": {"contenteditable": "false"}}, False),
    ({"tag": "select"}, False),
])  # fmt: skip
def test_what_can_be_edited(given: Any, editable: bool) -> None:
    assert tree({"id": "it", **given}).children[0].editable is editable


def test_values_and_options() -> None:
    body = tree(
        {"id": "a", "tag": "input", "attributes": {"value": "x"}},
        {"id": "b", "tag": "textarea", "text": "y"},
        {"id": "c", "tag": "select", "children": [
            {"tag": "option", "text": "One"}, {"tag": "option", "attributes": {"value": "2", "selected": True}}]},
        {"id": "d", "tag": "select"},
        {"id": "e", "tag": "input", "value": "z", "attributes": {"value": "x"}},
        {"id": "f", "tag": "fieldset", "attributes": {"disabled": True}, "children": [{"id": "g", "tag": "input"}]},
    )  # fmt: skip
    assert [named(body, name).value for name in "abcde"] == ["x", "y", "2", "", "z"]
    assert [option_value(option) for option in named(body, "c").options()] == ["One", "2"]
    assert named(body, "g").disabled and not named(body, "a").disabled
    assert tree({"id": "b", "tag": "button"}).children[0].type == "submit"
    assert repr(named(body, "a")) == "<input a>"


def test_text_nearest_and_shadow() -> None:
    body = tree(
        {
            "id": "p",
            "tag": "p",
            "text": "a",
            "children": [{"tag": "b", "text": "b"}, {"hidden": "display", "text": "c"}],
            "shadow": [{"id": "s", "text": "shown"}],
        }
    )
    p = named(body, "p")
    assert p.text() == "", "what is beside a shadow root is not shown"
    assert p.content() == p.shadow
    assert p.children[1].nearest("p") is p and p.nearest("table") is None
    p.drop()
    assert not named(body, "s").connected


def test_a_copy_looks_as_the_node_does_now() -> None:
    body = tree({"id": "p", "attributes": {"class": "x"}, "children": ["t", {"id": "i", "tag": "input", "value": "1"}]})
    p = body.children[0]
    p.attributes["class"] = "y"
    p.children[1].value = "2"
    copy: Any = build(definition_of(p), None)
    assert (copy.name, copy.attributes, copy.children[0], copy.children[1].value) == ("p", {"class": "y"}, "t", "2")


def test_a_missing_node_says_its_name() -> None:
    assert NoNode("x").name == "x"
    assert element({"tag": "p"}, "here", Names())["id"] == "n1"
