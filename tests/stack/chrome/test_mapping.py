"""From the page to the screen, with zoom, toolbars, frames and the display's scale."""

from __future__ import annotations

from typing import Any

import pytest

from stack.chrome.mapping import STILL, Point, inside, moved, on_screen

PLAIN: dict[str, Any] = {
    "space": "main_viewport_css_px", "x": 100, "y": 50, "w": 20, "h": 10, "visible": True,
    "frame_offset": {"x": 0, "y": 0}, "scroll": {"x": 0, "y": 0}, "zoom": 1, "device_pixel_ratio": 2,
    "viewport": {"w": 800, "h": 600}, "screen": {"x": 40, "y": 60}, "outer": {"w": 820, "h": 700}, "window_id": 1,
    "tab_id": 2,
}  # fmt: skip


@pytest.mark.parametrize(
    ("change", "unit", "point"),
    [
        ({}, "point", Point(40 + 10 + 110, 60 + 90 + 55)),
        ({}, "pixel", Point(2 * 160, 2 * 205)),
        (
            {"zoom": 2, "device_pixel_ratio": 4, "viewport": {"w": 400, "h": 300}},
            "point",
            Point(40 + 10 + 220, 60 + 90 + 110),
        ),
        ({"zoom": 2, "device_pixel_ratio": 4, "viewport": {"w": 400, "h": 300}}, "pixel", Point(540, 520)),
        ({"outer": {"w": 800, "h": 600}}, "point", Point(40 + 110, 60 + 55)),
    ],
)
def test_the_centre_on_the_screen(change: dict[str, Any], unit: str, point: Point) -> None:
    assert on_screen({**PLAIN, **change}, unit) == point


def test_whatever_is_different_has_moved() -> None:
    assert moved(PLAIN, dict(PLAIN)) is None
    for name in STILL:
        assert moved(PLAIN, {**PLAIN, name: "other"}) == name


@pytest.mark.parametrize(
    ("change", "is_inside"),
    [({}, True), ({"x": -15}, False), ({"x": 795}, False), ({"y": 596}, False), ({"w": 0}, False), ({"x": -5}, True)],
)
def test_only_what_is_in_the_viewport_can_be_clicked(change: dict[str, Any], is_inside: bool) -> None:
    assert inside({**PLAIN, **change}) is is_inside
