"""The 17 tools of Safari's MCP server: their input schemas, and which arguments it takes.

Source of the schemas: trailcam facts on Safari MCP, 1.3. Seven are as seen on Safari 27 (server 1.0.0) by initialize
and tools/list; the others are from a public tools/list of Safari Technology Preview. Descriptions are our own words:
nobody has recorded those of Safari 27, and clients strip them before they compare.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from harness.wire.jsontext import Json

TEXT: Json = {"type": "string"}
WHOLE: Json = {"type": "integer"}
TRUTH: Json = {"type": "boolean"}
POINT: Json = {"type": "object", "properties": {"x": {"type": "number"}, "y": {"type": "number"}}}
TAB_ARGUMENT = {"27.0": "tab_uuid", "technology-preview": "handle"}
"""Profile -> name of the second argument of navigate_to_url."""


def _words(*words: str) -> Json:
    return {"type": "string", "enum": list(words)}


def _object(*required: str, **properties: Json) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "object", "properties": properties}
    if required:
        schema["required"] = list(required)
    return schema


INTERACTION = _object(
    "purpose",
    "type",
    node=TEXT,
    point=POINT,
    pressReturn=TRUTH,
    purpose=TEXT,
    replaceAll=TRUTH,
    scrollDelta=POINT,
    scrollToVisible=TRUTH,
    text=TEXT,
    type=_words("click", "type", "keyPress", "scroll", "selectText", "selectMenuItem", "hover", "highlightText"),
    value=TEXT,
)
SCHEMAS: dict[str, dict[str, Any]] = {
    "browser_console_messages": _object(
        clear=TRUTH,
        level_filter={"type": "array", "items": _words("debug", "info", "warn", "error")},
        limit=WHOLE,
        tab_handle=TEXT,
    ),
    "browser_dialogs": _object("action", action=_words("list", "respond", "dismiss"), inputText=TEXT),
    "close_tab": _object("handle", handle=TEXT),
    "create_tab": _object(url=TEXT),
    "evaluate_javascript": _object("expression", expression=TEXT, frameId=TEXT),
    "get_network_request": _object("request_id", request_id=TEXT),
    "get_page_content": _object(
        format=_words("markdown", "text", "textTree", "json", "html", "plainText"),
        includeAccessibilityAttributes=TRUTH,
        includeEventListeners=TRUTH,
        includeRects=TRUTH,
        includeSelectOptions=TRUTH,
        includeSubframes=TRUTH,
        includeURLs=TRUTH,
        maxWordsPerParagraph=WHOLE,
        nodeIds=_words("none", "editable", "interactive", "allContainers"),
        region=_words("entire_page", "viewport"),
        savePath=TEXT,
        shortenURLs=TRUTH,
    ),
    "list_network_requests": _object(
        clear=TRUTH,
        filter=_object(method=TEXT, status_max=WHOLE, status_min=WHOLE, url_substring=TEXT),
        since=TEXT,
        tab_handle=TEXT,
    ),
    "list_tabs": _object(),
    "navigate_to_url": _object("url", url=TEXT),
    "page_info": _object(),
    "page_interactions": _object("interactions", fullText=TRUTH, interactions={"type": "array", "items": INTERACTION}),
    "screenshot": _object(full_page=TRUTH, node=TEXT, savePath=TEXT),
    "set_emulated_media": _object("media", media=TEXT),
    "set_viewport_size": _object("width", "height", width=WHOLE, height=WHOLE),
    "switch_tab": _object("handle", handle=TEXT),
    "wait_for_navigation": _object(timeout_seconds=WHOLE),
}
"""Tool -> input schema, apart from the argument that differs between the profiles."""
DESCRIPTIONS: dict[str, str] = {
    "browser_console_messages": "Reads buffered console messages of a tab, and clears them unless told not to.",
    "browser_dialogs": "Lists the open dialog, answers it, or dismisses it.",
    "close_tab": "Closes a tab of this session.",
    "create_tab": "Opens a new tab, with a URL where one is given.",
    "evaluate_javascript": "Runs a function body in the page and gives its value.",
    "get_network_request": "Gives headers, body and timing of one recorded request.",
    "get_page_content": "Extracts what the page shows, in one of several formats.",
    "list_network_requests": "Lists requests recorded since the first call of this tool.",
    "list_tabs": "Lists the tabs of this session.",
    "navigate_to_url": "Goes to a URL, waits for the load, and gives the page's content.",
    "page_info": "Says URL, title and loading state of the active tab.",
    "page_interactions": "Carries out steps on the page one after the other, and says what changed.",
    "screenshot": "Writes a picture of the page to a file and names it.",
    "set_emulated_media": "Sets the media type that the page is shown for; an empty text ends that.",
    "set_viewport_size": "Sets the size of the page's viewport.",
    "switch_tab": "Makes a tab of this session the active one.",
    "wait_for_navigation": "Waits until the page has loaded; 30 seconds where nothing is said.",
}


def schema_of(name: str, profile: str) -> dict[str, Any]:
    """The input schema of a tool in a profile."""
    schema = SCHEMAS[name]
    if name != "navigate_to_url":
        return schema
    return {**schema, "properties": {**schema["properties"], TAB_ARGUMENT[profile]: TEXT}}


def tools(profile: str, drift: Mapping[str, Any]) -> list[Json]:
    """What tools/list answers. drift: tool -> members in place of its own, null leaves it out; new names are added."""
    listed: list[Json] = []
    for name in SCHEMAS:
        own = {"name": name, "description": DESCRIPTIONS[name], "inputSchema": schema_of(name, profile)}
        if name not in drift:
            listed.append(own)
        elif drift[name] is not None:
            listed.append({**own, **drift[name]})
    listed += [{"name": name, **members} for name, members in drift.items() if name not in SCHEMAS]
    return listed


TYPES: dict[str, type | tuple[type, ...]] = {
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "array": list,
    "object": dict,
}


class BadArguments(Exception):
    """The server does not take the arguments. text: what it says."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


def arguments_of(schema: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments that a tool works with. A value of another type counts as absent, as the server's casts have it;
    so does a name that it does not know. Raises BadArguments where a required one is absent then."""
    taken: dict[str, Any] = {}
    for name, rule in schema["properties"].items():
        if name in given and fits(rule, given[name]):
            taken[name] = given[name]
    for name in schema.get("required", ()):
        if name not in taken:
            raise BadArguments(f"Invalid arguments: Missing required '{name}'")
    return taken


def fits(rule: Mapping[str, Any], value: Any) -> bool:
    """Whether a value is of the type of a schema, and among its words."""
    if isinstance(value, bool) and rule["type"] != "boolean":
        return False
    return isinstance(value, TYPES[rule["type"]]) and value in rule.get("enum", (value,))
