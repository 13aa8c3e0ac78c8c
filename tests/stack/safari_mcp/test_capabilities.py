"""What a list of tools proves."""

from __future__ import annotations

import json
from typing import Any

import pytest

from stack.errors import ProtocolError, SetupError
from stack.safari_mcp import pinned
from stack.safari_mcp.capabilities import Capabilities, read_capabilities, same_schema
from tests.stack.scripted_safaridriver import listed_tools


def listed(**schemas: Any) -> dict[str, Any]:
    """A tools/list result with other schemas; None takes a tool away."""
    tools = [tool for tool in listed_tools() if schemas.get(tool["name"], 0) is not None]
    return {"tools": [{**tool, "inputSchema": schemas.get(tool["name"], tool["inputSchema"])} for tool in tools]}


def test_the_newest_profile_of_each() -> None:
    found = read_capabilities(listed())
    assert {name: profile.name for name, profile in found.profiles.items()} == dict.fromkeys(pinned.PINNED, "safari-27")


@pytest.mark.parametrize("missing", pinned.REQUIRED)
def test_a_required_tool_is_missing(missing: str) -> None:
    with pytest.raises(SetupError, match=missing) as error:
        read_capabilities(listed(**{missing: None}))
    assert error.value.code == "driver_incompatible"
    assert "Update Safari" in str(error.value)


HANDLE: dict[str, Any] = {"handle": {"type": "string"}}


@pytest.mark.parametrize("schema", [
    None, {}, "x", {"type": "object"}, {"type": "object", "properties": HANDLE}, {"type": "object", "required": []},
    {"type": "object", "properties": HANDLE, "required": ["handle", "force"]},
    {"type": "object", "properties": HANDLE, "required": ["all"]},
    {"type": "object", "properties": {"handle": {"type": "integer"}}, "required": ["handle"]},
    {"type": "object", "properties": {"handle": "string"}, "required": ["handle"]},
    {"type": "object", "properties": [], "required": ["handle"]},
    {"type": "array", "properties": HANDLE, "required": ["handle"]},
])  # fmt: skip
def test_close_tab_has_to_close_by_handle(schema: Any) -> None:
    result = listed()
    next(tool for tool in result["tools"] if tool["name"] == "close_tab")["inputSchema"] = schema
    with pytest.raises(SetupError, match="close_tab"):
        read_capabilities(result)


@pytest.mark.parametrize("name", pinned.PINNED)
def test_a_schema_that_differs_fails_that_capability_alone(name: str) -> None:
    schema = json.loads(json.dumps(pinned.PINNED[name][0].schema))
    schema["properties"]["more"] = {"type": "string"}
    found = read_capabilities(listed(**{name: schema}))
    assert set(found.profiles) == set(pinned.PINNED) - {name}
    with pytest.raises(SetupError) as error:
        found.arguments(name, {})
    assert error.value.code == "capability_missing"
    assert found.arguments("close_tab", {"handle": "a"}) == {"handle": "a"}


def test_each_profile_has_its_own_names() -> None:
    given: dict[str, Any] = {"url": "u", "handle": "h"}
    for profile, name in zip(pinned.PINNED["navigate_to_url"], ("tab_uuid", "handle"), strict=True):
        found = read_capabilities(listed(navigate_to_url=dict(profile.schema)))
        assert found.arguments("navigate_to_url", given) == {"url": "u", name: "h"}


def test_descriptions_and_order_mean_nothing_and_all_else_does() -> None:
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {"a": {"enum": ["x", "y"]}, "b": {}},
        "required": ["a", "b"],
    }
    same: dict[str, Any] = {
        "required": ["b", "a"],
        "description": "x",
        "properties": {"b": {"description": "y"}, "a": {"enum": ["y", "x"]}},
        "type": "object",
    }
    assert same_schema(schema, same)
    changes: list[dict[str, Any]] = [
        {"type": "array"}, {"required": ["a"]}, {"required": []}, {"additionalProperties": False}, {"description": {}},
        {"properties": {"a": {"enum": ["x"]}, "b": {}}}, {"properties": {"a": {"enum": ["x", "y"]}}},
        {"properties": {"a": {"enum": ["x", "y"]}, "b": {}, "description": {"type": "string"}}},
    ]  # fmt: skip
    for change in changes:
        assert not same_schema(schema, {**schema, **change})
    assert not same_schema({"minimum": 1}, {"minimum": True})


@pytest.mark.parametrize("result", [
    None, {}, {"tools": {}}, {"tools": [1]}, {"tools": [{"name": 1}]}, {"tools": [{"name": "a"}, {"name": "a"}]},
])  # fmt: skip
def test_what_is_no_list_of_tools(result: Any) -> None:
    with pytest.raises(ProtocolError) as error:
        read_capabilities(result)
    assert error.value.code == "driver_malformed"


def test_no_other_tool_and_no_other_argument_has_a_name() -> None:
    found = read_capabilities(listed())
    for tool, given in (("set_viewport_size", {}), ("create_tab", {"handle": "a"}), ("screenshot", {"savePath": "/"})):
        with pytest.raises(KeyError):
            found.arguments(tool, dict.fromkeys(given))
    assert Capabilities({}).arguments("list_tabs", {}) == {}
