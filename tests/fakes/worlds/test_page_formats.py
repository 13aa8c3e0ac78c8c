"""The formats beside textTree, on one page."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings

from fakes.worlds.page_content import Extraction, node_of
from fakes.worlds.page_formats import FORMATS
from harness.wire.jsontext import loads
from tests.fakes.worlds.grow import BODIES
from tests.fakes.worlds.surf import HOME, surf

BODY: tuple[Any, ...] = (
    {"tag": "h1", "text": "Title & more"},
    {"tag": "ul", "children": [{"tag": "li", "text": "item"}]},
    {"id": "l", "tag": "a", "attributes": {"href": "two"}, "children": ["two ", {"tag": "b", "text": "words"}]},
    {"tag": "a", "attributes": {"href": "two"}, "text": "two"},
    {"tag": "img", "attributes": {"alt": "cat"}},
    {"tag": "input", "attributes": {"name": "q"}},
    {"tag": "select", "children": [{"tag": "option", "text": "One"}]},
    {"tag": "iframe", "attributes": {"src": "/two"}},
)


def written(format: str, **options: Any) -> str:
    _, tab = surf(*BODY)
    return FORMATS[format](
        Extraction(tab.document, {"format": format, "includeSelectOptions": True, **options}, (1200, 740))
    )


def test_text_is_text_tree() -> None:
    assert written("text") == written("textTree")


def test_json() -> None:
    tree: Any = loads(written("json", includeRects=True, includeSubframes=True, nodeIds="allContainers"))
    assert tree["version"] == 2 and tree["type"] == "root" and tree["rect"]["x"] == 8
    kinds = [child["type"] for child in tree["children"]]
    assert kinds == ["h1", "list", "link", "link", "image", "input", "select", "iframe"]
    assert tree["children"][2]["url"] == HOME + "two" and isinstance(tree["children"][2]["uid"], int)
    assert tree["children"][6]["children"][0] == {
        "type": "option",
        "nodeName": "option",
        "content": "One",
        "selected": True,
    }
    assert tree["children"][7]["children"] == [{"type": "text", "content": "second"}]


def test_json_has_texts_for_numbers_in_frames() -> None:
    _, tab = surf(
        {"tag": "iframe", "attributes": {"src": "/f"}}, world={"pages": {HOME + "f": {"body": [{"tag": "button"}]}}}
    )
    tree: Any = loads(FORMATS["json"](Extraction(tab.document, {"includeSubframes": True}, (1200, 740))))
    assert tree["children"][0]["children"][0]["uid"] == "6_1_1"


def test_html() -> None:
    text = written("html")
    assert text.startswith("<h1>Title &amp; more</h1><ul><li>item</li></ul>")
    assert f'<a uid=1 href="{HOME}two">two' in text and "<img>" in text and "</input>" not in text


def test_markdown() -> None:
    lines = written("markdown").split("\n")
    assert lines[:4] == ["Title & more", "- item", f"[two words]({HOME}two)", f"<{HOME}two>"]
    assert lines[4] == "![cat]()"


def test_plain_text() -> None:
    assert written("plainText").split("\n") == ["Title & more", "item", "two", "words", "two"]


@pytest.mark.parametrize("which", ["none", "editable", "interactive", "allContainers"])
@given(body=BODIES)
@settings(max_examples=15)
def test_any_page_has_every_format_and_its_numbers_are_those_of_visible_nodes(which: str, body: Any) -> None:
    _, tab = surf(*body)
    for format, write in FORMATS.items():
        options: dict[str, Any] = {
            "format": format,
            "nodeIds": which,
            "includeSubframes": True,
            "region": "entire_page",
        }
        extraction = Extraction(tab.document, options, (1200, 740))
        assert isinstance(write(extraction), str)
        for uid, document, node in extraction.shown:
            assert node_of(tab.document, uid) == (document, node) and node.visible
