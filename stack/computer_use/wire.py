"""The app-server's wire: newline JSON without I/O, strict where the real server is lenient.

The stack's own few lines on purpose: it shares no codec with the harness or the fakes, so no bug is agreed on.
Lines end at the byte 0x0A and nowhere else: U+2028 and U+0085 stand unescaped inside real frames. The bound is kept
before anything is buffered. A message that is neither reply, request nor notice is an error, never skipped.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NoReturn, TypeAlias

from stack.contract import Json
from stack.errors import Official, ProtocolError

Id: TypeAlias = int | str


class Shape(StrEnum):
    """What a message is by its members."""

    RESULT = "result"
    ERROR = "error"
    REQUEST = "request"
    NOTICE = "notice"


@dataclass(frozen=True, slots=True)
class Message:
    """One classified message. id: None for a notice; method: empty for a reply."""

    shape: Shape
    id: Id | None = None
    method: str = ""
    params: Json = None
    result: Json = None
    error: Official | None = None


class LineReader:
    """Bytes to lines. Feed it any split of the stream: the lines are the same."""

    __slots__ = ("_limit", "_rest")

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._rest = bytearray()

    @property
    def partial(self) -> int:
        """How many bytes of an unfinished line are held."""
        return len(self._rest)

    def feed(self, data: bytes) -> Iterator[bytes]:
        """The lines that `data` finishes, without their ends; to be taken to the end. ProtocolError(line_too_long)
        before a line, finished or not, would be held that is longer than the limit."""
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
            raise ProtocolError("line_too_long", f"a line of at least {size} bytes; the bound is {self._limit}")


def _no_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is not JSON")


def _no_twins(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a member stands twice in one object")
    return members


def decode(line: bytes) -> Json:
    """The JSON value of one line. ProtocolError(not_json), which says where but quotes nothing of the content."""
    try:
        value: Json = json.loads(line.decode("utf-8"), parse_constant=_no_constant, object_pairs_hook=_no_twins)
    except UnicodeDecodeError as error:
        raise ProtocolError("not_json", f"a line that is not UTF-8 at byte {error.start}") from None
    except json.JSONDecodeError as error:
        raise ProtocolError("not_json", f"a line that is not JSON at character {error.pos} ({error.msg})") from None
    except (ValueError, RecursionError) as error:
        raise ProtocolError("not_json", f"a line that is not plain JSON ({error})") from None
    return value


def _bad(what: str) -> NoReturn:
    raise ProtocolError("not_a_frame", f"a message with {what}; expected a reply, a request or a notice")


def _identifier(members: Mapping[str, Json]) -> Id:
    given = members["id"]
    if isinstance(given, bool) or not isinstance(given, int | str):
        _bad(f"an id of type {type(given).__name__}")
    return given


def _official(error: Json) -> Official:
    if not isinstance(error, dict):
        _bad("an error that is no object")
    code, text = error.get("code"), error.get("message")
    if isinstance(code, bool) or not isinstance(code, int) or not isinstance(text, str):
        _bad("an error without an integer code and a text")
    return Official(code, text, error.get("data"))


def classify(value: Json) -> Message:
    """What a decoded line is. ProtocolError(not_a_frame) for everything that is not exactly one of the four shapes."""
    if not isinstance(value, dict):
        _bad(f"the type {type(value).__name__}")
    kinds = [name for name in ("method", "result", "error") if name in value]
    if len(kinds) != 1:
        _bad(f"the members {', '.join(kinds) or 'neither method, result nor error'}")
    if kinds == ["method"]:
        method = value["method"]
        if not isinstance(method, str):
            _bad(f"a method of type {type(method).__name__}")
        if "id" not in value:
            return Message(Shape.NOTICE, method=method, params=value.get("params"))
        return Message(Shape.REQUEST, _identifier(value), method, value.get("params"))
    if "id" not in value:
        _bad("no id")
    if kinds == ["result"]:
        return Message(Shape.RESULT, _identifier(value), result=value["result"])
    return Message(Shape.ERROR, _identifier(value), error=_official(value["error"]))


def encode(members: Mapping[str, Json]) -> bytes:
    """One line: compact ASCII JSON and its end."""
    return json.dumps(members, ensure_ascii=True, allow_nan=False, separators=(",", ":")).encode("ascii") + b"\n"
