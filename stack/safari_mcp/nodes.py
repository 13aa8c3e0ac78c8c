"""Which node ids a snapshot has shown: those that stand in the text which its caller was given, and no others.

The driver's text tree has one item a line: tabs, at most three bare words, and then `uid=N`. What a page has written
stands behind a `=` or in quotes, so none of it is taken for an id. Of a text that was cut the last word may be a part
of one, and shows nothing.

That the driver escapes the text of a node is known; that it does so in values too, line ends among what it escapes, is
not. So a line whose quotes do not close is the last one that shows anything: what follows may be what a page wrote.
And an id that stands on two lines is shown by neither: one of them may be a page's, which says something else of it.

What cannot be told: of a driver that escaped neither quotes nor line ends, a page could close the quote, and write a
line with an id that stands nowhere else. No line of it looks unlike the driver's own, so that id is taken as shown; it
is a number that the driver gave to some node of that tab, or to none, and all but a scroll needs the user's leave.
Source: trailcam facts, Safari MCP server, 1.5.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from stack.safari_mcp.wire import parse_json

_WORD: Final = "[A-Za-z][A-Za-z0-9-]*"
_ITEM: Final = re.compile(rf"\t*{_WORD}(?: {_WORD}){{0,2}} uid=([0-9]{{1,20}})(?: .*)?", re.DOTALL)
_QUOTED: Final = r"'(?:[^'\\]|\\.|'(?! |\Z))*'(?= |\Z)"
"""A quote inside that is not escaped does not end it, unless a word ends there."""
_TOKEN: Final = rf"(?:(?:[^ =']+=)?{_QUOTED}|(?!')(?![^ =']*=')[^ ]+)"
_WHOLE: Final = re.compile(rf"\t*+{_TOKEN}(?: {_TOKEN})*", re.DOTALL)
"""A line all of whose quotes close."""
_TAIL: Final = 64
"""How far from its end a document that was cut is mended: an escape, and the member after the content."""


def nodes_in(text: str, truncated: bool) -> frozenset[str]:
    """The ids in what a snapshot answered: the driver's document with the tree as its `content`, or the bare tree."""
    lines = _content(text, truncated).split("\n")
    if truncated:
        lines[-1] = lines[-1].rpartition(" ")[0]
    whole = next((place for place, line in enumerate(lines) if not _WHOLE.fullmatch(line)), len(lines))
    shown = Counter(found[1] for line in lines[: whole + 1] if (found := _ITEM.fullmatch(line)))
    return frozenset(id for id, times in shown.items() if times == 1)


def _content(text: str, truncated: bool) -> str:
    endings = [text[: len(text) - less] + '"}' for less in range(min(_TAIL, len(text)))] if truncated else [text]
    for each in endings:
        try:
            document = parse_json(each)
        except ValueError:
            continue
        content = document.get("content") if isinstance(document, dict) else None
        return content if isinstance(content, str) else ""
    return text
