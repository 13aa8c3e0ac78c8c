"""The tools that are served. None of them, and no argument, takes a provider, a script, a selector or a coordinate:
which way a page is read or acted on is chosen inside.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from stack.contract import Json, Tool
from stack.errors import CallError

_SNAPSHOT: Final[Json] = {"type": "string", "maxLength": 64, "description": "snapshot_id of an ax_read"}
_NODE: Final[Json] = {"type": "string", "maxLength": 64, "description": "id of a node of that snapshot"}
_NAME: Final[Json] = {"type": "string", "maxLength": 1000, "description": "name of the node, where it has no equal"}
_ROLE: Final[Json] = {"type": "string", "maxLength": 64, "description": "role of the node, beside its name"}
_HOW: Final = (
    "Use ax_read to see a page and ax_activate to press what is on it; never inject JavaScript, and never guess places."
)
_READS: Final[Mapping[str, Json]] = {"readOnlyHint": True, "openWorldHint": True}
_ACTS: Final[Mapping[str, Json]] = {"readOnlyHint": False, "openWorldHint": True}


def _schema(properties: Mapping[str, Json], required: tuple[str, ...] = ()) -> Mapping[str, Json]:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(required),
        "additionalProperties": False,
    }


def _on_node(more: Mapping[str, Json] | None = None, required: tuple[str, ...] = ()) -> Mapping[str, Json]:
    named: dict[str, Json] = {"snapshot_id": _SNAPSHOT, "node_id": _NODE, "name": _NAME, "role": _ROLE}
    return _schema({**named, **(more or {})}, ("snapshot_id", *required))


_VALUE: Final[Json] = {
    "description": "text, true or false for a checkbox, or the labels of a list's choices",
    "type": ["string", "boolean", "array"],
    "items": {"type": "string"},
}
TOOLS: Final[tuple[Tool, ...]] = (
    Tool(
        "ax_targets",
        f"List the browser tabs. Those that the user has not allowed have neither address nor title. {_HOW}",
        _schema({}),
        _READS,
    ),
    Tool(
        "ax_read",
        "Read what is on a page, and the browser's own controls, as nodes with role, name, value and states. Without "
        f"an argument: the page in front. {_HOW}",
        _schema(
            {
                "target": {"type": "string", "maxLength": 128, "description": "target of an ax_targets"},
                "title": {
                    "type": "string",
                    "maxLength": 1000,
                    "description": "title of the tab, where it has no equal",
                },
            }
        ),
        _READS,
    ),
    Tool(
        "ax_activate",
        f"Press a node of the last ax_read: a button, a link, a checkbox. {_HOW}",
        _on_node(),
        _ACTS,
    ),
    Tool("ax_focus", f"Give a node of the last ax_read the keyboard. {_HOW}", _on_node(), _ACTS),
    Tool(
        "ax_set_value",
        f"Give a field, list or checkbox of the last ax_read a value. {_HOW}",
        _on_node({"value": _VALUE}, ("value",)),
        _ACTS,
    ),
    Tool("ax_scroll_into_view", f"Scroll until a node of the last ax_read can be seen. {_HOW}", _on_node(), _ACTS),
)
VERBS: Final[Mapping[str, str]] = {
    "ax_activate": "activate",
    "ax_focus": "focus",
    "ax_set_value": "set_value",
    "ax_scroll_into_view": "scroll_into_view",
}
"""Tool -> what it does with its node."""
_BY_NAME: Final = {tool.name: tool for tool in TOOLS}


def check_arguments(name: str, arguments: Mapping[str, Json]) -> None:
    """Raises CallError where there is no such tool, or it takes other arguments."""
    tool = _BY_NAME.get(name)
    if tool is None:
        raise CallError("unknown_tool", f"{name!r:.80}")
    properties, required = tool.input_schema["properties"], tool.input_schema["required"]
    assert isinstance(properties, dict)
    assert isinstance(required, list)
    for key, value in arguments.items():
        if key not in properties:
            raise CallError("invalid_arguments", f"{key!r:.80} for {name}, which has {', '.join(properties) or 'none'}")
        wrong = _wrong_value(value) if key == "value" else _wrong_text(properties[key], value)
        if wrong:
            raise CallError("invalid_arguments", f"{key} is {wrong}")
    for needed in required:
        if needed not in arguments:
            raise CallError("invalid_arguments", f"no {needed} for {name}")
    if name == "ax_read" and len(arguments) > 1:
        raise CallError("invalid_arguments", "target and title together")
    if name in VERBS and ("node_id" in arguments) == ("name" in arguments):
        raise CallError("invalid_arguments", "node_id or name, one of the two")
    if "role" in arguments and "name" not in arguments:
        raise CallError("invalid_arguments", "a role without a name")


def _wrong_text(rule: Json, value: Json) -> str | None:
    assert isinstance(rule, dict)
    limit = rule["maxLength"]
    assert isinstance(limit, int)
    if not isinstance(value, str):
        return "no text"
    return f"longer than {limit} characters" if len(value) > limit else None


def _wrong_value(value: Json) -> str | None:
    if isinstance(value, str | bool):
        return None
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return None
    return "no text, no true or false, and no list of texts"
