"""Common spellings of keys to the official form: xdotool's names, joined by plus signs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

ALIASES: Final[Mapping[str, str]] = {
    **dict.fromkeys(("cmd", "command", "meta", "super", "win", "windows", "⌘"), "Meta_L"),
    **dict.fromkeys(("ctrl", "control", "⌃"), "Control_L"),
    **dict.fromkeys(("alt", "opt", "option", "⌥"), "Alt_L"),
    **dict.fromkeys(("shift", "⇧"), "Shift_L"),
    **dict.fromkeys(("enter", "return", "⏎"), "Return"),
    **dict.fromkeys(("esc", "escape"), "Escape"),
    **dict.fromkeys(("del", "delete", "backspace"), "BackSpace"),
    **dict.fromkeys(("forwarddelete", "forward_delete"), "Delete"),
    **dict.fromkeys(("space", "spacebar"), "space"),
    "tab": "Tab",
    "home": "Home",
    "end": "End",
    **dict.fromkeys(("pageup", "page_up", "pgup", "prior"), "Page_Up"),
    **dict.fromkeys(("pagedown", "page_down", "pgdn", "next"), "Page_Down"),
    **dict.fromkeys(("up", "arrowup", "uparrow"), "Up"),
    **dict.fromkeys(("down", "arrowdown", "downarrow"), "Down"),
    **dict.fromkeys(("left", "arrowleft", "leftarrow"), "Left"),
    **dict.fromkeys(("right", "arrowright", "rightarrow"), "Right"),
    "plus": "plus",
    "minus": "minus",
    **{f"f{n}": f"F{n}" for n in range(1, 21)},
}
"""Spelling in lower case to the official name. `Delete`, spelled exactly so, is the official name and stays."""

OFFICIAL: Final = frozenset(ALIASES.values()) | {
    "Delete", "Insert", "Meta_R", "Control_R", "Alt_R", "Shift_R", "Super_L", "Super_R", "Caps_Lock", "KP_Enter",
}  # fmt: skip
"""Names that are passed on as they are."""


def _part(text: str) -> str:
    if text in OFFICIAL:
        return text
    if len(text) == 1 and text.isascii() and text.isalpha():
        return text.lower()
    return ALIASES.get(text.casefold(), text)


def normalise(key: str) -> str:
    """A key or combination in the official form: "CMD+A" is "Meta_L+a", "cmd++" is "Meta_L+plus". What is not known
    is passed on as it is: the helper decides."""
    stripped = key.strip()
    if stripped == "+":
        return "plus"
    if stripped.endswith("++"):
        stripped = stripped[:-1] + "plus"
    parts = [part.strip() for part in stripped.split("+")]
    if not all(parts):
        return key
    return "+".join(_part(part) for part in parts)
