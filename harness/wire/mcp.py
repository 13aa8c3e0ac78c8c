"""The dialect `mcp`: Model Context Protocol messages on stdio, one JSON-RPC 2.0 message a line.

Stricter than `jsonrpc` (the version member, ids, params and results), and with arrays (batches), which only the
revision 2025-03-26 has. Sources: the specification's pages of the revisions 2024-11-05, 2025-03-26, 2025-06-18,
2025-11-25 (base protocol, lifecycle) and 2026-07-28 (per-request metadata). The order of messages is a matter of both
directions: harness/wire/mcp_state.py.
"""
from __future__ import annotations

from harness.wire.frame import Frame, wire_error
from harness.wire.jsonrpc import ABSENT, JSONRPC_ERRORS, SHAPES, Absent, JsonRpcCodec, Rules, message

TYPE_CHECKING = False
if TYPE_CHECKING:
    from harness.wire.frame import Errors
    from harness.wire.jsonrpc import Check
    from harness.wire.jsontext import Json

HANDSHAKE_REVISIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
"""Revisions that begin with `initialize`."""
STATELESS_REVISIONS = ("2026-07-28",)
"""Revisions whose every request carries its version in `params._meta`."""
BATCH_REVISIONS = ("2025-03-26",)
"""Revisions in which an array of messages is legal."""
VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities"
"""The two members of `_meta` that a stateless request must have."""

MCP_ERRORS: Errors = {
    **JSONRPC_ERRORS,
    "bad_version": (
        False,
        'the member jsonrpc is missing, or is not "2.0"',
        '"jsonrpc": "2.0"',
        "add the member; a peer without it may be codex app-server: use the dialect `jsonrpc`",
    ),
    "bad_id": (
        False,
        "the id has a type that no id has",
        "a text or an integer",
        "use a text or an integer as id; null stands only in an error reply to a message that could not be read",
    ),
    "bad_params": (False, "params is no object", "an object, or no params", "wrap the params in an object"),
    "bad_result": (False, "the result is no object", "an object", "wrap the result in an object"),
    "batch": (
        False,
        "an array of messages, where the revision has none or is not agreed yet",
        "one message a line",
        "send the messages one by one; only revision 2025-03-26 has batches, and never before its handshake",
    ),
    "bad_batch": (
        False,
        "the array is empty, or has a member that is no message, or holds the handshake",
        "an array of messages, initialize not among them",
        "correct the member that the error names",
    ),
}
"""Code -> (fatal, meaning, expected, advice)."""

MCP_SHAPES: dict[tuple[bool, bool, bool, bool], str] = {
    **SHAPES,
    (False, True, False, True): "error_reply",
    (False, False, False, True): "error_reply",
}
"""As in `jsonrpc`, but an error reply may have no id: to a message whose id could not be read (2025-11-25)."""

_TEXT: frozenset[type] = frozenset({str})
_ID: frozenset[type] = frozenset({str, int})
_PARAMS: frozenset[type] = frozenset({dict, Absent})

MCP_CHECKS: dict[str, tuple[Check, ...]] = {
    "request": (("method", _TEXT, "bad_method"), ("id", _ID, "bad_id"), ("params", _PARAMS, "bad_params")),
    "notice": (("method", _TEXT, "bad_method"), ("params", _PARAMS, "bad_params")),
    "reply": (("id", _ID, "bad_id"), ("result", frozenset({dict}), "bad_result")),
    "error_reply": (("id", _ID | {type(None), Absent}, "bad_id"), ("error", frozenset({dict}), "bad_error")),
}

MCP = Rules(MCP_ERRORS, ("2.0",), MCP_SHAPES, MCP_CHECKS)


class McpCodec(JsonRpcCodec):
    """MCP lines. `revision`: what was agreed, None before; mcp_state.Lifecycle sets it, since it sees both ways."""

    dialect = "mcp"
    errors = MCP_ERRORS
    rules = MCP

    def __init__(self, way: str, limit: int) -> None:
        super().__init__(way, limit)
        self.revision: str | None = None

    def _message(self, raw: bytes, value: Json) -> Frame:
        if type(value) is not list:
            return message(MCP, raw, value)
        if self.revision not in BATCH_REVISIONS:
            agreed = f"revision {self.revision}" if self.revision else "no revision agreed"
            problem = wire_error(MCP_ERRORS, "batch", f"an array of {len(value)}, with {agreed}")
            return Frame(raw, value, problem=problem)
        fault = _fault_of_batch(value)
        return Frame(raw, value, problem=wire_error(MCP_ERRORS, "bad_batch", fault) if fault else None)


def _fault_of_batch(batch: list[Json]) -> str | None:
    if not batch:
        return "an empty array"
    for place, value in enumerate(batch):
        frame = message(MCP, b"", value)
        if frame.problem:
            return f"member {place}: {frame.problem.code}, {frame.problem.seen}"
        if frame.method == "initialize":
            return f"member {place}: initialize"
    return None


def envelope_of(frame: Frame) -> tuple[str | None, bool]:
    """(the version that a request's own metadata names, whether the metadata is complete).

    (None, False) where there is none: a message of the handshake revisions. The version key alone decides, so that a
    request with half of the metadata is taken for a stateless one with a fault.
    """
    value = frame.value
    params = value.get("params") if isinstance(value, dict) else None
    meta = params.get("_meta") if isinstance(params, dict) else None
    version = meta.get(VERSION_KEY, ABSENT) if isinstance(meta, dict) else ABSENT
    if version is ABSENT:
        return None, False
    complete = isinstance(version, str) and isinstance(meta, dict) and isinstance(meta.get(CAPABILITIES_KEY), dict)
    return str(version), complete
