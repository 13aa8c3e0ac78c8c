"""The dialect `jsonrpc`: JSON-RPC messages, one a line, with or without the `jsonrpc` member.

It is what codex app-server speaks (measured on 0.144.2 and 0.171.0: no `jsonrpc` member, replies are id and result or
error and id, ids are texts or integers, requests of the server count from 0 and may equal a client's id). What a
message is, and which members it may have, are tables; `mcp` gives its own, stricter ones to the same reader.

Which ids may be answered is a matter of both directions: harness/wire/rpc_state.py.
"""
from __future__ import annotations

from harness.wire.frame import Frame, wire_error
from harness.wire.ndjson import NDJSON_ERRORS, NdjsonCodec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, TypeAlias

    from harness.wire.frame import Errors, Kind, WireError
    from harness.wire.jsontext import Json

    Check: TypeAlias = tuple[str, frozenset[type], str]


class Absent:
    """The type of a member that is not there."""


ABSENT = Absent()

JSONRPC_ERRORS: Errors = {
    **NDJSON_ERRORS,
    "not_object": (
        False,
        "the JSON value is no object",
        "one message, which is an object",
        "send each message on a line of its own; codex app-server ignores arrays",
    ),
    "bad_version": (
        False,
        'the member jsonrpc is there with another value than "2.0"',
        'no jsonrpc member, or "2.0"',
        "leave the member out, or speak JSON-RPC 2.0",
    ),
    "no_method": (
        False,
        "the message is no request, notice or reply: it has neither method, nor result, nor error",
        "a method, or an id with result or error",
        "look at whether the line is a message at all, and which member is misspelt",
    ),
    "request_and_reply": (
        False,
        "the message has a method and also a result or error",
        "a method, or an id with result or error",
        "send two messages",
    ),
    "result_and_error": (
        False,
        "the reply has a result and an error",
        "exactly one of result and error",
        "leave out the one that is not meant",
    ),
    "reply_without_id": (
        False,
        "the reply has no id",
        "the id of the request that it answers",
        "echo the request's id, in its type",
    ),
    "bad_method": (False, "the method is no text", "a text", "name the method"),
    "bad_id": (
        False,
        "the id has a type that no id has",
        "a text, a number, or null",
        "use a text or an integer as id",
    ),
    "bad_params": (
        False,
        "params has a type that it can't have",
        "an object, an array, or no params",
        "leave params out, or wrap them in an object",
    ),
    "bad_error": (
        False,
        "the error is not an object with an integer code and a text message",
        'an object like {"code": -32603, "message": "..."}',
        "correct the error object",
    ),
}
"""Code -> (fatal, meaning, expected, advice)."""

SHAPES: dict[tuple[bool, bool, bool, bool], str] = {
    (True, True, False, False): "request",
    (True, False, False, False): "notice",
    (False, True, True, False): "reply",
    (False, True, False, True): "reply",
    (False, False, True, False): "reply_without_id",
    (False, False, False, True): "reply_without_id",
    (False, True, True, True): "result_and_error",
    (False, False, True, True): "result_and_error",
    (True, True, True, False): "request_and_reply",
    (True, True, False, True): "request_and_reply",
    (True, True, True, True): "request_and_reply",
    (True, False, True, False): "request_and_reply",
    (True, False, False, True): "request_and_reply",
    (True, False, True, True): "request_and_reply",
    (False, True, False, False): "no_method",
    (False, False, False, False): "no_method",
}
"""(has method, has id, has result, has error) -> kind of message, or the code of what is wrong with it."""

_TEXT: frozenset[type] = frozenset({str})
_ID: frozenset[type] = frozenset({str, int, float, type(None)})
_PARAMS: frozenset[type] = frozenset({dict, list, type(None), Absent})
_ERROR: frozenset[type] = frozenset({dict, Absent})

CHECKS: dict[str, tuple[Check, ...]] = {
    "request": (("method", _TEXT, "bad_method"), ("id", _ID, "bad_id"), ("params", _PARAMS, "bad_params")),
    "notice": (("method", _TEXT, "bad_method"), ("params", _PARAMS, "bad_params")),
    "reply": (("id", _ID, "bad_id"), ("error", _ERROR, "bad_error")),
}
"""Kind of message -> (member, types that it may have, code where it has another)."""

ERROR_CHECKS: tuple[Check, ...] = (
    ("code", frozenset({int}), "bad_error"),
    ("message", _TEXT, "bad_error"),
)
"""The same for the members of `error`."""


class Rules:
    """What a dialect of JSON-RPC allows: tables alone, so that one reader serves all."""

    __slots__ = ("errors", "versions", "shapes", "checks")

    def __init__(
        self,
        errors: Errors,
        versions: tuple[Json | Absent, ...],
        shapes: Mapping[tuple[bool, bool, bool, bool], str],
        checks: Mapping[str, tuple[Check, ...]],
    ) -> None:
        self.errors = errors
        self.versions = versions
        self.shapes = shapes
        self.checks = checks


JSONRPC = Rules(JSONRPC_ERRORS, (ABSENT, "2.0"), SHAPES, CHECKS)


class JsonRpcCodec(NdjsonCodec):
    """JSON-RPC lines. A message that breaks a rule is a raw frame with its value and its problem."""

    dialect = "jsonrpc"
    errors = JSONRPC_ERRORS
    rules = JSONRPC

    def _message(self, raw: bytes, value: Json) -> Frame:
        return message(self.rules, raw, value)


def message(rules: Rules, raw: bytes, value: Json) -> Frame:
    """The frame of one JSON value: request, notice or reply; or raw, with its problem."""
    if type(value) is not dict:
        return _refused(rules, "not_object", raw, value, _type_of(value))
    if value.get("jsonrpc", ABSENT) not in rules.versions:
        return _refused(rules, "bad_version", raw, value, f"jsonrpc of type {_type_of(value.get('jsonrpc', ABSENT))}")
    kind = rules.shapes["method" in value, "id" in value, "result" in value, "error" in value]
    checks = rules.checks.get(kind)
    if checks is None:
        return _refused(rules, kind, raw, value, f"an object with {_members(value)}")
    problem = _check(rules, checks, value)
    if problem is None and "error" in value:
        problem = _check(rules, ERROR_CHECKS, value["error"])
    if problem is not None:
        return Frame(raw, value, problem=problem)
    return Frame(raw, value, _KINDS[kind], value.get("method"), value.get("id"), "id" in value)


_KINDS: dict[str, Kind] = {"request": "request", "notice": "notice", "reply": "reply", "error_reply": "reply"}


def _check(rules: Rules, checks: tuple[Check, ...], value: dict[str, Any]) -> WireError | None:
    for member, types, code in checks:
        found = value.get(member, ABSENT)
        if type(found) not in types:
            return wire_error(rules.errors, code, f"{member} of type {_type_of(found)}")
    return None


def _refused(rules: Rules, code: str, raw: bytes, value: Json, seen: str) -> Frame:
    return Frame(raw, value, problem=wire_error(rules.errors, code, seen))


_TYPES = {
    dict: "object", list: "array", str: "text", bool: "true or false", int: "integer", float: "number with a point",
    type(None): "null", Absent: "none (it is not there)",
}  # fmt: skip


def _type_of(value: object) -> str:
    return _TYPES[type(value)]


def _members(value: dict[str, Any]) -> str:
    known = [member for member in ("method", "id", "result", "error") if member in value]
    return " and ".join(known) if known else f"{len(value)} members, none of them method, id, result or error"
