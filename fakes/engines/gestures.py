"""What a user does, as W3C actions: pointer, keys and wheel, each in one list for POST /actions. Pure.

Source of the keys: W3C WebDriver, the table of key codes of section Keyboard actions.
"""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

KEYS: Mapping[str, str] = {
    "Cancel": "\ue001", "Backspace": "\ue003", "Tab": "\ue004", "Return": "\ue006", "Enter": "\ue006",
    "Shift": "\ue008", "Control": "\ue009", "Alt": "\ue00a", "Escape": "\ue00c", "Space": " ", "PageUp": "\ue00e",
    "PageDown": "\ue00f", "End": "\ue010", "Home": "\ue011", "ArrowLeft": "\ue012", "ArrowUp": "\ue013",
    "ArrowRight": "\ue014", "ArrowDown": "\ue015", "Insert": "\ue016", "Delete": "\ue017", "Meta": "\ue03d",
}  # fmt: skip
"""Name of a key (KeyboardEvent.key) to its W3C code point."""


def click(x: float, y: float) -> list[dict[str, Any]]:
    """A press and release of the first button at a point of the viewport."""
    return [_pointer([_move(x, y), {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}])]


def hover(x: float, y: float) -> list[dict[str, Any]]:
    """The pointer comes to a point of the viewport."""
    return [_pointer([_move(x, y)])]


def scroll(x: float, y: float, dx: float, dy: float) -> list[dict[str, Any]]:
    """The wheel turns over a point of the viewport."""
    turn = {"type": "scroll", "x": round(x), "y": round(y), "deltaX": round(dx), "deltaY": round(dy)}
    return [{"type": "wheel", "id": "wheel", "actions": [turn]}]


def press(key: str) -> list[dict[str, Any]]:
    """One key goes down and up: a name of KEYS, or a character."""
    return keys([KEYS.get(key, key)])


def keys(codes: list[str]) -> list[dict[str, Any]]:
    """Keys one after another, each down and up."""
    steps = [{"type": kind, "value": code} for code in codes for kind in ("keyDown", "keyUp")]
    return [{"type": "key", "id": "keyboard", "actions": steps}]


def chord(held: list[str], key: str) -> list[dict[str, Any]]:
    """One key while others are held, by their names in KEYS."""
    down = [{"type": "keyDown", "value": KEYS[name]} for name in held]
    up = [{"type": "keyUp", "value": KEYS[name]} for name in reversed(held)]
    once = [{"type": kind, "value": KEYS.get(key, key)} for kind in ("keyDown", "keyUp")]
    return [{"type": "key", "id": "keyboard", "actions": [*down, *once, *up]}]


def _move(x: float, y: float) -> dict[str, Any]:
    return {"type": "pointerMove", "x": round(x), "y": round(y), "duration": 0}


def _pointer(actions: list[dict[str, Any]]) -> dict[str, Any]:
    return {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": actions}
