"""Which frame of the client is legal in which state of the conversation, as a table.

The real server takes most of them in any state; a driver that sends them out of order is wrong all the same. So the
fake answers as the real one would, and flags what the table does not have as a `violation` in the world record.

    spawned -> initialized -> ready -> threaded -> armed <-> calling <-> eliciting ... -> closing

Source: trailcam facts on codex app-server, section 9 (F0 to F5).
"""

from __future__ import annotations

SPAWNED, INITIALIZED, READY, THREADED = "spawned", "initialized", "ready", "threaded"
ARMED, CALLING, ELICITING, CLOSING = "armed", "calling", "eliciting", "closing"
STATES = (SPAWNED, INITIALIZED, READY, THREADED, ARMED, CALLING, ELICITING, CLOSING)

EVENTS = {
    "initialize": "request",
    "initialized": "notification",
    "thread/start": "request",
    "mcpServerStatus/list": "request",
    "mcpServer/tool/call": "request",
    "answer": "reply to one of the server's own requests",
    "other request": "any other method",
    "other notification": "any other method",
    "eof": "the client closed its end",
}
"""What a client does, with its form."""

LEGAL: dict[tuple[str, str], str] = {
    (SPAWNED, "initialize"): INITIALIZED,
    (INITIALIZED, "initialized"): READY,
    (READY, "thread/start"): THREADED,
    (THREADED, "mcpServerStatus/list"): ARMED,
    (ARMED, "mcpServerStatus/list"): ARMED,
    (ARMED, "mcpServer/tool/call"): CALLING,
    (ELICITING, "answer"): ELICITING,
    **{(state, "eof"): CLOSING for state in STATES if state != CLOSING},
}
"""(state, event) -> state after it. What the server does itself: CALLING to ELICITING when it asks, back to CALLING
when nothing is pending, and to ARMED when the call is answered."""

CARRIED_OUT = {"thread/start": THREADED, "mcpServerStatus/list": ARMED, "mcpServer/tool/call": CALLING}
"""Where the conversation is after a request that was out of order and that the real server carries out all the same."""


def after(state: str, event: str) -> tuple[str, str | None]:
    """(state after the event, why it was a violation or None). Methods that the table does not name are other ones."""
    if event not in EVENTS:
        event = "other request"
    if (state, event) in LEGAL:
        return LEGAL[state, event], None
    carried = CARRIED_OUT.get(event, state)
    later = carried if STATES.index(carried) > STATES.index(state) else state
    return later, f"{event} in state {state}"
