"""Readings as pages: nodes that stay the same objects, what left is no longer connected, boxes and focus as read."""

from __future__ import annotations

from typing import Any

from fakes.worlds.engine_page import EngineDocument, EngineLayout, EnginePage
from fakes.worlds.page import Definition
from fakes.worlds.page_live import Page
from fakes.worlds.safari_windows import Tab, Window

LOOKS = {"type": "text", "style": "x"}
EMPTY = Definition({}, "test")


def element(ref: int, tag: str, *children: Any, **members: Any) -> dict[str, Any]:
    return {
        "ref": ref, "name": None, "tag": tag, "attributes": {}, "hidden": None, "box": [0, 0, 10, 10],
        "children": list(children), **members,
    }  # fmt: skip


def page_of(*children: Any) -> EnginePage:
    page = EnginePage(EMPTY)
    page.fill(element(1, "body", *children), "text", "title")
    return page


def test_elements_are_nodes_with_what_was_read_of_them() -> None:
    page = page_of(
        "words",
        element(2, "input", name="field", value="v", checked=True, focused=True, attributes=LOOKS),
        element(3, "div", element(4, "p"), hidden="display", scrolls=[0, 20, 100, 500], listens=["click"]),
        element(5, "div", shadow=["dark", element(6, "b")]),
    )
    assert (page.text(), page.title) == ("text", "title")
    field = page.find("field")
    assert (field.value, field.checked, field.attributes, field.parent) == ("v", True, {"type": "text"}, page.body)
    assert page.focus is field
    hidden = page.find("div-3")
    assert not hidden.rendered and hidden.scroll == [0.0, 20.0] and "click" in hidden.on
    assert page.body.name == "body" and page.body.children[0] == "words"
    assert [each if isinstance(each, str) else each.tag for each in page.find("div-5").shadow] == ["dark", "b"]


def test_the_value_of_a_toggle_is_what_the_page_says() -> None:
    page = page_of(
        element(2, "input", name="bare", value="on", attributes={"type": "checkbox"}),
        element(3, "input", name="named", value="v", attributes={"type": "radio", "value": "v"}),
    )
    assert [page.find(name).value for name in ("bare", "named")] == ["", "v"]


def test_a_node_stays_while_its_element_does_and_is_not_connected_when_it_left() -> None:
    page = page_of(element(2, "p"), element(3, "p", name="gone"))
    first, gone = page.find("p-2"), page.find("gone")
    page.fill(element(1, "body", element(2, "p", attributes={"id": "new"}), element(4, "p")), "", "")
    assert page.find("p-2") is first and first.attributes == {"id": "new"}
    assert first.connected and not gone.connected
    assert (page.ref_of(first), page.ref_of(gone)) == (2, None)
    assert page.focus is None


def test_a_focus_that_somebody_gave_is_taken_once() -> None:
    page = page_of(element(2, "input", name="a"), element(3, "input", name="b", focused=True))
    assert page.take_focus() is None
    page.focus = page.find("a")
    assert page.focus is page.find("a")
    assert (page.take_focus(), page.take_focus()) == (2, None)


def test_the_layout_is_the_engines() -> None:
    page = page_of(element(2, "p", box=[5, 6, 70, 80]), element(3, "div", hidden="display"))
    page.size = [300, 900]
    layout = page.layout(1200)
    assert isinstance(layout, EngineLayout)
    assert layout.boxes[page.find("p-2")] == (5, 6, 70, 80) and page.find("div-3") not in layout.boxes
    assert layout.centre(page.find("p-2")) == (40, 46)
    assert layout.size([]) == (300, 900) and layout.height == 900
    assert layout.under(6, 7) is page.find("p-2") and layout.under(299, 899) is None
    page.at = lambda x, y: page.body
    assert page.layout(1200).under(1, 1) is page.body


def test_a_document_is_looked_at_before_somebody_sees_its_page() -> None:
    looked: list[str] = []
    tab = Tab(1, Window(1, 763))
    document = EngineDocument("doc-1", tab, "http://a.test/", EMPTY, 0, lambda which: looked.append(which.key))
    assert looked == []
    assert type(document.page) is Page and looked == ["doc-1"]
    filled = document.page_of_engine
    assert document.page is filled and document.page_of_engine is filled
