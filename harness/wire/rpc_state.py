"""Which ids may be asked with and answered: JSON-RPC's rules of exchange as a table, and the class that runs it.

Separate from the codecs, which see one direction each. A reply belongs to the request that went the other way with
the same id, of the same type: 0, "0" and 0.0 are three ids (codex app-server ignores an answer to 0 that says "0").
Each direction has ids of its own: a server may ask with an id that the client has in use.
"""
from __future__ import annotations

from harness.wire.frame import wire_error
from harness.wire.jsonrpc import JSONRPC, Rules, message
from harness.wire.mcp import MCP

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from harness.wire.frame import Errors, Frame, WireError
    from harness.wire.jsontext import Json

    Key: TypeAlias = tuple[str, Json]

STATES = {
    "new": "no request with this id was seen",
    "twin": "no request with this id was seen, but one whose id differs from it in type alone is open",
    "open": "a request with this id waits for its reply",
    "cancelled": "a request with this id was cancelled and not answered",
    "answered": "a request with this id was answered",
}
"""What an id of one direction may be in."""

MESSAGES = {
    "request": "a request, in the id's own direction",
    "cancel": "notifications/cancelled for the id, in its own direction (MCP)",
    "reply": "a reply, in the other direction",
    "orphan": "an error reply whose id is null or missing: to a message that could not be read",
}

EXCHANGE_ERRORS: Errors = {
    "id_in_use": (
        False,
        "a request has the id of one that is still open",
        "an id that no open request of this side has",
        "count ids up, and never use one twice",
    ),
    "id_used_again": (
        False,
        "a request has the id of an earlier one",
        "an id that this side has not used in this session (MCP)",
        "count ids up, and never use one twice",
    ),
    "unknown_id": (
        False,
        "a reply has the id of no request",
        "the id of an open request of the other side",
        "echo the request's id as it came",
    ),
    "id_type": (
        False,
        "a reply has the id of an open request in another type",
        "the id in the type in which it was asked",
        "echo the request's id as it came: 0 and \"0\" are two ids",
    ),
    "answered_twice": (
        False,
        "a request was answered a second time",
        "one reply for each request",
        "look for two handlers of one request, or a retry that answers again",
    ),
    "cancels_nothing": (
        False,
        "a cancellation names no request of this side",
        "the id of a request of the same side",
        "cancel with the id that was asked with",
    ),
    "too_many_open": (
        False,
        "more requests are open than are kept track of",
        "at most 262144 open requests in one direction",
        "answer requests; this one's reply will count as unknown",
    ),
}
"""Code -> (fatal, meaning, expected, advice)."""

_COMMON = {
    ("new", "request"): "open",
    ("twin", "request"): "open",
    ("open", "request"): "id_in_use",
    ("cancelled", "request"): "open",
    ("answered", "request"): "open",
    ("new", "cancel"): "cancels_nothing",
    ("twin", "cancel"): "cancels_nothing",
    ("open", "cancel"): "cancelled",
    ("cancelled", "cancel"): "cancelled",
    ("answered", "cancel"): "answered",
    ("new", "reply"): "unknown_id",
    ("twin", "reply"): "id_type",
    ("open", "reply"): "answered",
    ("cancelled", "reply"): "answered",
    ("answered", "reply"): "answered_twice",
    ("new", "orphan"): "new",
    ("twin", "orphan"): "twin",
    ("open", "orphan"): "answered",
    ("cancelled", "orphan"): "answered",
    ("answered", "orphan"): "answered_twice",
}

EXCHANGE: dict[str, dict[tuple[str, str], str]] = {
    "jsonrpc": _COMMON,
    "mcp": {**_COMMON, ("cancelled", "request"): "id_used_again", ("answered", "request"): "id_used_again"},
}
"""Dialect -> (state of the id, message) -> next state, or the code of the violation, which leaves the state as it is.

A reply to a cancelled request is legal (it may have been on its way), and so is the cancellation of an answered one.
"""

CANCEL = "notifications/cancelled"
OPEN_LIMIT = 256 * 1024
REMEMBERED = 64 * 1024
"""So many answered requests are remembered at least, and at most twice as many; older ids count as new."""

_OTHER = {">>": "<<", "<<": ">>"}
_RULES: dict[str, Rules] = {"jsonrpc": JSONRPC, "mcp": MCP}


