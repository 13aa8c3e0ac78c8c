"""Whether a tab has come to show exactly what it was told to: for new tabs and for navigations.

The driver calls a load a success that ended on an error page, and gives the URL that was asked for. So the page itself
is asked who it is, until it has loaded or the time is over. A redirect is a failure here, and undoes nothing.
Source: trailcam facts, Safari MCP server, 1.6.
"""

from __future__ import annotations

from typing import Final

import anyio

from stack.errors import DeadlineError, OfficialError, ProtocolError
from stack.safari_mcp import pinned
from stack.safari_mcp.operation import Operation, created_handle
from stack.safari_mcp.page_programs import PageAnswer
from stack.safari_mcp.tabs import Target, is_handle

LOADED: Final = "complete"
EMPTY: Final = "about:blank"
"""What a new tab shows before its page has begun to arrive."""
UNIDENTIFIED: Final = "tab_unidentified"
_WEB: Final = ("http://", "https://")
_TEXT: Final = 200


def load_deadline(operation: Operation) -> float:
    """When a load that begins now must have ended, on the stack's clock in seconds."""
    return anyio.current_time() + operation.settings.deadlines.load / 1000


async def create(operation: Operation, url: str) -> Target:
    """Make a new tab for a URL, once. ProtocolError(tab_unidentified) where no answer names it: no tab is taken for it
    by comparing lists."""
    known, operation.lost = operation.lost, UNIDENTIFIED
    try:
        handle = created_handle(await operation.change(pinned.CREATE_TAB, {"url": url}))
    except ProtocolError as error:
        if operation.outcome != "unknown":
            raise
        raise ProtocolError(UNIDENTIFIED, f"a tab may be there that no answer names: {error.seen}") from error
    if not isinstance(handle, str) or not is_handle(handle):
        operation.outcome = "unknown"
        raise ProtocolError(UNIDENTIFIED, "the answer to create_tab names no tab")
    operation.lost = known
    return Target(handle, operation.epoch)


async def load(operation: Operation, target: Target, url: str, until: float, passing: str = EMPTY) -> None:
    """Wait until a tab shows `url`, loaded. passing: what it may show meanwhile.

    Raises OfficialError(not_loaded, redirected, target_gone), DeadlineError(not_loaded_in_time).
    """
    pause_s = operation.settings.deadlines.look / 1000
    await operation.select(target)
    seen = "nothing"
    while True:
        answer = await operation.evaluate("ready", {})
        if anyio.current_time() > until:
            break
        if answer.url == url:
            if answer.data.get("state") == LOADED:
                await _still_there(operation, target, url)
                return
        elif answer.url not in (EMPTY, passing):
            _elsewhere(answer, url)
        seen = f"{answer.url[:_TEXT]!r}, {str(answer.data.get('state'))[:20]}"
        left_s = until - anyio.current_time()
        if left_s <= 0:
            break
        await anyio.sleep(min(pause_s, left_s))
    limit_ms = operation.settings.deadlines.load
    raise DeadlineError("load_timeout", f"the page was not loaded within {limit_ms} ms; last seen: {seen}")


def _elsewhere(answer: PageAnswer, url: str) -> None:
    seen = answer.url[:_TEXT]
    if not answer.url.startswith(_WEB):
        raise OfficialError("not_loaded", f"the load of {url[:_TEXT]!r} ended on {seen!r}, an error page")
    raise OfficialError("redirected", f"the load of {url[:_TEXT]!r} ended on {seen!r}")


async def _still_there(operation: Operation, target: Target, url: str) -> None:
    tab = await operation.check_listed(target)
    if tab.url != url:
        raise OfficialError("redirected", f"the load of {url[:_TEXT]!r} ended on {str(tab.url)[:_TEXT]!r}")


async def open_tab(operation: Operation, url: str) -> Target:
    """Make a new tab and wait for its page. The tab stays, also where its page did not come."""
    until = load_deadline(operation)
    target = await create(operation, url)
    await load(operation, target, url, until)
    return target
