"""The tools about what a page logged, requested and asked: console, network and dialogs.

Source: trailcam facts on Safari MCP, 1.3 and 1.4. The console is drained by reading unless told not to; requests are
recorded from the first look on. The keys of a dialog and of a request's details are our own.
"""

from __future__ import annotations

from fakes.fronts.safaridriver_session import ToolError
from fakes.worlds.page_url import split
from harness.wire.jsontext import dumps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from fakes.fronts.safaridriver_calls import Call, Tool
    from fakes.worlds.safari_windows import Tab
    from harness.wire.jsontext import Json

CONSOLE_DEFAULT, CONSOLE_MOST = 100, 500
LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
SUMMARY = (
    "request_id",
    "url",
    "method",
    "status",
    "mime_type",
    "response_size_bytes",
    "duration_ms",
    "initiator",
)
BEGAN_S = 1_788_220_800
"""When a run began, as requests are dated: 2026-09-01T00:00:00Z."""


def browser_console_messages(call: Call) -> Tool:
    session, given = call.session, call.given
    tab = session.chosen(given.get("tab_handle"))
    yield from session.unblocked(tab)
    if tab.loads == 0:
        raise ToolError("No page is loaded")
    levels = given.get("level_filter")
    limit = max(0, min(given.get("limit", CONSOLE_DEFAULT), CONSOLE_MOST))
    found: list[Json] = [message for message in tab.console if not levels or message["level"] in levels]
    found = found[-limit:] if limit else []
    if given.get("clear", True):
        tab.console.clear()
    return dumps({"messages": found} if session.settings["console"] == "messages" else found, ascii_only=False)


def list_network_requests(call: Call) -> Tool:
    session, given = call.session, call.given
    tab = session.chosen(given.get("tab_handle"))
    yield from ()
    if session.armed is None:
        session.armed = {each: len(each.requests) for each in session.tabs()}
    since = _seconds(given["since"]) if "since" in given else None
    found: list[Json] = [
        {name: request[name] for name in SUMMARY}
        for request in _recorded(call, tab)
        if _wanted(request, given.get("filter", {}))
        and (since is None or BEGAN_S + request["at_ms"] / 1000 >= since)
    ]
    if given.get("clear"):
        session.armed[tab] = len(tab.requests)
    return dumps({"count": len(found), "requests": found}, ascii_only=False)


def _recorded(call: Call, tab: Tab) -> list[dict[str, Any]]:
    """Requests of a tab that the session has recorded."""
    armed = call.session.armed
    if armed is None:
        return []
    lost = call.session.loopback_lost()
    return [
        request
        for request in tab.requests[armed.get(tab, 0) :]
        if not (lost and split(request["url"])[1].rpartition(":")[0] in LOOPBACK)
        and not (lost and split(request["url"])[1] in LOOPBACK)
    ]


def _wanted(request: dict[str, Any], rules: dict[str, Any]) -> bool:
    """Whether a request passes every rule of a filter that is there and of its type."""
    url, method = rules.get("url_substring"), rules.get("method")
    return (
        (not isinstance(url, str) or url.lower() in request["url"].lower())
        and (not isinstance(method, str) or method.lower() == request["method"].lower())
        and request["status"] >= rules.get("status_min", 0)
        and request["status"] <= rules.get("status_max", 999)
    )


def _seconds(text: str) -> float:
    """Seconds since 1970 of an ISO 8601 time in UTC (`2026-09-01T00:00:05Z`). Raises ToolError."""
    date, _, time = text.removesuffix("Z").partition("T")
    try:
        year, month, day = (int(part) for part in date.split("-"))
        hours, minutes, seconds = (float(part) for part in (time or "0:0:0").split(":"))
    except ValueError:
        raise ToolError(f"Invalid arguments: '{text}' is no ISO 8601 time") from None
    shifted = year - (month <= 2)  # days of the civil calendar, years begun in March
    days = 365 * shifted + shifted // 4 - shifted // 100 + shifted // 400
    days += (153 * (month + (9 if month <= 2 else -3)) + 2) // 5 + day - 1 - 719_468
    return days * 86_400 + hours * 3600 + minutes * 60 + seconds


def get_network_request(call: Call) -> Tool:
    wanted = call.given["request_id"]
    yield from ()
    for tab in call.session.tabs():
        for request in _recorded(call, tab):
            if request["request_id"] == wanted:
                details: dict[str, Json] = {name: request[name] for name in SUMMARY}
                details["request_headers"] = {"Accept": "*/*"}
                details["response_headers"] = {"Content-Type": request["mime_type"]}
                details["body"] = request["body"]
                details["timing"] = {"duration_ms": request["duration_ms"]}
                return dumps(details, ascii_only=False)
    raise ToolError(f"No request with id '{wanted}'")


def browser_dialogs(call: Call) -> Tool:
    tab = call.session.current()
    yield from ()
    action = call.given["action"]
    if action == "list":
        rows: list[Json] = [{"type": dialog.kind, "message": dialog.text} for dialog in tab.dialogs]
        return dumps({"dialogs": rows}, ascii_only=False)
    if not tab.dialogs:
        raise ToolError("No dialog is open")
    yield call.before(action=action)
    if not tab.dialogs:
        raise ToolError("No dialog is open")
    accepted = action == "respond"
    call.world.answer_dialog(tab, accepted, call.given.get("inputText", ""), f"driver:{call.p}")
    yield call.after(action=action)
    return "Dialog accepted" if accepted else "Dialog dismissed"
