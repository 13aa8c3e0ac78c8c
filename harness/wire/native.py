"""The dialect `native`: Chrome native messaging, a 32-bit length in native byte order and then that much UTF-8 JSON.

Limits of Chromium (measured on a real one; trailcam facts: Chrome): a message to the browser has at most 1 MiB,
inclusive; one from the browser at most 64 MiB. Chromium looks at the length as soon as it has four bytes, and ends
the port at once where it is too large. So does this codec: a log line on stdout is an error at its fourth byte. What
nobody can tell from the bytes: a length that is wrong and within the limit only makes the reader wait.
"""
from __future__ import annotations

import sys

from harness.wire.frame import MIB, Frame, start_of, wire_error
from harness.wire.jsontext import JsonTextError, loads
from harness.wire.ndjson import TEXT_ERRORS, encode_json, text_problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    from harness.wire.frame import Errors, WireError
    from harness.wire.jsontext import Json

TOWARD_BROWSER = MIB
FROM_BROWSER = 64 * MIB

NATIVE_ERRORS: Errors = {
    **TEXT_ERRORS,
    "text_as_length": (
        True,
        "the four bytes of a length are printable: text was written where a message should start",
        "a 32-bit length in native byte order",
        "write nothing but messages to this stream; logs go to stderr",
    ),
    "byte_order": (
        True,
        "the length is over the limit, and would be an ordinary one in the other byte order",
        "a 32-bit length in native byte order",
        "pack the length in native order (`=I`), not in network order",
    ),
    "impossible_length": (
        True,
        "the length is larger than any message of Chrome",
        "a length of at most 64 MiB",
        "look at what wrote to this stream, and at whether an earlier message was as long as its length said",
    ),
    "too_long": (
        False,
        "the message is longer than it may be; it is given in pieces and reading goes on after it",
        "a message within the limit: 1 MiB toward the browser, 64 MiB from it",
        "split the message; Chrome ends the port at this one",
    ),
    "empty": (
        False,
        "the message has no bytes",
        "at least one byte of JSON",
        "send a JSON value; Chrome drops an empty message without a word",
    ),
    "not_utf8": (
        False,
        "the message is not UTF-8",
        "UTF-8 text",
        "encode the text as UTF-8; Chrome delivers it with replacement characters",
    ),
    "half_frame": (
        False,
        "the stream ended inside of a length or a message",
        "as many bytes as the length says",
        "look at why the other side stopped, and at whether it flushes what it writes",
    ),
    "no_value": (
        False,
        "what is to be encoded is no JSON value",
        "a JSON value",
        "correct the value, or write the bytes themselves as a raw step",
    ),
    "over_limit": (
        False,
        "what is to be encoded is longer than a message may be",
        "at most `limit` bytes of JSON",
        "send less, or in several messages",
    ),
}
"""Code -> (fatal, meaning, expected, advice)."""

_PREFIX = 4
_PIECE = 64 * 1024
"""After a fatal problem the stream is passed on in pieces of this size, or of the limit where that is less."""
_PRINTABLE = frozenset(range(0x20, 0x7F)) | frozenset(b"\t\n\r")


class NativeCodec:
    """Native messages. Every frame is of kind raw: what a message means is between the extension and its host."""

    dialect = "native"

    def __init__(self, way: str, limit: int) -> None:
        self.way = way
        self.limit = limit
        self._open = bytearray()
        self._left = 0
        """Bytes of an over-long message that are still to come."""
        self._problem: WireError | None = None
        """Of the message that is being passed on in pieces, or of the stream where it is fatal."""

    @property
    def held(self) -> int:
        return len(self._open)

    def feed(self, data: bytes) -> list[Frame]:
        self._open += data
        frames: list[Frame] = []
        start = 0
        while True:
            taken = self._next(start)
            if taken is None:
                break
            frames.append(taken)
            start += len(taken.raw)
        del self._open[:start]
        return frames

    def end(self) -> list[Frame]:
        raw = bytes(self._open)
        self._open.clear()
        problem, self._problem, self._left = self._problem, None, 0
        if not raw:
            return []
        return [Frame(raw, problem=problem or wire_error(NATIVE_ERRORS, "half_frame", start_of(raw)))]

    def encode(self, value: Json) -> bytes:
        data = encode_json(NATIVE_ERRORS, value)
        if len(data) > self.limit:
            raise wire_error(NATIVE_ERRORS, "over_limit", f"{len(data)} bytes; the limit is {self.limit}")
        return self.wrap(data)

    def body(self, raw: bytes) -> bytes:
        return raw[_PREFIX:]

    def wrap(self, body: bytes) -> bytes:
        return len(body).to_bytes(_PREFIX, sys.byteorder) + body

    def _next(self, start: int) -> Frame | None:
        """The frame or piece that begins at `start` of the open bytes, once it is whole."""
        held = len(self._open) - start
        if self._problem and self._problem.fatal:
            size = min(self.limit, _PIECE)
            return Frame(bytes(self._open[start : start + size]), problem=self._problem) if held >= size else None
        if self._problem:
            size = min(self.limit, self._left)
            return self._piece(start, size) if held >= size else None
        if held < _PREFIX:
            return None
        prefix = bytes(self._open[start : start + _PREFIX])
        length = int.from_bytes(prefix, sys.byteorder)
        if length > self.limit:
            return self._refuse(prefix, length)
        if held < _PREFIX + length:
            return None
        return self._read(bytes(self._open[start : start + _PREFIX + length]))

    def _piece(self, start: int, size: int) -> Frame:
        self._left -= size
        piece = Frame(bytes(self._open[start : start + size]), problem=self._problem, more=self._left > 0)
        if not self._left:
            self._problem = None
        return piece

    def _refuse(self, prefix: bytes, length: int) -> Frame:
        """The frame of the four bytes alone: the other side learns of it without waiting for a body."""
        code = code_of_length(prefix, length, self.limit)
        seen = f"the length {prefix!r}, {length} in native order; the limit is {self.limit}"
        self._problem = wire_error(NATIVE_ERRORS, code, seen)
        self._left = 0 if self._problem.fatal else length
        return Frame(prefix, problem=self._problem, more=self._left > 0)

    def _read(self, raw: bytes) -> Frame:
        body = raw[_PREFIX:]
        if not body:
            return Frame(raw, problem=wire_error(NATIVE_ERRORS, "empty", "a length of 0"))
        try:
            return Frame(raw, loads(body.decode()))
        except UnicodeDecodeError as problem:
            seen = f"byte {body[problem.start]:#04x} at offset {problem.start} of {len(body)} bytes"
            return Frame(raw, problem=wire_error(NATIVE_ERRORS, "not_utf8", seen))
        except JsonTextError as problem:
            return Frame(raw, problem=text_problem(NATIVE_ERRORS, body, problem))


def code_of_length(prefix: bytes, length: int, limit: int) -> str:
    """What a length over the limit most likely is: the first row that fits.

    A guess, since a message of exactly 2 MiB and one of 8 KiB whose length stands in network order begin with the
    same four bytes. Round lengths are rarer than wrong byte orders, so the order is blamed.
    """
    rows = (
        (all(byte in _PRINTABLE for byte in prefix), "text_as_length"),
        (int.from_bytes(prefix, _OTHER_ORDER) <= min(limit, TOWARD_BROWSER), "byte_order"),
        (length > FROM_BROWSER, "impossible_length"),
        (True, "too_long"),
    )
    return next(code for fits, code in rows if fits)


_OTHER_ORDER: Literal["little", "big"] = "big" if sys.byteorder == "little" else "little"
