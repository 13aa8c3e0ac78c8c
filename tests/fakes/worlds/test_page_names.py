"""Roles and accessible names of nodes of the model."""

from __future__ import annotations

from typing import Any

import pytest

from fakes.worlds.page import Definition, Node
from fakes.worlds.page_names import content, disabled, hidden, labelled, labels, name, role


def node(*body: Any) -> Node:
    """The node called x of a page with this body."""
    tree = Definition({"body": list(body)}, "page").tree()
    return next(each for each in tree.walk(shadow=True) if each.name == "x")


def el(tag: str, *children: Any, id: str | None = "x", **attributes: Any) -> dict[str, Any]:
    given = {key.replace("_", "-").strip("-"): value for key, value in attributes.items()}
    return {"tag": tag, "id": id, "attributes": given, "children": list(children)}


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (el("a", href="/"), "link"),
        (el("a"), "generic"),
        (el("img", alt=""), "none"),
        (el("img"), "img"),
        (el("select"), "combobox"),
        (el("select", multiple=True), "listbox"),
        (el("input"), "textbox"),
        (el("input", type="checkbox"), "checkbox"),
        (el("input", type="color"), ""),
        (el("div", contenteditable="true"), "textbox"),
        (el("h2"), "heading"),
        (el("div"), ""),
        (el("div", role="Button x"), "button"),
    ],
)
def test_roles(given: Any, expected: str) -> None:
    assert role(node(given)) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ([el("button", " Go  now ")], "Go now"),
        ([el("button", "Go", aria_label="Other")], "Other"),
        ([el("input", type="submit")], "Submit"),
        ([el("input", type="submit", value="Send")], "Send"),
        ([el("input", type="button")], ""),
        ([el("input", type="image", alt="Map")], "Map"),
        ([el("img", alt="Cat")], "Cat"),
        ([el("input", placeholder="Type")], "Type"),
        ([el("input", title="Tip", placeholder="Type")], "Tip"),
        ([el("label", "Name ", el("input"), id="l")], "Name"),
        ([el("label", "Name", id="l", for_="f"), el("input", id_="f")], "Name"),
        ([el("fieldset", el("legend", "Who", id="g"))], "Who"),
        ([el("a", el("img", id="i", alt="Home"), "page", href="/")], "Home page"),
        ([el("a", "A", el("br", id="b"), "B", href="/")], "A B"),
        ([el("a", el("b", "bo", id="b"), "ld", el("div", "x", id="d"), href="/")], "bold x"),
        ([el("button", el("span", "no", id="s", aria_hidden="true"), "yes")], "yes"),
        ([el("button", el("input", id="i", value="v", type="password"), "k")], "k"),
        ([el("div", "text")], ""),
    ],
)
def test_names(body: list[Any], expected: str) -> None:
    assert name(node(*body)) == expected


def test_names_by_reference() -> None:
    words = [el("p", "First", id="p1", id_="one"), el("p", "second", id="p2", id_="two")]
    assert name(node(*words, el("button", "Go", aria_labelledby="one two missing"))) == "First second"
    assert name(node(el("button", "Go", aria_labelledby="missing"))) == "Go"


def test_labels_and_their_controls() -> None:
    control = node(
        el("label", "a", id="l", for_="f"),
        el("label", "b", id="m", for_="f"),
        el("input", id_="f"),
    )
    assert [label.name for label in labels(control)] == ["l", "m"]
    assert [labelled(label) for label in labels(control)] == [control, control]
    assert labelled(control) is None
    assert labelled(node(el("label", "no control"))) is None
    assert labelled(node(el("label", "elsewhere", for_="no"))) is None


def test_hidden_and_disabled() -> None:
    assert hidden(node({**el("p"), "hidden": "display"}))
    assert hidden(node(el("div", el("p"), id="d", aria_hidden="TRUE")))
    assert not hidden(node(el("p")))
    assert disabled(node(el("button", disabled=True)))
    assert disabled(node(el("fieldset", el("input"), id="f", disabled=True)))
    assert disabled(node(el("div", el("button"), id="d", inert=True)))
    assert disabled(node(el("label", el("input", id="i", disabled=True))))
    assert not disabled(node(el("div", disabled=True)))
    assert not disabled(node(el("button")))


def test_content_leaves_out_what_is_named() -> None:
    inner = node(el("label", "Name ", el("input", id="i", value="v")))
    control = next(each for each in inner.walk() if each.name == "i")
    assert content(inner).split() == ["Name", "v"]
    assert content(inner, but=control).split() == ["Name"]
