"""The order of MCP's messages: the lifecycle of a session as a table, and the class that runs it.

Separate from rpc_state, which pairs ids and knows nothing of what a message is for. Two eras share one table: the
handshake revisions (initialize, its result, notifications/initialized, then everything) and the stateless one, which
is recognised by the metadata of its requests. A client of both eras asks server/discover first and falls back to the
handshake on an error or on silence. Sources: the pages Lifecycle and Base Protocol of the revisions 2024-11-05 to
2025-11-25, the pages Versioning, Patterns and Base Protocol of 2026-07-28, and the client of the official SDK (2.3.0).
"""
from __future__ import annotations

from harness.wire.frame import wire_error
from harness.wire.jsonrpc import message
from harness.wire.mcp import BATCH_REVISIONS, HANDSHAKE_REVISIONS, MCP, McpCodec, envelope_of
from harness.wire.rpc_state import CANCEL, id_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from harness.wire.frame import Codec, Errors, Frame, WireError
    from harness.wire.rpc_state import Key

STATES = {
    "new": "nothing is agreed; also after an initialize that was answered with an error",
    "probing": "the client asked server/discover, to learn whether the server is a stateless one",
    "offered": "the client sent initialize and waits for its result",
    "agreed": "the server answered initialize; the client has not said notifications/initialized",
    "ready": "the handshake is done",
    "stateless": "requests carry their own version (2026-07-28): the client sent one, or the server is discovered",
}

MESSAGES = {
    ">> initialize": "the request initialize, whatever its metadata",
    ">> ping": "the request ping, without a version of its own",
    ">> request": "any other request without a version of its own",
    ">> discover": "the request server/discover with protocol version and client capabilities in params._meta",
    ">> stateless": "any other request with protocol version and client capabilities in params._meta",
    ">> half_stateless": "a request with the protocol version in params._meta and no client capabilities",
    ">> initialized": "notifications/initialized",
    ">> cancel": "notifications/cancelled for anything but initialize",
    ">> cancel_initialize": "notifications/cancelled for an open initialize",
    ">> notice": "any other notification of the client",
    ">> reply": "a reply of the client",
    ">> array": "an array of messages, where the revision has no batches or none is agreed",
    "<< initialize_result": "the result of initialize, with a handshake revision that is known here",
    "<< initialize_unknown": "the result of initialize, with any other revision",
    "<< initialize_error": "an error as the answer to initialize",
    "<< discover_result": "the result of server/discover",
    "<< discover_error": "an error as the answer to server/discover",
    "<< reply": "any other reply of the server",
    "<< ping": "the request ping of the server",
    "<< log": "notifications/message",
    "<< request": "any other request of the server",
    "<< notice": "any other notification of the server",
    "<< array": "an array of messages, where the revision has no batches or none is agreed",
}

