"""The ten tools that the helper must have: their input schemas and annotations, as data.

Separate from the check (inventory.py), because it is a setting: another official build brings another table. A schema
is written in full; the descriptions inside it are compared only where the official text is known (those of `app`) and
pass through unchanged everywhere else, like the descriptions of the tools.
Source: codex-computer-use-mcp 0.3.0 at commit a418621, "exact upstream, observed from the signed helper".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from stack.contract import Json


@dataclass(frozen=True, slots=True)
class PinnedTool:
    """One row. reads: no effect is possible, so a failure of it is never unknown; targeted: it names an app."""

    input_schema: Mapping[str, Json]
    annotations: Mapping[str, Json]
    reads: bool
    targeted: bool


_APP: Final[dict[str, Json]] = {
    "type": "string",
    "description": "App name, full app path, or unambiguous bundle identifier",
}
_SELECT_TEXT_APP: Final[dict[str, Json]] = {"type": "string", "description": "App name or bundle identifier"}
_STRING: Final[dict[str, Json]] = {"type": "string"}
_NUMBER: Final[dict[str, Json]] = {"type": "number"}
_INTEGER: Final[dict[str, Json]] = {"type": "integer"}


def _one_of(*values: Json) -> dict[str, Json]:
    return {"type": "string", "enum": list(values)}


def _tool(reads: bool, required: str, **properties: dict[str, Json]) -> PinnedTool:
    schema: dict[str, Json] = {"type": "object", "properties": {**properties}, "additionalProperties": False}
    if required:
        schema["required"] = [*required.split()]
    annotations: dict[str, Json] = {
        "readOnlyHint": reads,
        "idempotentHint": reads,
        "destructiveHint": False,
        "openWorldHint": False,
    }
    return PinnedTool(schema, annotations, reads, "app" in properties)


PINNED: Final[Mapping[str, PinnedTool]] = {
    "list_apps": _tool(True, ""),
    "get_app_state": _tool(True, "app", app=_APP),
    "click": _tool(
        False,
        "app",
        app=_APP,
        click_count=_INTEGER,
        element_index=_STRING,
        mouse_button=_one_of("left", "right", "middle"),
        x=_NUMBER,
        y=_NUMBER,
    ),
    "perform_secondary_action": _tool(
        False, "app element_index action", app=_APP, element_index=_STRING, action=_STRING
    ),
    "set_value": _tool(False, "app element_index value", app=_APP, element_index=_STRING, value=_STRING),
    "select_text": _tool(
        False,
        "app element_index text",
        app=_SELECT_TEXT_APP,
        element_index=_STRING,
        text=_STRING,
        prefix=_STRING,
        suffix=_STRING,
        selection=_one_of("text", "cursor_before", "cursor_after"),
    ),
    "scroll": _tool(
        False, "app element_index direction", app=_APP, element_index=_STRING, direction=_STRING, pages=_NUMBER
    ),
    "drag": _tool(
        False, "app from_x from_y to_x to_y", app=_APP, from_x=_NUMBER, from_y=_NUMBER, to_x=_NUMBER, to_y=_NUMBER
    ),
    "press_key": _tool(False, "app key", app=_APP, key=_STRING),
    "type_text": _tool(False, "app text", app=_APP, text=_STRING),
}
"""The tools by name, in the order in which they are listed."""

DISCLOSED_FIRST: Final = ("list_apps", "get_app_state")
"""What the progressive listing shows until a get_app_state has succeeded."""
DISCLOSES: Final = "get_app_state"
