"""The page program as `evaluate_javascript` is given it, and its answers as the driver passes them on.

Separate from the tab, because both are texts. The program is the one of the session over Apple Events, unchanged; a
caller's words and what was observed reach it as one JSON argument in ASCII.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

from stack.contract import Json
from stack.safari_jxa.page import reply_of
from stack.safari_jxa.scripts import program
from stack.safari_mcp.wire import parse_json

WRAPPED: Final = 2
"""How often a text may stand as JSON in a text: the driver gives a value as JSON, and some drivers do that twice."""


def expression(argument: Mapping[str, Json]) -> str:
    """The body of a function that runs the program once. Neither the program nor JSON has a line that begins so."""
    given = json.dumps(dict(argument), ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return f"return ({program()}\n)({given})"


def answer(text: str) -> Mapping[str, Json] | None:
    """The program's reply; None where there is none that can be read."""
    value: Json = text
    for _ in range(WRAPPED):
        try:
            inner = parse_json(str(value))
        except ValueError:
            return None
        if not isinstance(inner, str):
            return reply_of(value)
        value = inner
    return reply_of(value)