LIFECYCLE_ERRORS: Errors = {
    "too_early": (
        False,
        "the client sent something before the handshake was done (SHOULD NOT before the result of initialize)",
        "initialize first, then notifications/initialized; of the rest only pings may come earlier",
        "wait for the result of initialize and say notifications/initialized before anything else",
    ),
    "server_too_early": (
        False,
        "the server sent something before the handshake was done (SHOULD NOT before notifications/initialized)",
        "of requests only pings, and log messages, until the client said notifications/initialized",
        "hold the message back until the client is ready",
    ),
    "initialize_again": (
        False,
        "the client sent initialize a second time",
        "one initialize a session",
        "start a new session for another handshake",
    ),
    "initialized_again": (
        False,
        "the client said notifications/initialized a second time",
        "one notifications/initialized a session",
        "say it once, after the result of initialize",
    ),
    "second_handshake": (
        False,
        "the server accepted an initialize that it should have refused",
        "an error as the answer to an initialize that is not the first of the session",
        "refuse a second handshake",
    ),
    "unknown_revision": (
        False,
        "the server answered initialize with a revision that no handshake ends in",
        "one of 2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25",
        "end the session, or add the revision to harness/wire/mcp.py after reading what it changed",
    ),
    "cancels_initialize": (
        False,
        "the client cancelled initialize (MUST NOT)",
        "no cancellation of initialize",
        "close the session instead",
    ),
    "mixed_eras": (
        False,
        "a message of the one era came in a session of the other",
        "the handshake, or versions in every request, for a whole session",
        "decide for one of the two at the first request",
    ),
    "no_envelope": (
        False,
        "a request of a stateless session has no version of its own (MUST)",
        "protocol version and client capabilities in params._meta of every request",
        "put both into params._meta",
    ),
    "bad_envelope": (
        False,
        "a request names its version and leaves out the client's capabilities (MUST)",
        "protocol version and client capabilities in params._meta of every request",
        "put both into params._meta; without capabilities send an empty object",
    ),
    "client_notice": (
        False,
        "the client of a stateless session sent a notification other than notifications/cancelled",
        "requests and notifications/cancelled",
        "leave it out: this revision has no other notification of the client",
    ),
    "client_reply": (
        False,
        "the client of a stateless session sent a reply",
        "requests and notifications/cancelled",
        "answer in the next request: this revision has no requests of the server",
    ),
    "server_request": (
        False,
        "the server of a stateless session sent a request (MUST NOT)",
        "replies and notifications",
        "ask for input in the result of the client's request",
    ),
    "array": (
        False,
        "an array of messages came, where the revision has no batches or none is agreed",
        "one message a line; batches in revision 2025-03-26 alone, and never around initialize",
        "send the messages one by one",
    ),
}
"""Code -> (fatal, meaning, expected, advice)."""

_ROWS: dict[str, tuple[str, str, str, str, str, str]] = {
    # message: outcome in new, probing, offered, agreed, ready, stateless; "." stays where it is
    ">> initialize": ("offered", "offered", "initialize_again", "initialize_again", "initialize_again", "mixed_eras"),
    ">> ping": (".", ".", ".", ".", ".", "no_envelope"),
    ">> request": ("too_early", "too_early", "too_early", "too_early", ".", "no_envelope"),
    ">> discover": ("probing", ".", "mixed_eras", "mixed_eras", "mixed_eras", "."),
    ">> stateless": ("stateless", "stateless", "mixed_eras", "mixed_eras", "mixed_eras", "."),
    ">> half_stateless": ("bad_envelope", "bad_envelope", "mixed_eras", "mixed_eras", "mixed_eras", "bad_envelope"),
    ">> initialized": ("too_early", "too_early", "too_early", "ready", "initialized_again", "mixed_eras"),
    ">> cancel": (".",) * 6,
    ">> cancel_initialize": ("cancels_initialize",) * 6,
    ">> notice": ("too_early", "too_early", "too_early", "too_early", ".", "client_notice"),
    ">> reply": (".", ".", ".", ".", ".", "client_reply"),
    ">> array": ("array",) * 6,
    "<< initialize_result": (*("second_handshake",) * 2, "agreed", *("second_handshake",) * 3),
    "<< initialize_unknown": ("unknown_revision",) * 6,
    "<< initialize_error": (".", ".", "new", ".", ".", "."),
    "<< discover_result": (".", "stateless", ".", ".", ".", "."),
    "<< discover_error": (".", "new", ".", ".", ".", "."),
    "<< reply": (".",) * 6,
    "<< ping": ("server_too_early", "server_too_early", ".", ".", ".", "server_request"),
    "<< log": ("server_too_early", "server_too_early", ".", ".", ".", "."),
    "<< request": (*("server_too_early",) * 4, ".", "server_request"),
    "<< notice": (*("server_too_early",) * 3, ".", ".", "."),
    "<< array": ("array",) * 6,
}

LIFECYCLE: dict[tuple[str, str], str] = {
    (state, what): state if outcome == "." else outcome
    for what, outcomes in _ROWS.items()
    for state, outcome in zip(STATES, outcomes, strict=True)
}
"""(state, message) -> next state, or the code of the violation, which leaves the state as it is.

Replies are legal in every state of the handshake era: whether anything was asked is rpc_state's matter. An answer to
server/discover that comes after the fallback changes nothing.
"""

OPENINGS_LIMIT = 1024
"""So many unanswered initialize and server/discover are told from other requests; more than one is odd anyway."""

