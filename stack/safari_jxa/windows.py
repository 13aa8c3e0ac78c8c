"""Windows and displays: what there is, and where a new window goes.

Separate from the session, which has one window and looks for no other. Coordinates are Safari's own for `bounds`:
points from the top left corner of the primary display, y downwards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from stack.contract import Json
from stack.errors import CallError
from stack.safari_jxa.bridge import Bridge
from stack.safari_jxa.errors import BridgeError

Box: TypeAlias = tuple[float, float, float, float]
"""x, y, width, height."""

SIDES: Final[Mapping[str, Box]] = {
    "left": (0, 0, 0.5, 1),
    "right": (0.5, 0, 0.5, 1),
    "top": (0, 0, 1, 0.5),
    "bottom": (0, 0.5, 1, 0.5),
}
"""Side -> the part of a display, as fractions of its size."""


@dataclass(frozen=True, slots=True)
class Display:
    """One display without its menu bar and Dock. index: 0 is the primary one."""

    index: int
    box: Box

    def shown(self) -> dict[str, Json]:
        """The shape of a tool's answer."""
        return {"index": self.index, "x": self.box[0], "y": self.box[1], "width": self.box[2], "height": self.box[3]}


def box_of(value: Json) -> Box | None:
    """Four numbers, the last two above 0; None for anything else."""
    if not isinstance(value, list) or len(value) != 4:
        return None
    numbers = [part for part in value if isinstance(part, int | float) and not isinstance(part, bool)]
    if len(numbers) != 4 or numbers[2] <= 0 or numbers[3] <= 0:
        return None
    return (numbers[0], numbers[1], numbers[2], numbers[3])


async def displays(bridge: Bridge) -> tuple[Display, ...]:
    """Every display. No Apple Event."""
    listed = (await bridge.request("displays", {})).get("displays")
    boxes = [box_of(value) for value in listed] if isinstance(listed, list) else []
    found = tuple(Display(index, box) for index, box in enumerate(boxes) if box is not None)
    if not found or len(found) != len(boxes):
        raise BridgeError("bridge_failed", "the bridge gave no displays that can be read")
    return found


def display_of(box: Box | None, all_displays: Sequence[Display]) -> int | None:
    """The display on which most of a window is; None where none of it is on any."""
    if box is None:
        return None
    best, index = 0.0, None
    for display in all_displays:
        shared = _overlap(box, display.box)
        if shared > best:
            best, index = shared, display.index
    return index


def _overlap(one: Box, other: Box) -> float:
    width = min(one[0] + one[2], other[0] + other[2]) - max(one[0], other[0])
    height = min(one[1] + one[3], other[1] + other[3]) - max(one[1], other[1])
    return max(width, 0) * max(height, 0)


def placement(all_displays: Sequence[Display], display: int | None, bounds: Box | None, side: str | None) -> Box | None:
    """Where a new window goes: bounds as given, or all or half of a display (the primary one, if only a side is
    given); None for wherever Safari puts it. side: one of SIDES, which the schema of `open` has. CallError."""
    if bounds is not None:
        if display is not None or side is not None:
            raise CallError("invalid_arguments", "bounds together with a display or a side; expected one or the other")
        return bounds
    if display is None and side is None:
        return None
    index = display or 0
    if not 0 <= index < len(all_displays):
        raise CallError("invalid_arguments", f"display {index}; expected one of 0 to {len(all_displays) - 1}")
    x, y, width, height = all_displays[index].box
    left, top, wide, high = SIDES[side] if side is not None else (0, 0, 1, 1)
    return (x + left * width, y + top * height, wide * width, high * height)


async def windows(bridge: Bridge, *, titles: bool) -> list[Json]:
    """Every window of this Safari with a tab: id, number of tabs, display; titles and URLs only when asked for."""
    known = await displays(bridge)
    listed = (await bridge.request("windows", {"pid": bridge.pid, "titles": titles})).get("windows")
    if not isinstance(listed, list):
        raise BridgeError("bridge_failed", "the bridge gave no windows that can be read")
    found: list[Json] = []
    for row in listed:
        if not isinstance(row, dict) or not isinstance(row.get("window"), int) or not isinstance(row.get("tabs"), int):
            raise BridgeError("bridge_failed", "the bridge gave a window that can't be read")
        shown: dict[str, Json] = {"window": row["window"], "tabs": row["tabs"]}
        shown["display"] = display_of(box_of(row.get("bounds")), known)
        if titles:
            shown |= {"title": row.get("title"), "url": row.get("url")}
        found.append(shown)
    return found
