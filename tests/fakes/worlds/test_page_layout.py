"""Boxes, what lies at a point, and what overlaps."""

from __future__ import annotations

from typing import Any

from fakes.worlds.page import Definition
from fakes.worlds.page_layout import Layout, inside, overlaps, union
from fakes.worlds.page_live import Page
from tests.fakes.worlds.surf import page

PAGE = Page(Definition(page(
    {"id": "first", "tag": "p", "text": "first"},
    {"id": "field", "tag": "input"},
    {"id": "empty"},
    {"id": "placed", "at": [500, 300, 40, 20], "text": "placed"},
    {"id": "last", "tag": "button", "text": "last"},
    {"id": "gone", "hidden": "display"},
    {"id": "frame", "tag": "iframe"},
), "test"))  # fmt: skip
LAYOUT = PAGE.layout(1000)


def test_lines_lie_below_one_another_and_places_are_exact() -> None:
    boxes: Any = {node.name: box for node, box in LAYOUT.boxes.items()}
    assert boxes["first"] == (8.0, 8.0, 40.0, 20.0)
    assert boxes["field"] == (8.0, 28.0, 150.0, 20.0)
    assert boxes["empty"] == (8.0, 48.0, 0.0, 0.0)
    assert boxes["placed"] == (500, 300, 40, 20)
    assert boxes["last"] == (8.0, 48.0, 32.0, 20.0)
    assert boxes["frame"] == (8.0, 68.0, 300.0, 150.0)
    assert "gone" not in boxes
    assert LAYOUT.height == 320 and LAYOUT.size([]) == (1000, 320) and LAYOUT.size([10, 20]) == (10, 20)


def test_what_lies_at_a_point() -> None:
    for name in ("first", "field", "placed", "last"):
        node = PAGE.find(name)
        assert LAYOUT.under(*LAYOUT.centre(node)) is node
    assert LAYOUT.under(900, 900) is PAGE.body
    assert Layout(Page(Definition(page(), "test")).body, 100).under(1, 1) is not None


def test_an_overlay_lies_over_what_comes_after_it() -> None:
    made = Page(Definition(page(
        {"id": "veil", "overlay": True, "at": [0, 0, 100, 100], "children": [{"id": "close", "at": [80, 0, 20, 20]}]},
        {"id": "below", "at": [10, 10, 20, 20]},
    ), "test"))  # fmt: skip
    layout = made.layout(1000)
    assert layout.under(15, 15) is made.find("veil")
    assert layout.under(85, 5) is made.find("close")
    made.find("veil").hidden = "visibility"
    assert layout.under(15, 15) is made.find("below")


def test_boxes() -> None:
    assert union([]) is None
    assert union([(0, 0, 1, 1), (5, 5, 1, 2)]) == (0, 0, 6, 7)
    assert inside((0, 0, 2, 2), 1, 1) and not inside((0, 0, 2, 2), 2, 1)
    assert overlaps((0, 0, 2, 2), (1, 1, 5, 5)) and not overlaps((0, 0, 2, 2), (5, 5, 1, 1))
    assert overlaps((3, 3, 0, 0), (1, 1, 5, 5)), "a node without a size is where it is"
