"""The driver's tools that this stack uses, as data: their input schemas, and the arguments that it may send.

Separate from the check (capabilities.py), because another Safari brings another table. A schema is compared without
descriptions and whatever its order. An optional tool can have several profiles; the one that the driver lists decides
under which names its arguments are sent.
Source: trailcam facts, Safari MCP server: Safari 27.0 (server 1.0.0) and Safari Technology Preview.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from stack.contract import Json

LIST_TABS: Final = "list_tabs"
CREATE_TAB: Final = "create_tab"
SWITCH_TAB: Final = "switch_tab"
EVALUATE: Final = "evaluate_javascript"
PAGE_INFO: Final = "page_info"
CLOSE_TAB: Final = "close_tab"
CONTENT: Final = "get_page_content"
INTERACT: Final = "page_interactions"
NAVIGATE: Final = "navigate_to_url"
SCREENSHOT: Final = "screenshot"
CONSOLE: Final = "browser_console_messages"
NETWORK: Final = "list_network_requests"

_STRING: Final[dict[str, Json]] = {"type": "string"}
_NUMBER: Final[dict[str, Json]] = {"type": "number"}
_INTEGER: Final[dict[str, Json]] = {"type": "integer"}
_BOOLEAN: Final[dict[str, Json]] = {"type": "boolean"}


def _one_of(words: str) -> dict[str, Json]:
    return {"type": "string", "enum": [*words.split()]}


def _list_of(items: dict[str, Json]) -> dict[str, Json]:
    return {"type": "array", "items": items}


def _object(required: str = "", **properties: dict[str, Json]) -> dict[str, Json]:
    schema: dict[str, Json] = {"type": "object", "properties": {**properties}}
    if required:
        schema["required"] = [*required.split()]
    return schema


@dataclass(frozen=True, slots=True)
class Profile:
    """One form of an optional tool. names: argument of ours -> its name there."""

    name: str
    schema: Mapping[str, Json]
    names: Mapping[str, str]


REQUIRED: Final = (LIST_TABS, CREATE_TAB, SWITCH_TAB, EVALUATE, PAGE_INFO, CLOSE_TAB)
"""Without all of these there is no connection."""

CLOSE_SCHEMA: Final = "an object whose only required key is a string `handle`"
"""What close_tab's schema must say: closing is the one thing that could hit a tab of somebody else."""

_POINT: Final = _object(x=_NUMBER, y=_NUMBER)
_STEP: Final = _object(
    "purpose type",
    type=_one_of("click type keyPress scroll selectText selectMenuItem hover highlightText"),
    purpose=_STRING,
    node=_STRING,
    point=_POINT,
    text=_STRING,
    value=_STRING,
    pressReturn=_BOOLEAN,
    replaceAll=_BOOLEAN,
    scrollDelta=_POINT,
    scrollToVisible=_BOOLEAN,
)


def _same(name: str, schema: Mapping[str, Json], *arguments: str) -> Profile:
    return Profile(name, schema, {argument: argument for argument in arguments})


PINNED: Final[Mapping[str, Sequence[Profile]]] = {
    CONSOLE: (
        _same(
            "safari-27",
            _object(
                clear=_BOOLEAN,
                level_filter=_list_of(_one_of("debug info warn error")),
                limit=_INTEGER,
                tab_handle=_STRING,
            ),
            "clear",
            "limit",
            "tab_handle",
        ),
    ),
    CONTENT: (
        _same(
            "safari-27",
            _object(
                format=_one_of("markdown text textTree json html plainText"),
                includeAccessibilityAttributes=_BOOLEAN,
                includeEventListeners=_BOOLEAN,
                includeRects=_BOOLEAN,
                includeSelectOptions=_BOOLEAN,
                includeSubframes=_BOOLEAN,
                includeURLs=_BOOLEAN,
                maxWordsPerParagraph=_INTEGER,
                nodeIds=_one_of("none editable interactive allContainers"),
                region=_one_of("entire_page viewport"),
                savePath=_STRING,
                shortenURLs=_BOOLEAN,
            ),
            "format",
            "region",
            "nodeIds",
            "includeAccessibilityAttributes",
            "includeURLs",
            "includeRects",
            "includeSubframes",
            "maxWordsPerParagraph",
        ),
    ),
    NETWORK: (
        _same(
            "safari-27",
            _object(
                clear=_BOOLEAN,
                filter=_object(method=_STRING, status_max=_INTEGER, status_min=_INTEGER, url_substring=_STRING),
                since=_STRING,
                tab_handle=_STRING,
            ),
            "clear",
            "filter",
            "tab_handle",
        ),
    ),
    NAVIGATE: (
        Profile("safari-27", _object("url", tab_uuid=_STRING, url=_STRING), {"url": "url", "handle": "tab_uuid"}),
        Profile("technology-preview", _object("url", handle=_STRING, url=_STRING), {"url": "url", "handle": "handle"}),
    ),
    INTERACT: (
        _same("safari-27", _object("interactions", fullText=_BOOLEAN, interactions=_list_of(_STEP)), "interactions"),
    ),
    SCREENSHOT: (_same("safari-27", _object(full_page=_BOOLEAN, node=_STRING, savePath=_STRING), "full_page"),),
}
"""The optional tools: each works only where its schema is one of these."""

SENT: Final[Mapping[str, Mapping[str, str]]] = {
    LIST_TABS: {},
    CREATE_TAB: {"url": "url"},
    SWITCH_TAB: {"handle": "handle"},
    EVALUATE: {"expression": "expression"},
    PAGE_INFO: {},
    CLOSE_TAB: {"handle": "handle"},
}
"""Arguments of the required tools, in the form of Profile.names."""
