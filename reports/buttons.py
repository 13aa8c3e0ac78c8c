"""What the browser extension's button looks like in each of its states, as pictures: text and colour are the ones that
the extension itself uses (stack/chrome/looks.json), so a picture can't say other than the button does.

Separate from the diagrams of runs, which are drawn from evidence: this is drawn from one table.
"""
from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

TABLE = Path(__file__).resolve().parents[1] / "stack" / "chrome" / "looks.json"
KEYS = {"text", "color", "title"}
COLOUR = re.compile(r"#[0-9a-f]{6}")


@dataclass(frozen=True, slots=True)
class Button:
    """One state. says: the words beside the pointer; picture: SVG."""

    state: str
    says: str
    picture: str


def table(path: Path = TABLE) -> Mapping[str, Mapping[str, str]]:
    """State -> text, color and title, in the table's order. ValueError where a row is another."""
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    for state, look in found.items():
        if set(look) != KEYS or not all(isinstance(each, str) for each in look.values()):
            raise ValueError(f"{path}: {state} is {look!r}; expected {', '.join(sorted(KEYS))}, each a text")
        if COLOUR.fullmatch(look["color"]) is None:
            raise ValueError(f"{path}: {state} has the colour {look['color']!r}; expected # and six digits")
    return found


def buttons(looks: Mapping[str, Mapping[str, str]]) -> tuple[Button, ...]:
    """A picture of each state, in the order of the table."""
    return tuple(Button(state, look["title"], _svg(look)) for state, look in looks.items())


def _svg(look: Mapping[str, str]) -> str:
    """The button in a toolbar, with its badge; nothing in it is loaded from anywhere."""
    title = escape(look["title"])
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="88" height="56" viewBox="0 0 88 56" role="img" '
        f'aria-label="{title}"><title>{title}</title>'
        '<rect x="0.5" y="0.5" width="87" height="55" rx="8" fill="#f3f4f6" stroke="#d1d5db"/>'
        '<rect x="28" y="8" width="32" height="32" rx="6" fill="#374151"/>'
        '<text x="44" y="30" font-size="18" font-family="sans-serif" text-anchor="middle" fill="#ffffff">T</text>'
        f'<rect x="42" y="30" width="32" height="18" rx="4" fill="{look["color"]}"/>'
        '<text x="58" y="43" font-size="12" font-family="sans-serif" text-anchor="middle" fill="#ffffff">'
        f'{escape(look["text"])}</text></svg>'
    )  # fmt: skip
