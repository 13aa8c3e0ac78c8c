"""The tools that are served."""

from __future__ import annotations

from typing import Any

import pytest

from stack.chrome.served import TOOLS, VERBS, check_arguments
from stack.errors import CallError

FORBIDDEN = ("provider", "script", "code", "selector", "xpath", "x", "y", "coordinate", "javascript")
NODE = {"snapshot_id": "s1", "node_id": "p0:1"}


def test_none_takes_a_provider_a_script_a_selector_or_a_place() -> None:
    assert [tool.name for tool in TOOLS] == [
        "ax_targets", "ax_read", "ax_activate", "ax_focus", "ax_set_value", "ax_scroll_into_view",
    ]  # fmt: skip
    for tool in TOOLS:
        assert not set(tool.input_schema["properties"]) & set(FORBIDDEN)  # type: ignore[arg-type]
        assert tool.input_schema["additionalProperties"] is False
        assert "ax_read" in tool.description and "ax_activate" in tool.description
    assert set(VERBS) == {tool.name for tool in TOOLS} - {"ax_targets", "ax_read"}


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("ax_targets", {}), ("ax_read", {}), ("ax_read", {"target": "a/1"}), ("ax_read", {"title": "A"}),
        ("ax_activate", NODE), ("ax_activate", {"snapshot_id": "s1", "name": "A", "role": "button"}),
        ("ax_set_value", {**NODE, "value": "x"}), ("ax_set_value", {**NODE, "value": True}),
        ("ax_set_value", {**NODE, "value": ["a", "b"]}),
    ],
)  # fmt: skip
def test_what_fits_is_taken(tool: str, arguments: dict[str, Any]) -> None:
    check_arguments(tool, arguments)
    assert tool


@pytest.mark.parametrize(
    ("tool", "arguments", "seen"),
    [
        ("ax_click", {}, "ax_click"),
        ("ax_targets", {"x": 1}, "'x' for ax_targets"),
        ("ax_read", {"target": 1}, "target is no text"),
        ("ax_read", {"target": "x" * 129}, "longer than 128"),
        ("ax_read", {"target": "a/1", "title": "A"}, "together"),
        ("ax_activate", {"node_id": "p0:1"}, "no snapshot_id"),
        ("ax_activate", {"snapshot_id": "s1"}, "node_id or name"),
        ("ax_activate", {**NODE, "name": "A"}, "node_id or name"),
        ("ax_activate", {**NODE, "role": "button"}, "role without a name"),
        ("ax_set_value", NODE, "no value"),
        ("ax_set_value", {**NODE, "value": 1}, "value is no text"),
        ("ax_set_value", {**NODE, "value": [1]}, "value is no text"),
    ],
)
def test_what_does_not_fit_is_refused(tool: str, arguments: dict[str, Any], seen: str) -> None:
    with pytest.raises(CallError) as caught:
        check_arguments(tool, arguments)
    assert seen in caught.value.seen
