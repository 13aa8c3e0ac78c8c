"""The driver's wire: lines of JSON-RPC without I/O, bounded before anything is buffered, and read strictly.

The stack's own few lines in place of the MCP SDK's client, for three promises that the SDK can't give; the reasons are
in docs/decisions (own-client-for-the-safari-driver). It shares no code with the fakes, so no bug is agreed on.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NoReturn, TypeAlias

from stack.contract import Json
from stack.errors import Official, ProtocolError


@dataclass(frozen=True, slots=True)
class Replied:
    """A request has its result."""

    id: int
    result: Json


@dataclass(frozen=True, slots=True)
class Refused:
    """A request has an error."""

    id: int
    official: Official


@dataclass(frozen=True, slots=True)
class Asked:
    """The driver asks something of its client."""

    id: int | str
    method: str


@dataclass(frozen=True, slots=True)
class Noticed:
    """The driver says something that wants no answer."""

    method: str


Message: TypeAlias = Replied | Refused | Asked | Noticed


class LineReader:
    """Bytes to lines. Feed it any split of the stream: the lines are the same. partial: bytes of an open line."""

    __slots__ = ("_limit", "_rest")

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._rest = bytearray()

    @property
    def partial(self) -> int:
        return len(self._rest)

    def feed(self, data: bytes) -> Iterator[bytes]:
        """The lines that `data` ends, without their ends. ProtocolError(message_too_long) before more of a line than
        the limit would be held, whether the line has ended or not."""
        start = 0
        while (end := data.find(b"\n", start)) >= 0:
            self._check(end - start)
            line = bytes(self._rest) + data[start:end]
            self._rest.clear()
            start = end + 1
            yield line
        self._check(len(data) - start)
        self._rest += data[start:]

    def _check(self, more: int) -> None:
        size = len(self._rest) + more
        if size > self._limit:
            raise ProtocolError("message_too_long", f"a message of at least {size} bytes; the bound is {self._limit}")


def _no_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is not JSON")


def _no_twins(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a member stands twice in one object")
    return members


def parse_json(text: str) -> Json:
    """A JSON value, strictly. ValueError, which says where and quotes nothing."""
    try:
        value: Json = json.loads(text, parse_constant=_no_constant, object_pairs_hook=_no_twins)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"{error.msg} at character {error.pos}") from None
    return value


def _bad(what: str) -> NoReturn:
    raise ProtocolError("driver_malformed", what)


def read_message(line: bytes) -> Message:
    """The message of one line. ProtocolError(driver_malformed) for everything else."""
    try:
        value = parse_json(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        _bad(f"a line that is not UTF-8 at byte {error.start}")
    except ValueError as error:
        _bad(f"a line that is not JSON ({error})")
    if not isinstance(value, dict) or value.get("jsonrpc") != "2.0":
        _bad("a line that is no JSON-RPC 2.0 message")
    members = [name for name in ("method", "result", "error") if name in value]
    if len(members) != 1:
        _bad(f"a message with {', '.join(members) or 'neither method, result nor error'}")
    if members == ["method"]:
        return _call(value)
    identifier = value.get("id")
    if isinstance(identifier, bool) or not isinstance(identifier, int):
        _bad("a reply to an id that was never given out")
    if members == ["result"]:
        return Replied(identifier, value["result"])
    return Refused(identifier, _official(value["error"]))


def _call(value: Mapping[str, Json]) -> Message:
    method, identifier = value["method"], value.get("id")
    if not isinstance(method, str):
        _bad("a method that is no text")
    if "id" not in value:
        return Noticed(method)
    if isinstance(identifier, bool) or not isinstance(identifier, int | str):
        _bad("a request with an id that is neither number nor text")
    return Asked(identifier, method)


def _official(error: Json) -> Official:
    code = error.get("code") if isinstance(error, dict) else None
    text = error.get("message") if isinstance(error, dict) else None
    if not isinstance(error, dict) or isinstance(code, bool) or not isinstance(code, int) or not isinstance(text, str):
        _bad("an error without an integer code and a text")
    return Official(code, text, error.get("data"))


def encode(members: Mapping[str, Json]) -> bytes:
    """One message: compact ASCII JSON and its end."""
    return (
        json.dumps({"jsonrpc": "2.0", **members}, ensure_ascii=True, allow_nan=False, separators=(",", ":")) + "\n"
    ).encode("ascii")
