"""A definition as HTML: read back by a parser, and nothing in it escapes."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given, settings

from fakes.settings import SettingsProblem
from fakes.worlds.page import Definition
from fakes.worlds.page_html import VOID, page_of, render
from harness.wire.jsontext import loads
from tests.fakes.worlds.grow import BODIES
from tests.fakes.worlds.surf import page


class Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.starts: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.open: list[str] = []
        self.script = ""

    def handle_starttag(self, tag: str, attributes: Any) -> None:
        self.starts.append((tag, dict(attributes)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1] == "script":
            self.script += data
        else:
            self.texts.append(data)


def read(*body: Any, **members: Any) -> Reader:
    reader = Reader()
    reader.feed(render(page(*body, **members), "http://shop.test/"))
    reader.close()
    assert reader.open == []
    return reader


def test_elements_carry_their_names_attributes_and_places() -> None:
    reader = read(
        {
            "id": "a",
            "tag": "a",
            "attributes": {"href": '/x?a=1&b="2"', "style": "color:red"},
            "text": "<b>",
            "at": [1, 2, 3, 4],
            "overlay": True,
        },
        {"id": "h", "hidden": "visibility"},
        {"id": "o", "overlay": True, "hidden": "display"},
        title="A & B",
    )
    assert reader.starts[4] == ("body", {"data-node": "body"})
    assert reader.starts[5][1] == {
        "href": '/x?a=1&b="2"',
        "style": "position:absolute;left:1px;top:2px;width:3px;height:4px;box-sizing:border-box;margin:0;z-index:1000;"
        "color:red",
        "data-node": "a",
    }
    assert reader.starts[6][1]["style"] == "visibility:hidden"
    assert reader.starts[7][1]["style"] == "display:none;z-index:1000;position:relative"
    assert reader.texts == ["A & B", "<b>"]


def test_fields_have_their_values() -> None:
    reader = read(
        {"tag": "input", "value": "v", "attributes": {"value": "old"}},
        {"tag": "input", "attributes": {"type": "checkbox"}, "checked": True},
        {"tag": "textarea", "value": "typed"},
        {"tag": "select", "value": "2", "children": [
            {"tag": "option", "attributes": {"value": "1", "selected": True}},
            {"tag": "option", "attributes": {"value": "2"}}]},
        {"id": "host", "shadow": [{"tag": "b", "text": "dark"}], "text": "light"},
    )  # fmt: skip
    starts = reader.starts[5:]
    assert starts[0][1]["value"] == "v" and "checked" in starts[1][1]
    assert "selected" not in starts[4][1] and "selected" in starts[5][1]
    assert reader.texts == ["Home", "typed", "dark", "light"]
    assert starts[7] == ("template", {"shadowrootmode": "open"})


def test_the_script_gets_the_handlers_as_data_and_can_not_be_ended_by_them() -> None:
    reader = read(
        {"id": "b", "tag": "button", "on": {"click": [{"title": "</script><script>alert(1)"}]}},
        on={"load": [{"title": "x"}]},
    )
    data: Any = loads(reader.script[reader.script.rindex("})({") + 3 : -2])
    assert data["rows"]["b"]["on"]["click"] == [{"title": "</script><script>alert(1)"}]
    assert data["on"] == {"load": [{"title": "x"}]} and set(data) == {"rows", "console", "requests", "timers", "on"}


def test_a_definition_that_is_none_is_refused() -> None:
    with pytest.raises(SettingsProblem, match="unknown key"):
        render({"x": 1})
    assert page_of(Definition({}, "test")).startswith("<!DOCTYPE html>")


@given(BODIES)
@settings(max_examples=50)
def test_any_page_is_read_back_with_every_element_in_its_place(body: Any) -> None:
    reader = read(*body)
    names = [attributes["data-node"] for _, attributes in reader.starts if "data-node" in attributes]
    expected = [node.name for node in Definition(page(*body), "test").tree().walk(shadow=True)]
    assert names == [name for name in expected if name in names]
    assert "body" in names
