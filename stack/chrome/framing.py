"""Chrome's native messaging without I/O: a 32-bit length in native byte order, then that much JSON in UTF-8.

Separate from the host that reads and writes. Reads may end anywhere: within a length, within a character, or behind
several messages. Source: trailcam facts, Chrome 156: at most 1 MiB toward the browser (that much passes), and our own
bound, far below Chrome's 64 MiB, the other way.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator
from typing import Final, NoReturn

from stack.chrome.schema import BOUNDS
from stack.contract import Json

TOWARD_BROWSER: Final = 1_048_576
FROM_BROWSER: Final = BOUNDS["message_bytes"]
_LENGTH: Final = struct.Struct("=I")


class FramingError(Exception):
    """The other side broke the framing: the connection can't be read on. code: too_long, empty, not_utf8, not_json or
    half_frame. Nothing of the message is quoted."""

    def __init__(self, code: str, seen: str) -> None:
        super().__init__(f"{code}: {seen}")
        self.code = code


class Frames:
    """The messages of one stream. limit: bytes that a message may have."""

    def __init__(self, limit: int = FROM_BROWSER) -> None:
        self._limit = limit
        self._open = bytearray()

    def feed(self, data: bytes) -> Iterator[Json]:
        """The messages that are whole now. Raises FramingError at the first that is none, after those before it; a
        length over the limit is refused as soon as its four bytes are there."""
        self._open += data
        while len(self._open) >= _LENGTH.size:
            (length,) = _LENGTH.unpack_from(self._open)
            if length > self._limit:
                raise FramingError("too_long", f"a message of {length} bytes; {self._limit} are the most")
            if not length:
                raise FramingError("empty", "a message of 0 bytes")
            end = _LENGTH.size + length
            if len(self._open) < end:
                return
            body = bytes(self._open[_LENGTH.size : end])
            del self._open[:end]
            yield parsed(body)

    @property
    def open(self) -> bool:
        """Whether part of a message is there, and the rest is not."""
        return bool(self._open)

    def end(self) -> None:
        """The stream has ended. Raises FramingError where it ended within a message."""
        if self._open:
            raise FramingError("half_frame", f"the end after {len(self._open)} bytes of a message")


def parsed(body: bytes) -> Json:
    """The value of a message's body. Raises FramingError."""
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError as error:
        raise FramingError("not_utf8", f"a byte at {error.start} that is no UTF-8") from None
    try:
        value: Json = json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise FramingError("not_json", f"{len(body)} bytes that are no JSON") from None
    return value


def _no_constant(text: str) -> NoReturn:
    raise ValueError(f"{text} is no JSON")


def framed(value: Json, limit: int = TOWARD_BROWSER) -> bytes:
    """A message as it goes onto the stream. Raises FramingError `too_long` for one over the limit."""
    body = json.dumps(value, separators=(",", ":"), allow_nan=False).encode()  # ASCII: UTF-8, and lone surrogates pass
    if len(body) > limit:
        raise FramingError("too_long", f"a message of {len(body)} bytes; {limit} are the most")
    return _LENGTH.pack(len(body)) + body
