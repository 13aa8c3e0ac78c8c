"""The tools as they are listed: descriptions, schemas with every bound, annotations.

A table and nothing else: what a client reads here is what arguments.py holds a call against.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from stack.contract import Json, Tool
from stack.errors import CallError
from stack.safari_mcp import observing, searching
from stack.safari_mcp.addresses import LONGEST
from stack.safari_mcp.tabs import HANDLE

READ: Final = "read"
NODE: Final = "^[0-9]{1,20}$"
NO_CONTROLS: Final = "^[^\\u0000-\\u001f\\u007f-\\u009f]*$"
DELTA: Final = 10_000


def _text(most: int, least: int = 0, description: str = "", **more: Json) -> dict[str, Json]:
    schema: dict[str, Json] = {"type": "string", "minLength": least, "maxLength": most, **more}
    return {**schema, "description": description} if description else schema


def _whole(least: int, most: int, default: int) -> dict[str, Json]:
    return {"type": "integer", "minimum": least, "maximum": most, "default": default}


def _one_of(*words: str) -> dict[str, Json]:
    return {"type": "string", "enum": [*words]}


def _object(required: str, /, **properties: dict[str, Json]) -> dict[str, Json]:
    return {
        "type": "object",
        "properties": {**properties},
        "required": [*required.split()],
        "additionalProperties": False,
    }


_FLAG: Final[dict[str, Json]] = {"type": "boolean"}
_URL: Final = _text(LONGEST, 1, "An http or https URL without credentials")
_EXPECTED: Final = _text(LONGEST, 1, "The exact URL that the tab shows now, as read, snapshot or tabs gave it")
_SELECTOR: Final = _text(500, 1, "A CSS selector")
_TEXT: Final = _text(300, 1, "Text in the element's name, whatever its case")
_NUMBER: Final[dict[str, Json]] = {"type": "number", "minimum": -DELTA, "maximum": DELTA}
_TARGET: Final[dict[str, dict[str, Json]]] = {
    "targetId": {"type": "string", "pattern": HANDLE, "description": "A tab, as tabs or open gave it"},
    "epoch": _text(100, 1, "The epoch that was given with it"),
}
_ACTION: Final = _object(
    "type purpose",
    type=_one_of("click", "type", "keyPress", "scroll", "hover"),
    purpose=_text(300, 1, "What it is for"),
    node={"type": "string", "pattern": NODE, "description": "A node id of the latest snapshot"},
    value=_text(4000, 0, "The text to type, or the key to press"),
    replaceAll={**_FLAG, "description": "For type: replace what the field holds; it is appended otherwise"},
    scrollDelta=_object("x y", x=_NUMBER, y=_NUMBER),
)
ACTIONS: Final[Mapping[str, tuple[frozenset[str], frozenset[str]]]] = {
    # type -> (fields that it needs, fields that it may have), beside type and purpose
    "click": (frozenset({"node"}), frozenset()),
    "type": (frozenset({"node", "value"}), frozenset({"replaceAll"})),
    "keyPress": (frozenset({"value"}), frozenset({"node"})),
    "scroll": (frozenset({"scrollDelta"}), frozenset({"node"})),
    "hover": (frozenset({"node"}), frozenset()),
}
KEY_MOST: Final = 100


def check_action(action: Mapping[str, Json]) -> None:
    """CallError(invalid_arguments) for an action whose fields do not belong to its type."""
    kind = str(action["type"])
    needs, may = ACTIONS[kind]
    fields = set(action) - {"type", "purpose"}
    if needs - fields:
        raise CallError("invalid_arguments", f"an action {kind} needs {', '.join(sorted(needs - fields))}")
    if fields - needs - may:
        raise CallError("invalid_arguments", f"an action {kind} has no {', '.join(sorted(fields - needs - may))}")
    if kind == "keyPress" and not 1 <= len(str(action["value"])) <= KEY_MOST:
        raise CallError("invalid_arguments", f"an action keyPress has a value of 1 to {KEY_MOST} characters")


def _tool(name: str, description: str, schema: Mapping[str, Json], kind: str) -> Tool:
    return Tool(name, description, schema, ANNOTATIONS[kind])


ANNOTATIONS: Final[Mapping[str, Mapping[str, Json]]] = {
    # kind -> hints; every tool reaches the open world
    "looks": {"readOnlyHint": True, "destructiveHint": False, "idempotentHint": True, "openWorldHint": True},
    "adds": {"readOnlyHint": False, "destructiveHint": False, "idempotentHint": False, "openWorldHint": True},
    "selects": {"readOnlyHint": False, "destructiveHint": False, "idempotentHint": True, "openWorldHint": True},
    "closes": {"readOnlyHint": False, "destructiveHint": True, "idempotentHint": True, "openWorldHint": True},
    "changes": {"readOnlyHint": False, "destructiveHint": True, "idempotentHint": False, "openWorldHint": True},
}
_QUERY: Final[dict[str, dict[str, Json]]] = {"selector": _SELECTOR, "text": _TEXT}
_EITHER: Final[list[Json]] = [{"required": ["selector"]}, {"required": ["text"]}]

TOOLS: Final[Mapping[str, Tool]] = {
    tool.name: tool
    for tool in (
        _tool(
            "tabs",
            "List the tabs of the automation session, 100 at most. The user's own tabs are not among them; "
            "nothing of a page is read.",
            _object(""),
            "looks",
        ),
        _tool(
            "open",
            "Open a URL in a new tab and wait until it has loaded. A redirect is a failure, and the tab stays open.",
            _object("url", url=_URL),
            "adds",
        ),
        _tool(
            "search",
            "Search the web by DuckDuckGo in a tab of its own, which is closed again. The query goes to "
            "DuckDuckGo; an empty result is no proof that there is nothing.",
            _object(
                "query",
                query=_text(searching.QUERY_MAX, 1, pattern=NO_CONTROLS),
                maxResults=_whole(1, searching.RESULTS_MAX, searching.RESULTS),
                region=_one_of(*searching.REGIONS),
                time=_one_of(*searching.TIMES),
            ),
            "adds",
        ),
        _tool("close", "Close exactly this tab.", _object("targetId epoch", **_TARGET), "closes"),
        _tool(
            "read",
            "Visible text and link targets of a tab. Frames and shadow roots are left out.",
            _object(
                "targetId epoch",
                **_TARGET,
                maxChars=_whole(1, 12_000, observing.READ_CHARS),
                maxLinks=_whole(0, 40, observing.READ_LINKS),
            ),
            "looks",
        ),
        _tool(
            "follow_link",
            "Open the target of the one visible link that a selector matches in a new tab. Nothing is "
            "clicked, and the page with the link stays as it is.",
            _object("targetId epoch expectedUrl selector", **_TARGET, expectedUrl=_EXPECTED, selector=_SELECTOR),
            "adds",
        ),
        _tool(
            "activate",
            "Select a tab in the automation window. Needs consent; says nothing of which window is in front.",
            _object("targetId epoch", **_TARGET),
            "selects",
        ),
        _tool(
            "snapshot",
            "The driver's text tree of a tab, with node ids for interact: of the viewport, or of the "
            "entire page. Large ones may be answered with the path of a file.",
            _object("targetId epoch", **_TARGET, entirePage=_FLAG),
            "looks",
        ),
        _tool(
            "find",
            "Visible elements by CSS selector, by text, or by both. Rows describe elements, and are no node ids.",
            {
                **_object("targetId epoch", **_TARGET, **_QUERY, limit=_whole(1, observing.ROWS_MAX, observing.ROWS)),
                "anyOf": _EITHER,
            },
            "looks",
        ),
        _tool(
            "inspect",
            "The one visible element that a selector matches.",
            _object("targetId epoch selector", **_TARGET, selector=_SELECTOR),
            "looks",
        ),
        _tool(
            "wait",
            "Wait until an element is visible at exactly this URL.",
            {
                **_object(
                    "targetId epoch expectedUrl",
                    **_TARGET,
                    **_QUERY,
                    expectedUrl=_EXPECTED,
                    timeoutMs=_whole(0, 10_000, observing.WAIT_MS),
                ),
                "anyOf": _EITHER,
            },
            "looks",
        ),
        _tool(
            "navigate",
            "Lead an existing tab to another URL, once. Needs consent. A redirect is a failure that is not undone.",
            _object("targetId epoch expectedUrl url", **_TARGET, expectedUrl=_EXPECTED, url=_URL),
            "changes",
        ),
        _tool(
            "interact",
            "One click, text, key, scroll or hover at exactly this URL, by a node id of a fresh snapshot. "
            "All but scroll need consent. Sent once; look before trying again.",
            _object("targetId epoch expectedUrl action", **_TARGET, expectedUrl=_EXPECTED, action=_ACTION),
            "changes",
        ),
        _tool(
            "screenshot",
            "A picture of the viewport or the full page, as the path of the driver's file.",
            _object("targetId epoch", **_TARGET, fullPage=_FLAG),
            "looks",
        ),
        _tool(
            "console",
            "Buffered console messages, which stay buffered.",
            _object("targetId epoch", **_TARGET, limit=_whole(1, observing.CONSOLE_MAX, observing.CONSOLE_MAX)),
            "looks",
        ),
        _tool(
            "network",
            "Summaries of buffered network requests, which stay buffered. Recording begins with the first call.",
            _object("targetId epoch", **_TARGET, urlSubstring=_text(500)),
            "looks",
        ),
    )
}
"""By name, in the order in which they are listed."""
