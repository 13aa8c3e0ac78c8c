"""The ten tools of the Computer Use helper, as `tools/list` gives them.

Source: trailcam facts on codex app-server, section 6 (names, members, required members, annotations and the two texts
for `app` as observed in public). Other descriptions are not known and are our own; the input schemas describe no other
member. Written from those facts alone: the stack has a table of its own, and shares bytes with this one, not code.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from harness.wire.jsontext import Json

APP: Json = {"type": "string", "description": "App name, full app path, or unambiguous bundle identifier"}
APP_OF_SELECT_TEXT: Json = {"type": "string", "description": "App name or bundle identifier"}
TEXT: Json = {"type": "string"}
NUMBER: Json = {"type": "number"}

READS: dict[str, Json] = {
    "readOnlyHint": True,
    "idempotentHint": True,
    "destructiveHint": False,
    "openWorldHint": False,
}
ACTS: dict[str, Json] = {
    "readOnlyHint": False,
    "idempotentHint": False,
    "destructiveHint": False,
    "openWorldHint": False,
}

MEMBERS: dict[str, tuple[str, dict[str, Json], tuple[str, ...], dict[str, Json]]] = {
    "list_apps": ("List the apps on this Mac that are running or were used lately", {}, (), READS),
    "get_app_state": (
        "Start using an app, and read its window as a screenshot and a tree",
        {"app": APP},
        ("app",),
        READS,
    ),
    "click": (
        "Click an element, or a point of the screenshot",
        {
            "app": APP,
            "element_index": TEXT,
            "x": NUMBER,
            "y": NUMBER,
            "click_count": {"type": "integer"},
            "mouse_button": {"type": "string", "enum": ["left", "right", "middle"]},
        },
        ("app",),
        ACTS,
    ),
    "perform_secondary_action": (
        "Carry out another action that an element offers",
        {"app": APP, "element_index": TEXT, "action": TEXT},
        ("app", "element_index", "action"),
        ACTS,
    ),
    "set_value": (
        "Set the value of a settable element",
        {"app": APP, "element_index": TEXT, "value": TEXT},
        ("app", "element_index", "value"),
        ACTS,
    ),
    "select_text": (
        "Select text in an element, or place the cursor beside it",
        {
            "app": APP_OF_SELECT_TEXT,
            "element_index": TEXT,
            "text": TEXT,
            "prefix": TEXT,
            "suffix": TEXT,
            "selection": {"type": "string", "enum": ["text", "cursor_before", "cursor_after"]},
        },
        ("app", "element_index", "text"),
        ACTS,
    ),
    "scroll": (
        "Scroll an element by pages",
        {"app": APP, "element_index": TEXT, "direction": TEXT, "pages": NUMBER},
        ("app", "element_index", "direction"),
        ACTS,
    ),
    "drag": (
        "Drag from one point of the screenshot to another",
        {"app": APP, "from_x": NUMBER, "from_y": NUMBER, "to_x": NUMBER, "to_y": NUMBER},
        ("app", "from_x", "from_y", "to_x", "to_y"),
        ACTS,
    ),
    "press_key": ("Press a key or a combination of keys", {"app": APP, "key": TEXT}, ("app", "key"), ACTS),
    "type_text": ("Type text into what has the keyboard", {"app": APP, "text": TEXT}, ("app", "text"), ACTS),
}
"""Name -> (description, properties, required, annotations), in the order of tools/list."""


def tool(name: str) -> dict[str, Json]:
    """One entry of `tools/list`, made anew."""
    description, properties, required, annotations = MEMBERS[name]
    schema: dict[str, Json] = {"type": "object", "properties": dict(properties)}
    if required:
        schema["required"] = list(required)
    schema["additionalProperties"] = False
    return {"name": name, "description": description, "inputSchema": schema, "annotations": dict(annotations)}


def misfit(name: str, arguments: dict[str, Json]) -> str | None:
    """What of the arguments the tool's schema does not allow; None where it allows all."""
    _, properties, required, _ = MEMBERS[name]
    for member in required:
        if member not in arguments:
            return f"missing required argument {member}"
    for member, value in arguments.items():
        if member not in properties:
            return f"unknown argument {member}"
        schema = properties[member]
        assert isinstance(schema, dict)
        if not TYPES[str(schema["type"])](value):
            return f"{member} must be of type {schema['type']}"
        if "enum" in schema and value not in schema["enum"]:
            return f"{member} must be one of {', '.join(schema['enum'])}"
    return None


TYPES = {
    "string": lambda value: isinstance(value, str),
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
}
