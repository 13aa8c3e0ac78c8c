"""The tools that change something: each is sent at most once, and what came of it is read back, never repaired.

Where the read-back fails the change has still happened: the reply's outcome says so, and its code what is wrong.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from stack.contract import Json
from stack.errors import CallError, OfficialError, ProtocolError
from stack.safari_mcp import pinned
from stack.safari_mcp.addresses import web_url
from stack.safari_mcp.loading import load, load_deadline, open_tab
from stack.safari_mcp.observing import expected_url, link
from stack.safari_mcp.operation import Operation
from stack.safari_mcp.results import UNTRUSTED
from stack.safari_mcp.tabs import Target
from stack.safari_mcp.wire import parse_json

_TEXT: Final = 300
STALE_NODES: Final = (
    "Node ids are of a snapshot and can be out of date at the same URL; take a snapshot before acting again."
)


async def open_url(operation: Operation, arguments: Mapping[str, Json]) -> dict[str, Json]:
    """A new tab for a URL."""
    url = web_url(str(arguments["url"]))
    target = await open_tab(operation, url)
    return {**target.shown(), "url": url, "status": "loaded"}


async def follow_link(operation: Operation, target: Target, arguments: Mapping[str, Json]) -> dict[str, Json]:
    """A new tab for the href of one link; the page with the link is only read."""
    url = web_url(await link(operation, target, arguments))
    opened = await open_tab(operation, url)
    return {**opened.shown(), "url": url, "status": "loaded", "note": UNTRUSTED}


async def close(operation: Operation, target: Target, arguments: Mapping[str, Json]) -> dict[str, Json]:
    """Close exactly this tab."""
    try:
        await operation.check_listed(target)
    except CallError as error:
        if error.code != "target_gone":
            raise
        return {**target.shown(), "status": "already-absent"}
    await operation.change(pinned.CLOSE_TAB, {"handle": target.handle})
    return {**target.shown(), "status": "closed"}


async def activate(operation: Operation, target: Target, arguments: Mapping[str, Json]) -> dict[str, Json]:
    """Select exactly this tab. Nothing is said of its window."""
    operation.check_permit()
    await operation.check_listed(target)
    await operation.change(pinned.SWITCH_TAB, {"handle": target.handle})
    return {**target.shown(), "status": "selected"}


async def _at(operation: Operation, target: Target, expected: str) -> None:
    """Select a tab that shows the expected URL. CallError(page_moved)."""
    operation.check_permit()
    await operation.select(target)
    seen = await operation.page()
    if seen != expected:
        raise CallError("page_moved", f"the tab shows {seen[:200]!r}; expected {expected[:200]!r}")


async def navigate(operation: Operation, target: Target, arguments: Mapping[str, Json]) -> dict[str, Json]:
    """Lead an existing tab elsewhere."""
    expected = expected_url(arguments)
    url = web_url(str(arguments["url"]))
    await _at(operation, target, expected)
    until = load_deadline(operation)
    await operation.change(pinned.NAVIGATE, {"url": url, "handle": target.handle})
    try:
        await load(operation, target, url, until, passing=expected)
    except CallError as error:
        raise CallError("context_changed", f"after the navigation: {error.seen}") from error
    return {**target.shown(), "url": url, "status": "loaded"}


async def interact(operation: Operation, target: Target, arguments: Mapping[str, Json]) -> dict[str, Json]:
    """One native interaction."""
    expected, action = expected_url(arguments), arguments["action"]
    assert isinstance(action, dict)
    await _at(operation, target, expected)
    texts = await operation.change(pinned.INTERACT, {"interactions": [dict(action)]})
    _check_done(operation, texts)
    url = await _read_back(operation, target)
    moved = url != expected
    return {**target.shown(), "url": url, "status": "sent", "urlChanged": moved, "note": f"{UNTRUSTED} {STALE_NODES}"}


def _check_done(operation: Operation, texts: tuple[str, ...]) -> None:
    """Read the counts: a step that failed is a successful answer with fewer successes than steps."""
    operation.outcome = "unknown"
    try:
        told = parse_json("\n".join(texts))
    except ValueError as error:
        raise ProtocolError("interaction_unclear", f"page_interactions answered no JSON ({error})") from None
    requested = told.get("requested") if isinstance(told, dict) else None
    successful = told.get("successful") if isinstance(told, dict) else None
    if type(requested) is not int or type(successful) is not int or requested != 1 or successful not in (0, 1):
        raise ProtocolError("interaction_unclear", "page_interactions answered without its two counts")
    if successful == 1:
        operation.outcome = "done"
        return
    operation.outcome = "refused"
    reason = told.get("failureReason") if isinstance(told, dict) else None
    text = str(reason)[:_TEXT] if isinstance(reason, str) else "no reason was given"
    raise OfficialError("interaction_failed", f"the driver did not do it: {text}")


async def _read_back(operation: Operation, target: Target) -> str:
    """Where the tab is after an interaction. CallError(context_changed) where that can't be told."""
    url = await operation.page()
    tab = next((tab for tab in await operation.tabs() if tab.handle == target.handle), None)
    if tab is None:
        raise CallError("context_changed", "the tab is gone after the interaction")
    if tab.url != url:
        raise CallError("context_changed", "another tab is the current one after the interaction, or the page moves on")
    return url
