"""A code of an error -> the exit code of a command. One table, so that a test can ask for every code.

0 done; 1 a run that did not end as done; 2 usage; 3 observe and retry; 4 the session is over; 5 no session.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

OK, NOT_DONE, USAGE, STALE, OVER, NO_SESSION = 0, 1, 2, 3, 4, 5
EXITS: Final[Mapping[str, int]] = {
    "invalid_arguments": USAGE,
    "unknown_tool": USAGE,
    "invalid_url": USAGE,
    "session_taken": USAGE,
    "session_open": USAGE,
    "no_such_window": USAGE,
    "model_missing": USAGE,
    "invalid_action": STALE,
    "unknown_observation": STALE,
    "stale_ref": STALE,
    "stale_page": STALE,
    "action_blocked": STALE,
    "never_ran": STALE,
    "page_unreadable": STALE,
    "apple_event_failed": STALE,
    "automation_denied": STALE,
    "javascript_disabled": STALE,
    "bridge_timeout": STALE,
    "bridge_failed": OVER,
    "scope_lost": OVER,
    "delivery_unknown": OVER,
    "session_dead": OVER,
    "session_unreachable": OVER,
    "stack_closed": OVER,
    "no_session": NO_SESSION,
}
"""Of a session that there is, or is not."""


def exit_of(code: str, *, session: bool) -> int:
    """The exit code. session: whether the command is about a session that was there before; where none came about
    there is none, unless the code says that it was asked wrongly."""
    found = EXITS.get(code, OVER)
    return found if session or found == USAGE else NO_SESSION
