"""What a user does, as W3C actions: one case a gesture."""
from __future__ import annotations

from typing import Any

import pytest

from fakes.engines import gestures

MOVE = {"type": "pointerMove", "x": 10, "y": 21, "duration": 0}
CASES: dict[str, tuple[list[dict[str, Any]], list[dict[str, Any]]]] = {
    "click": (
        gestures.click(10, 20.6), [MOVE, {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]
    ),
    "hover": (gestures.hover(10.2, 21), [MOVE]),
    "scroll": (gestures.scroll(1, 2, 0, 400.4), [{"type": "scroll", "x": 1, "y": 2, "deltaX": 0, "deltaY": 400}]),
    "a named key": (
        gestures.press("Enter"), [{"type": "keyDown", "value": "\ue006"}, {"type": "keyUp", "value": "\ue006"}]
    ),
    "a letter": (gestures.press("é"), [{"type": "keyDown", "value": "é"}, {"type": "keyUp", "value": "é"}]),
    "a chord": (
        gestures.chord(["Control"], "a"),
        [
            {"type": "keyDown", "value": "\ue009"}, {"type": "keyDown", "value": "a"},
            {"type": "keyUp", "value": "a"}, {"type": "keyUp", "value": "\ue009"},
        ],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("made", "steps"), CASES.values(), ids=CASES)
def test_a_gesture_is_one_source_with_its_steps(made: list[dict[str, Any]], steps: list[dict[str, Any]]) -> None:
    assert [source["actions"] for source in made] == [steps]


def test_every_named_key_is_one_code() -> None:
    assert all(len(code) == 1 for code in gestures.KEYS.values())
    assert gestures.keys(["a", "b"])[0]["actions"][2] == {"type": "keyDown", "value": "b"}
