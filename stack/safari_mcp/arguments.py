"""Checks a call's arguments against the schema that the tool is listed with: what is outside is refused, never cut.

The bounds that a client reads and the bounds that are kept are one table (listing.py). Only the words of JSON Schema
that stand there are understood; another one is a defect of the table.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Final, NoReturn

from stack.contract import Json
from stack.errors import CallError

KINDS: Final[Mapping[str, tuple[type, ...]]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "object": (dict,),
}
KNOWN: Final = frozenset({
    "type", "description", "properties", "required", "additionalProperties", "anyOf", "enum", "pattern", "minLength",
    "maxLength", "minimum", "maximum", "default",
})  # fmt: skip
"""The words that a schema of listing.py may have."""


def _bad(what: str) -> NoReturn:
    raise CallError("invalid_arguments", what)


def check(schema: Mapping[str, Json], value: Json, place: str = "arguments") -> None:
    """CallError(invalid_arguments), which says where and what was expected, and quotes nothing."""
    kind = str(schema["type"])
    if not isinstance(value, KINDS[kind]) or (isinstance(value, bool) and kind != "boolean"):
        _bad(f"{place} is {_named(value)}; expected {kind}")
    if "enum" in schema and value not in _list(schema["enum"]):
        _bad(f"{place} is none of {schema['enum']}")
    if isinstance(value, dict):
        _check_object(schema, value, place)
    elif isinstance(value, str):
        _check_text(schema, value, place)
    elif not isinstance(value, bool) and isinstance(value, int | float):
        _check_number(schema, value, place)


def _named(value: Json) -> str:
    names = {dict: "object", list: "array", str: "string", bool: "boolean", int: "number", float: "number"}
    return names.get(type(value), "null")


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []


def _object(value: Json) -> dict[str, Json]:
    return value if isinstance(value, dict) else {}


def _check_object(schema: Mapping[str, Json], value: Mapping[str, Json], place: str) -> None:
    properties = _object(schema.get("properties"))
    for name in value:
        if name not in properties:
            _bad(f"{place} has an unknown member {name[:80]!r}; expected {', '.join(properties) or 'none'}")
    for needed in _list(schema.get("required")):
        if needed not in value:
            _bad(f"{place} has no {needed}")
    choices = [_list(_object(choice).get("required")) for choice in _list(schema.get("anyOf"))]
    if choices and not any(all(name in value for name in names) for names in choices):
        _bad(f"{place} has none of {' and '.join(str(name) for names in choices for name in names)}; one is needed")
    for name, part in value.items():
        check(_object(properties[name]), part, f"{place}.{name}")


def _check_text(schema: Mapping[str, Json], value: str, place: str) -> None:
    least, most = schema.get("minLength", 0), schema.get("maxLength", math.inf)
    assert isinstance(least, int)
    assert isinstance(most, int | float)
    if not least <= len(value) <= most:
        _bad(f"{place} has {len(value)} characters; expected {least} to {most}")
    if "pattern" in schema and re.fullmatch(str(schema["pattern"]), value) is None:
        _bad(f"{place} does not have the form {schema['pattern']}")


def _check_number(schema: Mapping[str, Json], value: float, place: str) -> None:
    least, most = schema.get("minimum", -math.inf), schema.get("maximum", math.inf)
    assert isinstance(least, int | float)
    assert isinstance(most, int | float)
    if not math.isfinite(value) or not least <= value <= most:
        _bad(f"{place} is out of its bounds; expected {least} to {most}")
