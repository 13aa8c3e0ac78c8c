"""Whether a message is one of the protocol: protocol.json, read by a validator of exactly the keywords that it uses.

The extension bundles the same file. A keyword that this validator does not know raises when the schema is loaded, so
that no rule of the schema is ever skipped. Unknown verbs and members are refused, because every object of the schema
says which members it has.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final

from stack.contract import Json

KEYWORDS: Final = frozenset({
    "type", "const", "enum", "required", "properties", "additionalProperties", "items", "maxItems", "minItems",
    "minLength", "maxLength", "minimum", "maximum", "pattern", "$ref", "anyOf",
})  # fmt: skip
TYPES: Final[Mapping[str, Callable[[Any], bool]]] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
}
_REF: Final = "#/$defs/"


class Invalid(Exception):
    """A value that does not fit. path: where in it, as a JSON pointer; why: the rule. No part of it is quoted."""

    def __init__(self, path: str, why: str) -> None:
        super().__init__(f"{path or '/'} {why}")
        self.path = path
        self.why = why


class Schema:
    """The definitions of one document, checked for keywords that are unknown here. ValueError for one."""

    def __init__(self, definitions: Mapping[str, Any]) -> None:
        self._definitions = definitions
        for name, rule in definitions.items():
            _known(rule, name)

    def check(self, name: str, value: Json) -> None:
        """Raises Invalid unless `value` is a `name`; KeyError where there is no such definition."""
        self._check(self._definitions[name], value, "")

    def _check(self, rule: Mapping[str, Any], value: Any, path: str) -> None:
        if "$ref" in rule:
            self._check(self._definitions[rule["$ref"].removeprefix(_REF)], value, path)
        if "anyOf" in rule and not any(self._fits(each, value, path) for each in rule["anyOf"]):
            raise Invalid(path, "is none of what it may be")
        if "type" in rule and not TYPES[rule["type"]](value):
            raise Invalid(path, f"is no {rule['type']}")
        if "const" in rule and not _same(rule["const"], value):
            raise Invalid(path, f"is not {rule['const']!r}")
        if "enum" in rule and not any(_same(each, value) for each in rule["enum"]):
            raise Invalid(path, f"is not one of {', '.join(map(str, rule['enum']))}")
        if isinstance(value, str):
            _text(rule, value, path)
        elif isinstance(value, dict):
            self._object(rule, value, path)
        elif isinstance(value, list):
            self._array(rule, value, path)
        elif TYPES["number"](value):
            _number(rule, value, path)

    def _fits(self, rule: Mapping[str, Any], value: Any, path: str) -> bool:
        try:
            self._check(rule, value, path)
        except Invalid:
            return False
        return True

    def _object(self, rule: Mapping[str, Any], value: Mapping[str, Any], path: str) -> None:
        for name in rule.get("required", ()):
            if name not in value:
                raise Invalid(path, f"has no {name}")
        known = rule.get("properties", {})
        for name, each in value.items():
            if name in known:
                self._check(known[name], each, f"{path}/{name}")
            elif rule.get("additionalProperties") is False:
                raise Invalid(path, "has a member that is not known")

    def _array(self, rule: Mapping[str, Any], value: list[Any], path: str) -> None:
        if not rule.get("minItems", 0) <= len(value) <= rule.get("maxItems", len(value)):
            raise Invalid(path, f"has {len(value)} places")
        if "items" in rule:
            for index, each in enumerate(value):
                self._check(rule["items"], each, f"{path}/{index}")


def _same(wanted: Any, value: Any) -> bool:
    """Equal, and of one type: true is not 1."""
    return type(wanted) is type(value) and bool(wanted == value)


def _text(rule: Mapping[str, Any], value: str, path: str) -> None:
    size = len(value.encode("utf-16-le", "surrogatepass")) // 2  # as JavaScript counts
    if not rule.get("minLength", 0) <= size <= rule.get("maxLength", size):
        raise Invalid(path, f"has {size} characters")
    if "pattern" in rule and not _pattern(rule["pattern"]).search(value):
        raise Invalid(path, "has another form")


@cache
def _pattern(text: str) -> re.Pattern[str]:
    """`$` ends the text, as in JavaScript; in Python it would let a newline follow."""
    return re.compile(text[:-1] + r"\Z" if text.endswith("$") else text, re.ASCII)


def _number(rule: Mapping[str, Any], value: float, path: str) -> None:
    if not rule.get("minimum", value) <= value <= rule.get("maximum", value):
        raise Invalid(path, "is out of its range")


def _known(rule: Any, where: str) -> None:
    unknown = set(rule) - KEYWORDS
    if unknown:
        raise ValueError(f"{where}: the keyword {sorted(unknown)[0]!r} is not one that is checked here")
    inner = [*rule.get("properties", {}).values(), *rule.get("anyOf", ())]
    for each in [*inner, rule["items"]] if "items" in rule else inner:
        _known(each, where)


DOCUMENT: Final[Mapping[str, Any]] = json.loads(
    files("stack.chrome").joinpath("protocol.json").read_text(encoding="utf-8")
)
PROTOCOL: Final[int] = DOCUMENT["protocol"]
HOST_NAME: Final[str] = DOCUMENT["host_name"]
EXTENSION_ID: Final[str] = DOCUMENT["extension_id"]
BOUNDS: Final[Mapping[str, int]] = DOCUMENT["bounds"]
VERBS: Final[Mapping[str, Mapping[str, str]]] = DOCUMENT["verbs"]
SCHEMA: Final = Schema(DOCUMENT["$defs"])

FROM_EXTENSION: Final[Mapping[tuple[str, bool | None], str]] = {
    ("hello", None): "hello_extension",
    ("response", True): "response_done",
    ("response", False): "response_failed",
    ("event", None): "event",
    ("ping", None): "ping",
    ("pong", None): "pong",
}
"""(type, ok) -> definition, of what the extension may say."""


def message_of(value: Json, table: Mapping[tuple[str, bool | None], str] = FROM_EXTENSION) -> str:
    """The definition that a message is of, after it was checked against it. Raises Invalid."""
    if not isinstance(value, dict):
        raise Invalid("", "is no object")
    kind, ok = value.get("type"), value.get("ok")
    name = table.get((kind, ok if isinstance(ok, bool) else None)) if isinstance(kind, str) else None
    if name is None:
        raise Invalid("/type", "is no message that is known here")
    SCHEMA.check(name, value)
    return name


def check_params(verb: str, params: Json) -> None:
    """Raises Invalid unless these are parameters of the verb."""
    SCHEMA.check(VERBS[verb]["params"], params)


def check_result(verb: str, result: Json) -> None:
    """Raises Invalid unless this is a result of the verb."""
    SCHEMA.check(VERBS[verb]["result"], result)
