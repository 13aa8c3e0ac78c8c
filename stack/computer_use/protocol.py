"""The client's side of the app-server protocol as a state machine without I/O.

What may be sent and what may come in is data: SENDS and LEGAL. A kind of message that a state does not list is fatal
there, with the code that FATAL gives it. Facts: codex app-server, sections 4, 5 and 8, measured on 0.144.2 and
0.171.0: the partial order of the real server is kept and nothing stronger is asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeAlias

from stack.computer_use.settings import SERVER
from stack.computer_use.wire import Id, Message, Shape, encode
from stack.contract import Json
from stack.errors import Official, ProtocolError

INITIALIZE: Final = "initialize"
INITIALIZED: Final = "initialized"
THREAD_START: Final = "thread/start"
INVENTORY: Final = "mcpServerStatus/list"
TOOL_CALL: Final = "mcpServer/tool/call"
ELICITATION: Final = "mcpServer/elicitation/request"


class State(StrEnum):
    """Where the conversation stands."""

    SPAWNED = "spawned"
    INITIALIZING = "initializing"
    INITIALIZED = "initialized"
    THREAD = "thread"
    STARTING = "starting"
    LISTING = "listing"
    ARMED = "armed"
    CALLING = "calling"
    CLOSING = "closing"


class Kind(StrEnum):
    """What an incoming message means, whatever the state."""

    RESULT = "result of the request in flight"
    ERROR = "error of the request in flight"
    STRAY_REPLY = "reply to nothing in flight"
    ELICITATION = "elicitation"
    OTHER_REQUEST = "request other than an elicitation"
    NOTICE = "notice without meaning for a call"
    WARNING = "warning"
    REQUIREMENT = "warning that a requirement overrides the policy"
    THREAD_STARTED = "the thread has started"
    HELPER_STARTING = "the helper is starting"
    HELPER_READY = "the helper is ready"
    HELPER_FAILED = "the helper has failed"
    WAITING = "the thread waits for an approval"
    IDLE = "the thread is idle"
    RESOLVED = "an answered request is resolved"
    MODEL = "model activity"
    UNKNOWN_NOTICE = "unknown notice"


SENDS: Final[Mapping[tuple[State, str], State]] = {
    (State.SPAWNED, INITIALIZE): State.INITIALIZING,
    (State.INITIALIZED, THREAD_START): State.THREAD,
    (State.STARTING, INVENTORY): State.LISTING,
    (State.ARMED, INVENTORY): State.LISTING,
    (State.ARMED, TOOL_CALL): State.CALLING,
}
"""State and request to the state while its reply is awaited. One request in flight, always."""

REPLIED: Final[Mapping[State, State]] = {
    State.INITIALIZING: State.INITIALIZED,
    State.THREAD: State.STARTING,
    State.LISTING: State.ARMED,
    State.CALLING: State.ARMED,
}
"""The state after the reply. A refused request leads nowhere: the conversation ends with it."""

_EARLY: Final = frozenset({Kind.NOTICE, Kind.WARNING, Kind.UNKNOWN_NOTICE})
_REPLY: Final = frozenset({Kind.RESULT, Kind.ERROR})
_THREAD: Final = _EARLY | {Kind.THREAD_STARTED, Kind.HELPER_STARTING, Kind.HELPER_READY}
_AFTER_CALL: Final = frozenset({Kind.RESOLVED, Kind.IDLE})

LEGAL: Final[Mapping[State, frozenset[Kind]]] = {
    State.INITIALIZING: _REPLY,
    State.INITIALIZED: _EARLY,
    State.THREAD: _EARLY | _REPLY | {Kind.THREAD_STARTED, Kind.HELPER_STARTING},
    State.STARTING: _THREAD,
    State.LISTING: _THREAD | _REPLY | _AFTER_CALL,
    State.ARMED: _THREAD | _AFTER_CALL,
    State.CALLING: _THREAD | _REPLY | _AFTER_CALL | {Kind.WAITING, Kind.ELICITATION},
    State.CLOSING: frozenset(Kind) - {Kind.MODEL},
}
"""What may come in; nothing in a state that has no row. After the end of our side everything but model activity is
dropped, model activity never.

