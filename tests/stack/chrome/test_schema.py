"""The validator of the protocol: what it takes, what it refuses, and that it skips no rule of the schema."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stack.chrome.schema import DOCUMENT, SCHEMA, VERBS, Invalid, Schema, check_params, check_result, message_of
from tests.stack.chrome.rig import HELLO, snapshot

RULES: list[tuple[dict[str, Any], Any, bool]] = [
    ({"type": "integer"}, 1, True),
    ({"type": "integer"}, True, False),
    ({"type": "integer"}, 1.5, False),
    ({"type": "number"}, 1.5, True),
    ({"type": "number"}, "1", False),
    ({"type": "null"}, None, True),
    ({"type": "null"}, 0, False),
    ({"type": "boolean"}, False, True),
    ({"type": "boolean"}, 0, False),
    ({"const": 1}, 1, True),
    ({"const": 1}, True, False),
    ({"const": 1}, 1.0, False),
    ({"enum": ["a"]}, "a", True),
    ({"enum": ["a"]}, "b", False),
    ({"minimum": 1, "maximum": 2}, 2, True),
    ({"minimum": 1, "maximum": 2}, 3, False),
    ({"minimum": 1, "maximum": 2}, 0, False),
    ({"maxLength": 2}, "ab", True),
    ({"maxLength": 1}, "\U0001f600", False),
    ({"minLength": 2}, "a", False),
    ({"pattern": "^a$"}, "a", True),
    ({"pattern": "^a$"}, "a\n", False),
    ({"pattern": "a"}, "xay", True),
    ({"type": "array", "items": {"type": "integer"}, "maxItems": 2}, [1, 2], True),
    ({"type": "array", "maxItems": 2}, [1, 2, 3], False),
    ({"type": "array", "minItems": 1}, [], False),
    ({"type": "array", "items": {"type": "integer"}}, ["a"], False),
    ({"type": "object", "properties": {"a": {"type": "integer"}}, "additionalProperties": False}, {"a": 1}, True),
    ({"type": "object", "properties": {}, "additionalProperties": False}, {"a": 1}, False),
    ({"type": "object", "properties": {}}, {"a": 1}, True),
    ({"type": "object", "required": ["a"]}, {}, False),
    ({"anyOf": [{"type": "null"}, {"type": "string"}]}, "a", True),
    ({"anyOf": [{"type": "null"}, {"type": "string"}]}, 1, False),
    ({"$ref": "#/$defs/other"}, "x", True),
    ({"$ref": "#/$defs/other"}, 1, False),
]


@pytest.mark.parametrize(("rule", "value", "fits"), RULES, ids=range(len(RULES)))
def test_rules(rule: dict[str, Any], value: Any, fits: bool) -> None:
    schema = Schema({"it": rule, "other": {"type": "string"}})
    if fits:
        schema.check("it", value)
    else:
        with pytest.raises(Invalid):
            schema.check("it", value)


@pytest.mark.parametrize("rule", [
    {"oneOf": []}, {"items": {"format": "uri"}}, {"properties": {"a": {"not": {}}}}, {"anyOf": [{"if": 1}]},
])  # fmt: skip
def test_a_keyword_that_is_not_checked_is_refused(rule: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="keyword"):
        Schema({"it": rule})


def test_an_error_says_where_and_quotes_nothing() -> None:
    message = {**HELLO, "browser": {"name": "secret", "version": "1"}}
    with pytest.raises(Invalid) as caught:
        message_of(message)
    assert caught.value.path == "/browser/name"
    assert "secret" not in str(caught.value)


@pytest.mark.claim("CHR-PRO-02", tooth="every member and verb that is not known")
def test_every_object_of_the_protocol_says_which_members_it_has() -> None:
    def objects(rule: Any, path: str) -> list[str]:
        if not isinstance(rule, dict):
            return []
        bad = [path] if rule.get("type") == "object" and "additionalProperties" not in rule else []
        return bad + [each for key, inner in rule.items() for each in objects(inner, f"{path}/{key}")]

    open_ended = {name: objects(rule, name) for name, rule in DOCUMENT["$defs"].items()}
    left = sorted(each for found in open_ended.values() for each in found)
    assert left == ["request/properties/params", "response_done/properties/result"]  # checked by their verb
    for verb in VERBS:
        with pytest.raises(Invalid):
            check_params(verb, {"code": "1", **({"ref": 1} if "ref" in VERBS[verb]["params"] else {})})
    with pytest.raises(Invalid):
        message_of({"v": 1, "type": "eval", "code": "1"})
    others: list[Any] = [
        None,
        1,
        "hello",
        [],
        {"type": 1},
        {"v": 1, "type": "response", "id": "a", "ok": 1, "result": {}},
    ]
    for value in others:
        with pytest.raises(Invalid):
            message_of(value)


def test_messages_and_results_of_the_protocol_are_taken() -> None:
    assert message_of(HELLO) == "hello_extension"
    assert message_of({"v": 1, "type": "response", "id": "a", "ok": True, "result": {}}) == "response_done"
    check_result("snapshot", snapshot("Buy"))
    with pytest.raises(Invalid):
        check_result("snapshot", {**snapshot("Buy"), "html": "<p>"})


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
)


@given(VALUES)
@settings(max_examples=50)
def test_any_value_is_taken_or_refused(value: Any) -> None:
    for name in ("hello_extension", "request", "snapshot"):
        with pytest.raises(Invalid):
            SCHEMA.check(name, value)
