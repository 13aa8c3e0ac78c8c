"""The tools that only look: each selects its exact tab first, and gives nothing back where the tab moved meanwhile.

What is checked is the tab's URL and presence before and after, and for page programs the URL that the page itself
gives. That proves no document: a page that was loaded anew at the same URL is not noticed, and every result says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NoReturn

import anyio

from stack.contract import Json
from stack.errors import CallError, DeadlineError, ProtocolError
from stack.safari_mcp import pinned
from stack.safari_mcp.addresses import page_url
from stack.safari_mcp.operation import Operation
from stack.safari_mcp.page_programs import SCAN
from stack.safari_mcp.results import UNTRUSTED, cut
from stack.safari_mcp.tabs import LISTED, Target

ROWS_MAX: Final = 50
ROWS: Final = 20
READ_CHARS, READ_LINKS = 8000, 20
CONSOLE_MAX: Final = 100
WAIT_MS: Final = 5000
WORDS_A_PARAGRAPH: Final = 30
_WARNING: Final[Mapping[str, Json]] = {"note": UNTRUSTED}


def _moved(before: str, after: str | None) -> NoReturn:
    seen = "is gone" if after is None else f"shows {after[:200]!r}"
    raise CallError("page_moved", f"the tab {seen} now, and showed {before[:200]!r} when it was looked at")


async def _settled(operation: Operation, target: Target, before: str) -> None:
    """See that the tab is where it was. CallError(page_moved)."""
    after = await operation.page()
    if after != before:
        _moved(before, after)
    tab = next((tab for tab in await operation.tabs() if tab.handle == target.handle), None)
    if tab is None or tab.url != before:
        _moved(before, None if tab is None else tab.url)


async def _program(
    operation: Operation, target: Target, name: str, data: Mapping[str, Json]
) -> tuple[str, Mapping[str, Json]]:
    """Run a page program in a tab: the URL, and its data."""
    await operation.select(target)
    before = await operation.page()
    answer = await operation.evaluate(name, data)
    await _settled(operation, target, before)
    if answer.url != before:
        _moved(before, answer.url)
    return before, answer.data


async def _driver_text(
    operation: Operation, target: Target, tool: str, arguments: Mapping[str, Json]
) -> dict[str, Json]:
    """Call a tool that looks at a tab: the URL, and what it said, cut."""
    await operation.select(target)
    before = await operation.page()
    texts = await operation.observe(tool, arguments)
    await _settled(operation, target, before)
    return {**target.shown(), "url": before, **cut(texts, operation.settings.bounds.text), **_WARNING}


async def tabs(operation: Operation) -> dict[str, Json]:
    """The tabs of the driver's own session."""
    listed = await operation.tabs()
    rows: list[Json] = []
    for tab in listed[:LISTED]:
        said: dict[str, Json] = {"url": tab.url, "title": tab.title}
        known = {name: value for name, value in said.items() if value is not None}
        rows.append({**Target(tab.handle, operation.epoch).shown(), **known})
    return {"tabs": rows, "truncated": len(listed) > LISTED, **_WARNING}


async def read(operation: Operation, target: Target, arguments: Mapping[str, Json]) -> dict[str, Json]:
    """Visible text and link targets."""
    given: dict[str, Json] = {
        "chars": arguments.get("maxChars", READ_CHARS),
        "links": arguments.get("maxLinks", READ_LINKS),
    }
    url, data = await _program(operation, target, "read", given)
    members = ("title", "text", "textTruncated", "links", "linksTruncated")
    return {**target.shown(), "url": url, **{name: data.get(name) for name in members}, **_WARNING}


async def link(operation: Operation, target: Target, arguments: Mapping[str, Json]) -> str:
    """Where the one visible link leads that a selector matches at the expected URL. CallError(page_moved, no_match)."""
    expected = str(arguments["expectedUrl"])
    url, data = await _program(operation, target, "link", {"selector": arguments["selector"], "scan": SCAN})
    if url != expected:
        _moved(expected, url)
    matched, href = data.get("matched"), data.get("href")
    if matched != 1 or data.get("truncated") is not False or not isinstance(href, str):
        raise CallError("no_single_match", f"{matched} visible links match the selector; exactly one is needed")
    return href


def _query(arguments: Mapping[str, Json], limit: Json) -> dict[str, Json]:
    text = arguments.get("text")
    lower = text.lower() if isinstance(text, str) else None
    return {"selector": arguments.get("selector"), "text": lower, "limit": limit, "scan": SCAN}


