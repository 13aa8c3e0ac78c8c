"""Arguments against a schema: each word of it, on both sides of its bound."""

from __future__ import annotations

from typing import Any

import pytest

from stack.errors import CallError
from stack.safari_mcp.arguments import KINDS, KNOWN, check
from stack.safari_mcp.listing import TOOLS

TEXT: dict[str, Any] = {"type": "string", "minLength": 1, "maxLength": 3}
OBJECT: dict[str, Any] = {"type": "object", "properties": {"a": TEXT, "b": {"type": "boolean"}}, "required": ["a"]}
CASES: list[tuple[dict[str, Any], Any, bool]] = [
    (TEXT, "a", True), (TEXT, "abc", True), (TEXT, "", False), (TEXT, "abcd", False), (TEXT, 1, False),
    (TEXT, None, False),
    ({"type": "string", "pattern": "^[a-z]*$"}, "ab", True),
    ({"type": "string", "pattern": "^[a-z]*$"}, "ab\n", False),
    ({"type": "string", "enum": ["a", "b"]}, "b", True), ({"type": "string", "enum": ["a", "b"]}, "c", False),
    ({"type": "integer", "minimum": 1, "maximum": 3}, 1, True),
    ({"type": "integer", "minimum": 1, "maximum": 3}, 3, True),
    ({"type": "integer", "minimum": 1, "maximum": 3}, 0, False),
    ({"type": "integer", "minimum": 1, "maximum": 3}, 4, False),
    ({"type": "integer"}, 1.0, False), ({"type": "integer"}, True, False), ({"type": "integer"}, "1", False),
    ({"type": "number"}, 1.5, True), ({"type": "number"}, 2, True), ({"type": "number"}, False, False),
    ({"type": "number"}, float("nan"), False), ({"type": "number"}, float("inf"), False),
    ({"type": "boolean"}, True, True), ({"type": "boolean"}, 1, False),
    (OBJECT, {"a": "x"}, True), (OBJECT, {"a": "x", "b": False}, True), (OBJECT, {}, False), (OBJECT, [], False),
    (OBJECT, {"a": "x", "c": 1}, False), (OBJECT, {"a": ""}, False),
    ({**OBJECT, "anyOf": [{"required": ["b"]}, {"required": ["a"]}]}, {"a": "x"}, True),
    ({**OBJECT, "anyOf": [{"required": ["b"]}]}, {"a": "x"}, False),
]  # fmt: skip


@pytest.mark.parametrize(("schema", "value", "fits"), CASES)
def test_each_word_of_a_schema(schema: dict[str, Any], value: Any, fits: bool) -> None:
    if fits:
        check(schema, value)
        return
    with pytest.raises(CallError) as error:
        check(schema, value)
    assert error.value.code == "invalid_arguments"


def test_what_is_wrong_is_named_and_not_quoted() -> None:
    with pytest.raises(CallError, match=r"arguments\.a has 6 characters; expected 1 to 3") as error:
        check(OBJECT, {"a": "secret"})
    assert "secret" not in str(error.value)


def schemas(schema: dict[str, Any]) -> list[dict[str, Any]]:
    return [schema, *(each for part in schema.get("properties", {}).values() for each in schemas(part))]


def test_every_word_of_the_listed_schemas_is_understood() -> None:
    for tool in TOOLS.values():
        for schema in schemas(dict(tool.input_schema)):
            assert set(schema) <= KNOWN
            assert schema["type"] in KINDS
