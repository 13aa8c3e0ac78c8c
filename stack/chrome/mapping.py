"""From a rectangle in the page's viewport to a place on the screen. Pure: every input is in the rectangle.

Source of the geometry: Chrome gives `screenX`, `outerWidth` and `outerHeight` in device-independent pixels, and all
that is of the viewport in CSS pixels, which page zoom makes larger. Toolbars are above the page; what is left over at
the sides is the frame, as wide on the left as on the right.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

STILL: Final = (
    "x", "y", "w", "h", "frame_offset", "scroll", "zoom", "device_pixel_ratio", "viewport", "screen", "outer",
    "window_id",
)  # fmt: skip
"""What has to be the same in two rectangles that were taken one after the other. Their tab is the reference's own."""


@dataclass(frozen=True, slots=True)
class Point:
    x: float
    y: float


def moved(first: Mapping[str, Any], second: Mapping[str, Any]) -> str | None:
    """What is different in the second rectangle; None where nothing has moved."""
    return next((name for name in STILL if first.get(name) != second.get(name)), None)


def inside(rectangle: Mapping[str, Any]) -> bool:
    """Whether the centre is in the viewport, where alone it can be clicked."""
    x, y = _centre(rectangle)
    viewport = rectangle["viewport"]
    return bool(0 <= x < viewport["w"] and 0 <= y < viewport["h"] and rectangle["w"] > 0 and rectangle["h"] > 0)


def on_screen(rectangle: Mapping[str, Any], unit: str) -> Point:
    """The rectangle's centre on the screen. unit: `point` (device-independent), or `pixel` of the display."""
    zoom = rectangle["zoom"]
    viewport, outer, screen = rectangle["viewport"], rectangle["outer"], rectangle["screen"]
    side = (outer["w"] - viewport["w"] * zoom) / 2
    above = outer["h"] - viewport["h"] * zoom - side
    x, y = _centre(rectangle)
    scale = rectangle["device_pixel_ratio"] / zoom if unit == "pixel" else 1
    return Point((screen["x"] + side + x * zoom) * scale, (screen["y"] + above + y * zoom) * scale)


def _centre(rectangle: Mapping[str, Any]) -> tuple[float, float]:
    return rectangle["x"] + rectangle["w"] / 2, rectangle["y"] + rectangle["h"] / 2