async def _find(operation: Operation, target: Target, query: Mapping[str, Json]) -> tuple[str, list[Json], bool, Json]:
    url, data = await _program(operation, target, "find", query)
    rows, truncated, limit = data.get("matches"), data.get("truncated"), query["limit"]
    if not isinstance(rows, list) or not isinstance(truncated, bool) or not isinstance(limit, int) or len(rows) > limit:
        raise ProtocolError("page_malformed", "the page program find answered something that is not its own")
    return url, rows, truncated, data.get("scanned")


async def find(operation: Operation, target: Target, arguments: Mapping[str, Json]) -> dict[str, Json]:
    """Rows of visible elements."""
    query = _query(arguments, arguments.get("limit", ROWS))
    url, rows, truncated, scanned = await _find(operation, target, query)
    found: dict[str, Json] = {"matches": rows, "scanned": scanned, "truncated": truncated, "scanLimit": SCAN}
    return {**target.shown(), "url": url, **found, **_WARNING}


async def inspect(operation: Operation, target: Target, arguments: Mapping[str, Json]) -> dict[str, Json]:
    """The one visible element that a selector matches. CallError(no_single_match)."""
    url, rows, truncated, scanned = await _find(operation, target, _query(arguments, 2))
    if len(rows) != 1 or truncated:
        more = " at least" if truncated else ""
        raise CallError("no_single_match", f"the selector matches{more} {len(rows)} visible elements; one is needed")
    return {**target.shown(), "url": url, "match": rows[0], "scanned": scanned, "scanLimit": SCAN, **_WARNING}


async def wait(operation: Operation, target: Target, arguments: Mapping[str, Json]) -> dict[str, Json]:
    """Look until something is there. DeadlineError(wait_timeout); CallError(page_moved) once the URL is another."""
    expected, limit_ms = str(arguments["expectedUrl"]), arguments.get("timeoutMs", WAIT_MS)
    query = _query(arguments, 1)
    until = anyio.current_time() + float(str(limit_ms)) / 1000
    while True:
        url, rows, _, _ = await _find(operation, target, query)
        if url != expected:
            _moved(expected, url)
        if rows:
            return {**target.shown(), "url": url, "matched": True, **_WARNING}
        left_s = until - anyio.current_time()
        if left_s <= 0:
            raise DeadlineError("wait_timeout", f"nothing matched within {limit_ms} ms among the first {SCAN} elements")
        await anyio.sleep(min(operation.settings.deadlines.poll / 1000, left_s))


async def snapshot(operation: Operation, target: Target, arguments: Mapping[str, Json]) -> dict[str, Json]:
    """The driver's text tree, with node ids."""
    given: dict[str, Json] = {
        "format": "textTree",
        "region": "entire_page" if arguments.get("entirePage") is True else "viewport",
        "nodeIds": "interactive",
        "includeAccessibilityAttributes": True,
        "includeURLs": True,
        "includeRects": True,
        "includeSubframes": False,
        "maxWordsPerParagraph": WORDS_A_PARAGRAPH,
    }
    return await _driver_text(operation, target, pinned.CONTENT, given)


async def screenshot(operation: Operation, target: Target, arguments: Mapping[str, Json]) -> dict[str, Json]:
    """Where the driver put a picture."""
    whole = arguments.get("fullPage") is True
    return await _driver_text(operation, target, pinned.SCREENSHOT, {"full_page": whole})


async def console(operation: Operation, target: Target, arguments: Mapping[str, Json]) -> dict[str, Json]:
    """Buffered messages of the page, which stay buffered."""
    limit = arguments.get("limit", CONSOLE_MAX)
    given: dict[str, Json] = {"clear": False, "limit": limit, "tab_handle": target.handle}
    return await _driver_text(operation, target, pinned.CONSOLE, given)


async def network(operation: Operation, target: Target, arguments: Mapping[str, Json]) -> dict[str, Json]:
    """Summaries of the page's requests, which stay buffered."""
    given: dict[str, Json] = {"clear": False, "tab_handle": target.handle}
    if "urlSubstring" in arguments:
        given["filter"] = {"url_substring": arguments["urlSubstring"]}
    return await _driver_text(operation, target, pinned.NETWORK, given)


def expected_url(arguments: Mapping[str, Json]) -> str:
    """The URL at which a call expects the page; CallError(invalid_url)."""
    return page_url(str(arguments["expectedUrl"]))