_NOTICES = {
    (">>", "notifications/initialized"): ">> initialized",
    (">>", CANCEL): ">> cancel",
    ("<<", "notifications/message"): "<< log",
}


class Lifecycle:
    """One MCP session, both ways. Show it every frame, in order, with `saw`.

    state: one of `STATES`; revision: what was agreed, or the version of the latest stateless request; None before.
    codecs: the session's `mcp` codecs, which are told the revision, so that they know whether it has batches.
    """

    def __init__(self, *codecs: Codec) -> None:
        self.state = "new"
        self.revision: str | None = None
        self._codecs = [codec for codec in codecs if isinstance(codec, McpCodec)]
        self._openings: dict[Key, str | None] = {}
        """Ids of the open initialize (None) and server/discover (the version that it named)."""

    def saw(self, way: str, frame: Frame) -> WireError | None:
        """What rule of the lifecycle this frame breaks, if any; bytes that are no message break none. Of a batch the
        first."""
        if type(frame.value) is not list:
            return self._step(way, frame)
        if self.revision not in BATCH_REVISIONS:
            return self._apply(f"{way} array", "an array", None)
        members = [message(MCP, b"", member) for member in frame.value]
        found = [problem for member in members if (problem := self._step(way, member))]
        return found[0] if found else None

    def _step(self, way: str, frame: Frame) -> WireError | None:
        if frame.kind == "raw":
            return None
        what, revision = self._client(frame) if way == ">>" else self._server(frame)
        return self._apply(what, frame.method or "a reply", revision)

    def _apply(self, what: str, name: str, revision: str | None) -> WireError | None:
        """revision: what the message agrees on, if it is legal."""
        outcome = LIFECYCLE[self.state, what]
        if outcome in LIFECYCLE_ERRORS:
            return wire_error(LIFECYCLE_ERRORS, outcome, f"{name} ({what}) in the state {self.state}")
        if revision is not None and (what == "<< initialize_result" or outcome == "stateless"):
            self.revision = revision
            for codec in self._codecs:
                codec.revision = revision
        self.state = outcome
        return None

    def _client(self, frame: Frame) -> tuple[str, str | None]:
        """The row of `MESSAGES` that a message of the client is, and the revision that it makes valid."""
        if frame.kind == "reply":
            return ">> reply", None
        if frame.kind == "notice":
            what = _NOTICES.get((">>", frame.method or ""), ">> notice")
            return ">> cancel_initialize" if what == ">> cancel" and self._cancels_initialize(frame) else what, None
        if frame.method == "initialize":
            self._open(frame, None)
            return ">> initialize", None
        version, complete = envelope_of(frame)
        if version is None:
            return ">> ping" if frame.method == "ping" else ">> request", None
        if not complete:
            return ">> half_stateless", None
        if frame.method == "server/discover":
            self._open(frame, version)
            return ">> discover", version
        return ">> stateless", version

    def _server(self, frame: Frame) -> tuple[str, str | None]:
        """The same for a message of the server."""
        if frame.kind == "notice":
            return _NOTICES.get(("<<", frame.method or ""), "<< notice"), None
        if frame.kind == "request":
            return "<< ping" if frame.method == "ping" else "<< request", None
        key = id_key(frame.id)
        if key not in self._openings:
            return "<< reply", None
        probed = self._openings.pop(key)
        result = frame.value.get("result") if isinstance(frame.value, dict) else None
        if probed is not None:
            return "<< discover_result" if isinstance(result, dict) else "<< discover_error", probed
        if not isinstance(result, dict):
            return "<< initialize_error", None
        revision = result.get("protocolVersion")
        return "<< initialize_result" if revision in HANDSHAKE_REVISIONS else "<< initialize_unknown", revision

    def _open(self, frame: Frame, version: str | None) -> None:
        if len(self._openings) < OPENINGS_LIMIT:
            self._openings[id_key(frame.id)] = version

    def _cancels_initialize(self, frame: Frame) -> bool:
        params = frame.value.get("params") if isinstance(frame.value, dict) else None
        return isinstance(params, dict) and self._openings.get(id_key(params.get("requestId")), "") is None
