"""Lines of a textTree: merged texts, rectangles, cuts, repeats."""

from __future__ import annotations

import pytest

from fakes.worlds.page_content import Extraction
from fakes.worlds.page_tree import rect, text_tree, truncated
from tests.fakes.worlds.surf import surf


def test_rectangles_where_asked() -> None:
    _, tab = surf(
        {"id": "b", "tag": "button", "text": "B", "at": [1, 2, 30, 40]},
        {"tag": "p", "text": "t"},
        {"tag": "ul", "children": ["a", {"text": "b"}]},
    )
    text = text_tree(Extraction(tab.document, {"includeRects": True}, (1200, 740)))
    assert text.split("\n") == [
        "root",
        "\tbutton uid=1 [1,2;30×40] 'B'",
        "\t't' [8,8;8×20]",
        "\tlist",
        "\t\t'a' [8,28;8×40]",
        "\t\t'b' [8,48;8×20]",
    ]
    assert rect((0.4, 0.6, 1, 1)) == "[0,1;1×1]"


def test_equal_neighbours_are_one_line() -> None:
    _, tab = surf({"tag": "p", "text": "x"}, {"tag": "p", "text": "x"}, {"tag": "p", "text": "y"})
    assert text_tree(Extraction(tab.document, {}, (1200, 740))).split("\n") == ["root", "\t'x'", "\t'y'"]


@pytest.mark.parametrize(("limit", "beside", "expected"), [
    (3, False, "w0 w1 w2…"),
    (12, True, "w0 w1 w2 w3 w4 w5 w6 … w15 w16 w17 w18 w19"),
    (3, True, "w0 w1 w2…"),
    (0, False, None),
    (20, False, None),
    ("x", False, None),
])  # fmt: skip
def test_cuts(limit: object, beside: bool, expected: str | None) -> None:
    text = " ".join(f"w{n}" for n in range(20))
    assert truncated(text, limit, beside) == (text if expected is None else expected)


def test_a_text_beside_a_link_keeps_its_ends() -> None:
    _, tab = surf(" ".join(f"w{n}" for n in range(30)), {"tag": "a", "attributes": {"href": "x"}, "text": "link"})
    assert " … w25" in text_tree(Extraction(tab.document, {}, (1200, 740)))
