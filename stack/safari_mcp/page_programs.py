"""The fixed programs that run in a page, and the only way in which a caller's words get there.

A program is one function; what is sent is `return (PROGRAM)(JSON)`. Whatever a selector or text holds stands inside one
JSON value in ASCII, so it can't change what the program is. The answer is one JSON string with the program's name and
the page's own URL, so an answer of something else is not read as one.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Final, NoReturn

from stack.contract import Json
from stack.errors import CallError, ProtocolError
from stack.safari_mcp.wire import parse_json

NAMES: Final = ("ready", "read", "link", "find", "search")
SCAN: Final = 2000
"""How many elements one look goes through at the most."""


def _source(name: str) -> str:
    return (resources.files(__package__) / "programs" / f"{name}.js").read_text(encoding="utf-8").strip()


PROGRAMS: Final[Mapping[str, str]] = {name: _source(name) for name in NAMES}
"""Name -> text, as it is sent and as fakes know it by its hash."""


def expression(name: str, data: Mapping[str, Json]) -> str:
    """What evaluate_javascript is given: the body of a function."""
    given = json.dumps(dict(data), ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return f"return ({PROGRAMS[name]})({given})"


@dataclass(frozen=True, slots=True)
class PageAnswer:
    """url: the page's own `location.href`, when it answered."""

    url: str
    data: Mapping[str, Json]


def _bad(name: str, what: str) -> NoReturn:
    raise ProtocolError("page_malformed", f"the page program {name} answered {what}")


def read_answer(name: str, text: str) -> PageAnswer:
    """The answer of a program. Raises ProtocolError(page_malformed), or CallError(invalid_selector) where the page says
    that the caller's selector is none."""
    try:
        value = parse_json(text)
        if isinstance(value, str):  # the driver gives the value as JSON, and the value is a text of JSON itself
            value = parse_json(value)
    except ValueError as error:
        _bad(name, f"no JSON ({error})")
    if not isinstance(value, dict) or value.get("program") != name:
        _bad(name, "something that is not its own")
    url, data = value.get("url"), value.get("data")
    if value.get("ok") is False and value.get("error") == "invalid_selector":
        raise CallError("invalid_selector", "the page can't read the selector")
    if value.get("ok") is not True or not isinstance(url, str) or not isinstance(data, dict):
        _bad(name, "without its URL and data")
    return PageAnswer(url, data)