class _Side:
    """The ids of the requests that go one way."""

    __slots__ = ("open", "cancelled", "answered", "answered_before")

    def __init__(self) -> None:
        self.open: dict[Key, str | None] = {}
        self.cancelled: dict[Key, str | None] = {}
        self.answered: dict[Key, str | None] = {}
        self.answered_before: dict[Key, str | None] = {}

    def state(self, key: Key) -> str:
        if key in self.open:
            return "open"
        if key in self.answered or key in self.answered_before:
            return "answered"
        if key in self.cancelled:
            return "cancelled"
        return "twin" if any(twin in self.open for twin in _twins(key)) else "new"

    def method(self, key: Key) -> str | None:
        for table in (self.open, self.answered, self.answered_before, self.cancelled):
            if key in table:
                return table[key]
        return None

    def move(self, key: Key, state: str, method: str | None) -> None:
        """The id goes into `state`. Bounded: see REMEMBERED."""
        for table in (self.open, self.answered, self.answered_before, self.cancelled):
            table.pop(key, None)
        if state == "open":
            self.open[key] = method
        elif state == "cancelled":
            self.cancelled[key] = method
            if len(self.cancelled) > REMEMBERED:
                del self.cancelled[next(iter(self.cancelled))]
        elif state == "answered":
            self.answered[key] = method
            if len(self.answered) >= REMEMBERED:
                self.answered_before, self.answered = self.answered, {}


class Exchange:
    """Pairs replies with requests on one wire, both ways. Show it every frame, in order, with `saw`.

    `jsonrpc` allows an id to be used again once it was answered, `mcp` does not.
    """

    def __init__(self, dialect: str = "jsonrpc") -> None:
        self._table = EXCHANGE[dialect]
        self._rules = _RULES[dialect]
        self._sides = {">>": _Side(), "<<": _Side()}

    def saw(self, way: str, frame: Frame) -> WireError | None:
        """What rule of the exchange this frame breaks, if any; a raw frame breaks none. Of a batch the first."""
        value = frame.value
        if type(value) is list and frame.problem is None:
            members = (message(self._rules, b"", member) for member in value)
            found = [problem for member in members if (problem := self.saw(way, member))]
            return found[0] if found else None
        if frame.kind == "request":
            return self._move(way, "request", frame.id, frame.method)
        if frame.kind == "reply":
            orphan = frame.id is None and type(value) is dict and "error" in value
            return self._move(_OTHER[way], "orphan" if orphan else "reply", frame.id, None)
        if frame.method == CANCEL and self._rules is MCP:
            return self._move(way, "cancel", _cancelled_id(frame), None)
        return None

    def method_of(self, way: str, frame: Frame) -> str | None:
        """The method that the frame is about: its own, or that of the request that it answers. Before or after `saw`;
        None for a raw frame, and for a reply to no known request."""
        if frame.kind != "reply":
            return frame.method
        return self._sides[_OTHER[way]].method(id_key(frame.id))

    def waiting(self, way: str) -> list[tuple[Json, str | None]]:
        """(id, method) of the requests that went this way and were neither answered nor cancelled, oldest first."""
        return [(key[1], method) for key, method in self._sides[way].open.items()]

    def _move(self, way: str, what: str, id: Json, method: str | None) -> WireError | None:
        side = self._sides[way]
        key = id_key(id)
        state = side.state(key)
        outcome = self._table[state, what]
        if outcome == "open" and len(side.open) >= OPEN_LIMIT:
            outcome = "too_many_open"
        if outcome in EXCHANGE_ERRORS:
            return wire_error(EXCHANGE_ERRORS, outcome, f"{what} with id {_shown(id)} while it is {state}")
        if outcome != state:
            side.move(key, outcome, method if what == "request" else side.method(key))
        return None


def id_key(id: Json) -> Key:
    """Ids that are equal in Python and differ in JSON have different keys."""
    return (type(id).__name__, repr(id) if isinstance(id, list | dict) else id)


def _twins(key: Key) -> list[Key]:
    """The keys of the ids that look the same in another type."""
    kind, value = key
    if not isinstance(value, str | int | float) or kind == "bool" or len(repr(value)) > 24:
        return []
    try:
        whole = int(value)
    except (ValueError, OverflowError):
        return []
    same = str(whole) == value if kind == "str" else whole == value
    return [("str", str(whole)), ("int", whole), ("float", float(whole))] if same else []


def _cancelled_id(frame: Frame) -> Json:
    params = frame.value.get("params") if isinstance(frame.value, dict) else None
    found: Json = params.get("requestId") if isinstance(params, dict) else None
    return found


def _shown(id: Json) -> str:
    text = repr(id)
    return text if len(text) <= 40 else text[:40] + "…"
