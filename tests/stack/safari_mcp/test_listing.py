"""The table of tools: names, and that each action has exactly the fields of its type."""

from __future__ import annotations

from typing import Any

import pytest

from stack.errors import CallError
from stack.safari_mcp.arguments import check
from stack.safari_mcp.driver import ROWS
from stack.safari_mcp.gate import RESTRICTED
from stack.safari_mcp.listing import ACTIONS, ANNOTATIONS, TOOLS, check_action

FIELDS: dict[str, Any] = {"node": "3", "value": "x", "replaceAll": True, "scrollDelta": {"x": 0, "y": 10}}
INTERACT: Any = TOOLS["interact"].input_schema
ACTION: Any = INTERACT["properties"]["action"]


def test_every_tool_has_its_row() -> None:
    assert list(TOOLS) == [
        "tabs", "open", "search", "close", "read", "follow_link", "activate", "snapshot", "find", "inspect", "wait",
        "navigate", "interact", "screenshot", "console", "network",
    ]  # fmt: skip
    assert set(ROWS) == set(TOOLS)


def test_every_kind_of_annotation_is_some_tools() -> None:
    kinds = list(ANNOTATIONS.values())
    assert all(tool.annotations in kinds for tool in TOOLS.values())
    assert {kinds.index(tool.annotations) for tool in TOOLS.values()} == set(range(len(kinds)))
    for name in ("close", "navigate", "interact"):
        assert TOOLS[name].annotations["destructiveHint"] is True


def test_the_restricted_scopes_are_tools_and_actions() -> None:
    assert set(RESTRICTED) == ({"activate", "navigate"} | set(ACTIONS)) - {"scroll"}


@pytest.mark.parametrize("kind", ACTIONS)
def test_an_action_has_the_fields_of_its_type_and_no_other(kind: str) -> None:
    needs, may = ACTIONS[kind]
    base: dict[str, Any] = {"type": kind, "purpose": "p", **{name: FIELDS[name] for name in needs}}
    check_action(base)
    for name in may:
        check_action({**base, name: FIELDS[name]})
    for name in needs:
        with pytest.raises(CallError, match=f"needs {name}"):
            check_action({key: value for key, value in base.items() if key != name})
    for name in set(FIELDS) - needs - may:
        with pytest.raises(CallError, match=f"has no {name}"):
            check_action({**base, name: FIELDS[name]})


@pytest.mark.parametrize(("kind", "value", "fits"), [
    ("keyPress", "", False), ("keyPress", "a", True), ("keyPress", "a" * 100, True), ("keyPress", "a" * 101, False),
    ("type", "", True), ("type", "a" * 4000, True), ("type", "a" * 4001, False),
])  # fmt: skip
def test_the_length_of_a_value(kind: str, value: str, fits: bool) -> None:
    action: dict[str, Any] = {"type": kind, "purpose": "p", "value": value, "node": "3"}

    def both() -> None:
        check(ACTION, action)
        check_action(action)

    if fits:
        both()
        return
    with pytest.raises(CallError):
        both()
