"""A page as it is: its nodes by name, and its text as innerText has it."""

from __future__ import annotations

from typing import Any

import pytest

from fakes.settings import SettingsProblem
from fakes.worlds.page import Definition
from fakes.worlds.page_live import Page, inner_text
from tests.fakes.worlds.surf import page


def live(*body: Any) -> Page:
    return Page(Definition(page(*body), "test"))


@pytest.mark.parametrize(("body", "text"), [
    (["plain"], "plain"),
    ([{"tag": "p", "text": "a"}, {"tag": "p", "text": "b"}], "a\n\nb"),
    ([{"text": "a"}, {"text": "b"}], "a\nb"),
    ([{"tag": "span", "text": "a"}, {"tag": "b", "text": "b"}], "ab"),
    ([{"tag": "span", "text": "a "}, {"tag": "b", "text": " b"}], "a b"),
    (["a", {"tag": "br"}, "b"], "a\nb"),
    ([{"text": " a\n   b "}], "a b"),
    ([{"tag": "table", "children": [
        {"tag": "tr", "children": [{"tag": "td", "text": "1"}, {"tag": "td", "text": "2"}]}]}], "1\t2"),
    ([{"text": "seen"}, {"text": "no", "hidden": "display"}, {"text": "nor", "hidden": "visibility"}], "seen"),
    ([{"tag": "input", "value": "typed"}, {"tag": "select", "children": [{"tag": "option", "text": "o"}]}], ""),
    ([{"shadow": [{"text": "shadow"}], "text": "light"}], ""),
])  # fmt: skip
def test_inner_text(body: Any, text: str) -> None:
    assert live(*body).text() == text


def test_what_is_not_rendered_has_its_whole_text() -> None:
    made = live({"id": "a", "hidden": "display", "text": "a", "children": [{"text": "b"}]})
    assert inner_text(made.find("a")) == "ab"


def test_nodes_by_name_and_by_selector() -> None:
    made = live({"id": "a", "tag": "p", "shadow": [{"id": "s"}]})
    assert made.find("s").name == "s" and made.names() == {"body", "a", "s"}
    assert [node.name for node in made.select("p")] == ["a"]
    assert [node.name for node in made.walk()] == ["body", "a"]
    with pytest.raises(SettingsProblem, match="node 'b'"):
        made.find("b")
