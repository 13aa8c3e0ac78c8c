"""What server and host say to each other over their local socket: JSON lines, checked like those of the extension.

Requests, responses, events and heartbeats are those of protocol.json, passed on with ids of their own; only the
greeting is peculiar to this socket. Without I/O.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from stack.chrome.framing import FramingError, parsed
from stack.chrome.schema import BOUNDS, DOCUMENT, PROTOCOL, Invalid, Schema
from stack.contract import Json

LINE_BYTES: Final = BOUNDS["message_bytes"]
TOKEN_DIGITS: Final = 64

_GREETINGS: Final[Mapping[str, Any]] = {
    "hello_server": {
        "type": "object",
        "additionalProperties": False,
        "required": ["v", "type", "role", "protocol", "token", "server"],
        "properties": {
            "v": {"const": 1},
            "type": {"const": "hello"},
            "role": {"const": "server"},
            "protocol": DOCUMENT["$defs"]["hello_extension"]["properties"]["protocol"],
            "token": {"type": "string", "maxLength": 256},
            "server": {"$ref": "#/$defs/hex"},
        },
    },
    "hello_to_server": {
        "type": "object",
        "additionalProperties": False,
        "required": ["v", "type", "role", "protocol", "version", "extension"],
        "properties": {
            "v": {"const": 1},
            "type": {"const": "hello"},
            "role": {"const": "host"},
            "protocol": {"type": "integer", "minimum": 1},
            "version": {"$ref": "#/$defs/version"},
            "extension": {"$ref": "#/$defs/hello_extension"},
        },
    },
    "refused_to_server": {
        "type": "object",
        "additionalProperties": False,
        "required": ["v", "type", "reason", "message"],
        "properties": {
            "v": {"const": 1},
            "type": {"const": "refused"},
            "reason": {"$ref": "#/$defs/reason"},
            "message": {"type": "string", "maxLength": 1000},
        },
    },
}
IPC: Final = Schema({**DOCUMENT["$defs"], **_GREETINGS})

FROM_SERVER: Final[Mapping[tuple[str, bool | None], str]] = {
    ("hello", None): "hello_server",
    ("request", None): "request",
    ("ping", None): "ping",
    ("pong", None): "pong",
}
TO_SERVER: Final[Mapping[tuple[str, bool | None], str]] = {
    ("hello", None): "hello_to_server",
    ("refused", None): "refused_to_server",
    ("response", True): "response_done",
    ("response", False): "response_failed",
    ("event", None): "event",
    ("ping", None): "ping",
    ("pong", None): "pong",
}
"""(type, ok) -> definition, of what each side may say."""


def kind_of(value: Json, table: Mapping[tuple[str, bool | None], str]) -> str:
    """The definition that a message is of, after it was checked against it. Raises Invalid."""
    if not isinstance(value, dict):
        raise Invalid("", "is no object")
    kind, ok = value.get("type"), value.get("ok")
    name = table.get((kind, ok if isinstance(ok, bool) else None)) if isinstance(kind, str) else None
    if name is None:
        raise Invalid("/type", "is no message that is known here")
    IPC.check(name, value)
    return name


class Lines:
    """The messages of one stream, a line each."""

    def __init__(self, limit: int = LINE_BYTES) -> None:
        self._limit = limit
        self._open = bytearray()

    def feed(self, data: bytes) -> Iterator[Json]:
        """The messages that are whole now. Raises FramingError at the first that is none."""
        self._open += data
        while True:
            end = self._open.find(b"\n")
            if end < 0:
                if len(self._open) > self._limit:
                    raise FramingError("too_long", f"a line of over {self._limit} bytes")
                return
            if end > self._limit:
                raise FramingError("too_long", f"a line of {end} bytes; {self._limit} are the most")
            line = bytes(self._open[:end])
            del self._open[: end + 1]
            yield parsed(line)


def line(value: Json) -> bytes:
    """A message as it goes onto the socket."""
    return json.dumps(value, separators=(",", ":"), allow_nan=False).encode() + b"\n"


def hello(token: str, server: str) -> Json:
    """A server's first message."""
    protocol: Json = {"min": PROTOCOL, "max": PROTOCOL}
    return {"v": 1, "type": "hello", "role": "server", "protocol": protocol, "token": token, "server": server}


def refusal(reason: str, message: str) -> Json:
    """The last message to a side that is refused."""
    return {"v": 1, "type": "refused", "reason": reason, "message": message[:1000]}


def failure(id: str, reason: str, message: str, *, dispatched: bool | None = None) -> Json:
    """The answer to a request that failed. dispatched: whether the extension may have acted, where one may ask."""
    error: dict[str, Json] = {"reason": reason, "message": message[:1000]}
    if dispatched is not None:
        error["detail"] = {"dispatched": dispatched}
    return {"v": 1, "type": "response", "id": id, "ok": False, "error": error}
