"""The ten tools: schemas and annotations as the facts have them, and what their schemas do not allow."""

from __future__ import annotations

from typing import Any

import pytest

from fakes.fronts.helper_tools import MEMBERS, misfit, tool

READS = {"list_apps", "get_app_state"}


def test_there_are_ten_and_each_schema_is_closed() -> None:
    assert len(MEMBERS) == 10
    for name in MEMBERS:
        made = tool(name)
        schema: Any = made["inputSchema"]
        assert (schema["type"], schema["additionalProperties"]) == ("object", False)
        assert set(schema.get("required", ())) <= set(schema["properties"])
        read = name in READS
        assert made["annotations"] == {
            "readOnlyHint": read, "idempotentHint": read, "destructiveHint": False, "openWorldHint": False,
        }  # fmt: skip


def test_a_tool_is_made_anew_each_time() -> None:
    made: Any = tool("click")
    made["inputSchema"]["properties"]["app"] = None
    made["annotations"].clear()
    again: Any = tool("click")
    assert again["inputSchema"]["properties"]["app"]["type"] == "string"
    assert len(again["annotations"]) == 4


def test_select_text_describes_its_app_in_its_own_words() -> None:
    tables: Any = MEMBERS
    texts = {name: members["app"]["description"] for name, (_, members, _, _) in tables.items() if "app" in members}
    assert texts.pop("select_text") == "App name or bundle identifier"
    assert set(texts.values()) == {"App name, full app path, or unambiguous bundle identifier"}


@pytest.mark.parametrize(
    ("name", "arguments", "why"),
    [
        ("list_apps", {}, None),
        ("list_apps", {"app": "x"}, "unknown argument app"),
        ("click", {}, "missing required argument app"),
        ("click", {"app": "x", "element_index": "4", "click_count": 2, "mouse_button": "left", "x": 1, "y": 1.5}, None),
        ("click", {"app": "x", "element_index": 4}, "element_index must be of type string"),
        ("click", {"app": "x", "click_count": 1.5}, "click_count must be of type integer"),
        ("click", {"app": "x", "click_count": True}, "click_count must be of type integer"),
        ("click", {"app": "x", "x": "1"}, "x must be of type number"),
        ("click", {"app": "x", "mouse_button": "side"}, "mouse_button must be one of left, right, middle"),
        ("scroll", {"app": "x", "element_index": "1", "direction": "anywhere"}, None),
    ],
)
def test_arguments_are_held_against_the_schema(name: str, arguments: dict[str, Any], why: str | None) -> None:
    assert misfit(name, arguments) == why
