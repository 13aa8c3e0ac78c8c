"""The tools of this driver as they are listed, and the strict reading of their arguments.

Separate from the driver, because the list is data: no tool takes a program, a selector, a coordinate or a file, and
none but `open` an address.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from stack.contract import Json, Tool
from stack.errors import CallError
from stack.safari_jxa.settings import FILL_CHARACTERS
from stack.safari_jxa.windows import SIDES

_READS: Final[Mapping[str, Json]] = {"readOnlyHint": True, "openWorldHint": True}
_ACTS: Final[Mapping[str, Json]] = {"readOnlyHint": False, "destructiveHint": True, "openWorldHint": True}
_ACTION: Final[dict[str, Any]] = {
    "anyOf": [{"type": "string"}, {"type": "object"}],
    "description": "the id of an action of that observation, or the whole action as it was listed",
}
_OBSERVATION: Final[dict[str, Any]] = {"type": "integer", "minimum": 1, "description": "number of the observation"}
_NUMBERS: Final[dict[str, Any]] = {"type": "array", "items": {"type": "number"}, "minItems": 4, "maxItems": 4}


def _tool(
    name: str, description: str, acts: bool, required: tuple[str, ...] = (), **properties: dict[str, Any]
) -> Tool:
    schema: dict[str, Json] = {"type": "object", "properties": dict(properties), "additionalProperties": False}
    if required:
        schema["required"] = [*required]
    return Tool(name, description, schema, _ACTS if acts else _READS)


TOOLS: Final[tuple[Tool, ...]] = (
    _tool(
        "windows",
        "List Safari's windows: id, number of tabs, display; titles and URLs of their current tabs only when asked.",
        False,
        titles={"type": "boolean"},
    ),
    _tool("displays", "List the displays: index, origin and size in points from the primary one's top left.", False),
    _tool(
        "open",
        "Open a window of the session's own at an http or https URL, on a display, on half of one, or at bounds.",
        True,
        ("url",),
        url={"type": "string"},
        display={"type": "integer", "minimum": 0},
        bounds={**_NUMBERS, "description": "x, y, width, height"},
        side={"enum": [*SIDES]},
    ),
    _tool(
        "attach",
        "Take an existing window by its id. It is never closed or navigated by this session.",
        True,
        ("window",),
        window={"type": "integer", "minimum": 0},
    ),
    _tool("observe", "Look at the page: URL, title, visible text, scroll position, and the actions it offers.", False),
    _tool(
        "act",
        "Do one action of an observation, exactly as it was offered, on a page that has not moved since.",
        True,
        ("observation", "action"),
        observation=_OBSERVATION,
        action=_ACTION,
        text={"type": "string", "maxLength": FILL_CHARACTERS, "description": "what a fill writes"},
    ),
    _tool(
        "fresh",
        "Whether an action of an observation could be done now. Changes nothing.",
        False,
        ("observation", "action"),
        observation=_OBSERVATION,
        action=_ACTION,
    ),
    _tool("text", "The page's visible text.", False),
    _tool("status", "Where the session stands. Sends nothing to Safari.", False),
    _tool("close", "End the session. Closes only a window that it opened, and that has gained no tabs.", True),
)
NAMES: Final[Mapping[str, Tool]] = {tool.name: tool for tool in TOOLS}

_TYPES: Final[Mapping[str, tuple[type, ...]]] = {
    "boolean": (bool,), "integer": (int,), "string": (str,), "array": (list,), "object": (dict,)
}  # fmt: skip


def _fits(value: Json, schema: Mapping[str, Any]) -> bool:
    if "anyOf" in schema:
        return any(_fits(value, one) for one in schema["anyOf"])
    if "enum" in schema:
        return value in schema["enum"]
    kind = schema["type"]
    if isinstance(value, bool) and kind != "boolean":
        return False
    return isinstance(value, _TYPES[kind]) and not (isinstance(value, int) and value < schema.get("minimum", value))


def check(tool: str, arguments: Mapping[str, Json]) -> None:
    """The arguments of a call against its schema. CallError."""
    if tool not in NAMES:
        raise CallError("unknown_tool", f"the tool {tool[:80]!r}")
    schema: Any = NAMES[tool].input_schema
    unknown = sorted(set(arguments) - set(schema["properties"]))
    missing = [name for name in schema.get("required", ()) if name not in arguments]
    wrong = [name for name, value in arguments.items() if not unknown and not _fits(value, schema["properties"][name])]
    if unknown or missing or wrong:
        parts = (("unknown", unknown), ("missing", missing), ("of another type", wrong))
        seen = "; ".join(f"{what}: {', '.join(names)}" for what, names in parts if names)
        raise CallError("invalid_arguments", f"arguments of {tool}, {seen}")