An unknown notice is let in so that the reply to a call in flight is still read, and its outcome known; but it is kept
as `odd`, and nothing is dispatched after it.
"""

FATAL: Final[Mapping[Kind, str]] = {
    Kind.STRAY_REPLY: "unexpected_response",
    Kind.OTHER_REQUEST: "unsupported_request",
    Kind.REQUIREMENT: "policy_downgraded",
    Kind.HELPER_FAILED: "helper_failed",
    Kind.MODEL: "model_activity",
}
"""The code of a kind where it is not legal; of all others UNEXPECTED."""
UNEXPECTED: Final = "unexpected_frame"

NOTICES: Final = frozenset(
    {
        "account/login/completed",
        "account/rateLimits/updated",
        "account/updated",
        "account/gatewayOAuth/changed",
        "app/list/updated",
        "deprecationNotice",
        "remoteControl/status/changed",
        "skills/changed",
    }
)
"""Notices of the connection: recorded by whoever taps it, without meaning for a call."""

MODEL_ACTIVITY: Final = ("turn/", "item/", "hook/", "rawResponse", "model/", "thread/realtime/", "thread/tokenUsage/")
"""Beginnings of the methods that only a model turn sends; so does the method `error`."""

HELPER_STATUS: Final[Mapping[str, Kind]] = {
    "starting": Kind.HELPER_STARTING,
    "ready": Kind.HELPER_READY,
    "failed": Kind.HELPER_FAILED,
    "cancelled": Kind.HELPER_FAILED,
}
REQUIREMENT_WORDS: Final = "disallowed by requirements"


@dataclass(frozen=True, slots=True)
class Replied:
    """The request in flight has its result."""

    result: Json


@dataclass(frozen=True, slots=True)
class Refused:
    """The request in flight has an error."""

    official: Official


@dataclass(frozen=True, slots=True)
class Asked:
    """The app-server passes a question on; it waits for the answer with this id."""

    id: Id
    params: Mapping[str, Json]


Event: TypeAlias = Replied | Refused | Asked


class UnsupportedRequest(ProtocolError):
    """A request that no call without a model needs. `reply` is the error that it is answered with."""

    def __init__(self, method: str, identifier: Id) -> None:
        super().__init__(FATAL[Kind.OTHER_REQUEST], f"the request {method[:80]!r}")
        error: dict[str, Json] = {"code": -32601, "message": "Method not found"}
        self.reply = encode({"id": identifier, "error": error})


def _object(value: Json) -> Mapping[str, Json]:
    return value if isinstance(value, dict) else {}


class Conversation:
    """One connection. Feed it messages in order; it gives the events that concern the request in flight.

    turns: model turns that were started (0, or the conversation has failed); asked: elicitations of the whole
    conversation; thread: the thread's id once it is known; odd: an unknown notice that came.
    """

    def __init__(self, elicitations: int) -> None:
        self.state = State.SPAWNED
        self.thread: str | None = None
        self.turns = 0
        self.asked = 0
        self.odd: ProtocolError | None = None
        self._limit = elicitations
        self._in_flight: str | None = None
        self._last = 0
        self._answered: dict[Id, bool] = {}
        self._used: set[tuple[type, Id]] = set()
        self._asked_now = 0
        self._thread_started = False
        self._helper_started = False

    # What we send

    def request(self, method: str, params: Mapping[str, Json]) -> bytes:
        """The line of a request; ProtocolError where it may not be sent now."""
        after = SENDS.get((self.state, method))
        if after is None:
            raise ProtocolError(UNEXPECTED, f"a {method} of our own in the state {self.state}")
        self.state = after
        self._last += 1
        self._in_flight = str(self._last)
        self._asked_now = 0
        return encode({"method": method, "id": self._in_flight, "params": dict(params)})

    def initialized(self) -> bytes:
        """The line of the one notice that a client sends."""
        if self.state is not State.INITIALIZED:
            raise ProtocolError(UNEXPECTED, f"a notice of our own in the state {self.state}")
        return encode({"method": INITIALIZED})

    def answer(self, identifier: Id, result: Mapping[str, Json]) -> bytes:
        """The line that answers an elicitation of the call in flight, once."""
        if self.state is not State.CALLING or self._answered.get(identifier) is not False:
            raise ProtocolError(UNEXPECTED, f"an answer of our own to {identifier!r}, which is not asked now")
        self._answered[identifier] = True
        return encode({"id": identifier, "result": dict(result)})

    def close(self) -> None:
        """Our side has ended: nothing is sent any more."""
        self.state = State.CLOSING

    @property
    def clean(self) -> bool:
        """Whether the conversation can carry another call: between calls, with nothing left open."""
        return self.state is State.ARMED and not self._answered

    # What comes in

    def receive(self, message: Message) -> Event | None:
        """The event that a message is for the request in flight, None for one that is only noted. ProtocolError for
        whatever is not legal now."""
        kind = self.kind(message)
        if message.method == "turn/started":
            self.turns += 1
        if kind not in LEGAL.get(self.state, ()):
            if kind is Kind.OTHER_REQUEST and message.id is not None:
                raise UnsupportedRequest(message.method, message.id)
            raise ProtocolError(FATAL.get(kind, UNEXPECTED), f"{_shown(message, kind)} in the state {self.state}")
        if self.state is State.CLOSING:
            return None
        return self._take(kind, message)

    def kind(self, message: Message) -> Kind:
        """What a message means now."""
        if message.shape in (Shape.RESULT, Shape.ERROR):
            if self._in_flight is None or message.id != self._in_flight:
                return Kind.STRAY_REPLY
            return Kind.RESULT if message.shape is Shape.RESULT else Kind.ERROR
        if message.shape is Shape.REQUEST:
            return Kind.ELICITATION if message.method == ELICITATION else Kind.OTHER_REQUEST
        return notice_kind(message.method, _object(message.params))

    def _take(self, kind: Kind, message: Message) -> Event | None:
        params = _object(message.params)
        if kind in _REPLY:
            self._in_flight = None
            self.state = REPLIED[self.state]
            if self.state is State.STARTING:
                self._name_thread(_thread_id(message.result))
            return Replied(message.result) if message.error is None else Refused(message.error)
        if kind is Kind.ELICITATION and message.id is not None:
            return self._question(message.id, params)
        if kind is Kind.UNKNOWN_NOTICE:
            self.odd = ProtocolError(UNEXPECTED, _shown(message, kind))
        elif kind is Kind.RESOLVED:
            self._resolve(params)
        elif kind is Kind.THREAD_STARTED:
            self._only_once(self._thread_started, kind)
            self._our_thread(_object(params.get("thread")).get("id"), kind)
            self._thread_started = True
        elif kind in (Kind.HELPER_STARTING, Kind.HELPER_READY):
            self._helper(kind, params)
        elif kind in (Kind.WAITING, Kind.IDLE):
            self._our_thread(params.get("threadId"), kind)
        return None

    def _question(self, identifier: Id, params: Mapping[str, Json]) -> Asked:
        self._our_thread(params.get("threadId"), Kind.ELICITATION)
        if params.get("serverName") != SERVER:
            raise ProtocolError(UNEXPECTED, "an elicitation of another server")
        if (type(identifier), identifier) in self._used:
            raise ProtocolError(UNEXPECTED, f"an elicitation with the used id {identifier!r}")
        if self._asked_now >= self._limit:
            raise ProtocolError("too_many_elicitations", f"more than {self._limit} elicitations in one call")
        self._used.add((type(identifier), identifier))
        self._answered[identifier] = False
        self._asked_now += 1
        self.asked += 1
        return Asked(identifier, params)

    def _resolve(self, params: Mapping[str, Json]) -> None:
        identifier = params.get("requestId")
        self._our_thread(params.get("threadId"), Kind.RESOLVED)
        if (
            isinstance(identifier, bool)
            or not isinstance(identifier, int | str)
            or self._answered.get(identifier) is not True
        ):
            raise ProtocolError(UNEXPECTED, f"{identifier!r} resolved, which was not answered")
        del self._answered[identifier]

    def _helper(self, kind: Kind, params: Mapping[str, Json]) -> None:
        self._our_thread(params.get("threadId"), kind)
        if params.get("name") != SERVER:
            raise ProtocolError(UNEXPECTED, "the start of another server")
        if kind is Kind.HELPER_STARTING:
            self._only_once(self._helper_started, kind)
            self._helper_started = True
        elif not self._helper_started:
            raise ProtocolError(UNEXPECTED, "a helper that is ready before it was starting")

    def _name_thread(self, identifier: str | None) -> None:
        """The reply names the thread; a notice about it may have come before (seen on 0.144.2 under load)."""
        if self.thread is not None and identifier != self.thread:
            raise ProtocolError(UNEXPECTED, "a notice of another thread before the reply")
        self.thread = identifier

    def _our_thread(self, identifier: Json, kind: Kind) -> None:
        if self.state is State.THREAD and self.thread is None and isinstance(identifier, str) and identifier:
            self.thread = identifier
        if identifier != self.thread:
            raise ProtocolError(UNEXPECTED, f"{kind.value}, of another thread")

    def _only_once(self, before: bool, kind: Kind) -> None:
        if before:
            raise ProtocolError(UNEXPECTED, f"{kind.value}, a second time")


def notice_kind(method: str, params: Mapping[str, Json]) -> Kind:
    """What a notice means, by its method and params."""
    if method in NOTICES:
        return Kind.NOTICE
    if method == "error" or method.startswith(MODEL_ACTIVITY):
        return Kind.MODEL
    if method in ("warning", "configWarning"):
        words = f"{params.get('message')} {params.get('summary')} {params.get('details')}"
        return Kind.REQUIREMENT if REQUIREMENT_WORDS in words else Kind.WARNING
    if method == "thread/started":
        return Kind.THREAD_STARTED
    if method == "mcpServer/startupStatus/updated":
        status = params.get("status")
        return HELPER_STATUS.get(status, Kind.UNKNOWN_NOTICE) if isinstance(status, str) else Kind.UNKNOWN_NOTICE
    if method == "thread/status/changed":
        return _status_kind(_object(params.get("status")))
    if method == "serverRequest/resolved":
        return Kind.RESOLVED
    return Kind.UNKNOWN_NOTICE


def _status_kind(status: Mapping[str, Json]) -> Kind:
    if status.get("type") == "idle":
        return Kind.IDLE
    if status.get("type") == "active":
        return Kind.WAITING if status.get("activeFlags") == ["waitingOnApproval"] else Kind.MODEL
    return Kind.UNKNOWN_NOTICE


def _thread_id(result: Json) -> str | None:
    identifier = _object(_object(result).get("thread")).get("id")
    return identifier if isinstance(identifier, str) and identifier else None


def _shown(message: Message, kind: Kind) -> str:
    """A message as an error shows it: what it is, never what it carries."""
    if message.shape in (Shape.REQUEST, Shape.NOTICE):
        return f"{kind.value}: {message.method[:80]!r}"
    return f"{kind.value}: id {message.id!r}"
