"""Schemas of the tools, and which arguments are taken."""

from __future__ import annotations

from typing import Any

import pytest

from fakes.fronts.safaridriver_table import HANDLERS
from fakes.fronts.safaridriver_tools import (
    DESCRIPTIONS,
    SCHEMAS,
    TAB_ARGUMENT,
    BadArguments,
    arguments_of,
    fits,
    schema_of,
    tools,
)


def test_every_tool_has_a_schema_a_description_and_a_handler() -> None:
    assert len(SCHEMAS) == 17
    assert set(SCHEMAS) == set(DESCRIPTIONS) == set(HANDLERS)
    for schema in SCHEMAS.values():
        assert schema["type"] == "object" and schema.get("required", ["x"]) != []


def test_the_profiles_differ_in_one_argument() -> None:
    for profile, name in TAB_ARGUMENT.items():
        assert sorted(schema_of("navigate_to_url", profile)["properties"]) == sorted(["url", name])
    for tool in set(SCHEMAS) - {"navigate_to_url"}:
        assert schema_of(tool, "27.0") == schema_of(tool, "technology-preview")


def test_drift() -> None:
    listed: Any = tools("27.0", {"screenshot": None, "close_tab": {"inputSchema": {}}, "new": {"description": "x"}})
    named = {tool["name"]: tool for tool in listed}
    assert (
        "screenshot" not in named
        and named["close_tab"]["inputSchema"] == {}
        and named["new"] == {"name": "new", "description": "x"}
    )
    assert named["list_tabs"] == {
        "name": "list_tabs",
        "description": DESCRIPTIONS["list_tabs"],
        "inputSchema": SCHEMAS["list_tabs"],
    }


@pytest.mark.parametrize(("given", "taken"), [
    ({"url": "x", "tab_uuid": "t"}, {"url": "x", "tab_uuid": "t"}),
    ({"url": "x", "tab_uuid": 1, "other": 2}, {"url": "x"}),
])  # fmt: skip
def test_what_does_not_fit_is_absent(given: Any, taken: Any) -> None:
    assert arguments_of(schema_of("navigate_to_url", "27.0"), given) == taken


def test_a_required_argument_must_fit() -> None:
    for given in ({}, {"url": None}, {"url": ["x"]}):
        with pytest.raises(BadArguments) as raised:
            arguments_of(schema_of("navigate_to_url", "27.0"), given)
        assert raised.value.text == "Invalid arguments: Missing required 'url'"


@pytest.mark.parametrize(("rule", "value", "expected"), [
    ({"type": "integer"}, 1, True), ({"type": "integer"}, True, False), ({"type": "integer"}, 1.5, False),
    ({"type": "boolean"}, True, True), ({"type": "boolean"}, 1, False), ({"type": "number"}, 1.5, True),
    ({"type": "string", "enum": ["a"]}, "b", False), ({"type": "array"}, [], True), ({"type": "object"}, {}, True),
])  # fmt: skip
def test_types(rule: Any, value: Any, expected: bool) -> None:
    assert fits(rule, value) is expected
