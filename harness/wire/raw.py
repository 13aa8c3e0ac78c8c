"""The dialect `raw`: one read is one frame. For streams whose framing is not ours to know, HTTP legs among them.

Separate from the line codecs because it holds nothing and refuses nothing.
"""
from __future__ import annotations

from harness.wire.frame import Frame, encode_text, wire_error

TYPE_CHECKING = False
if TYPE_CHECKING:
    from harness.wire.frame import Errors
    from harness.wire.jsontext import Json

ERRORS: Errors = {
    "no_value": (
        False,
        "what is to be encoded is no text",
        "a text (str) without lone surrogates",
        "give the text, or write the bytes themselves as a raw step",
    ),
    "over_limit": (
        False,
        "what is to be encoded is longer than a frame may be",
        "at most `limit` bytes",
        "send less, or open the wire with a larger limit",
    ),
}
"""Code -> (fatal, meaning, expected, advice)."""


class RawCodec:
    """Bytes as they come. A read over the limit is given in pieces; no read has a problem or a value."""

    dialect = "raw"
    held = 0

    def __init__(self, way: str, limit: int) -> None:
        self.way = way
        self.limit = limit

    def feed(self, data: bytes) -> list[Frame]:
        size = len(data)
        if 0 < size <= self.limit:
            return [Frame(data)]
        return [
            Frame(data[start : start + self.limit], more=start + self.limit < size)
            for start in range(0, size, self.limit)
        ]

    def end(self) -> list[Frame]:
        return []

    def encode(self, value: Json) -> bytes:
        data = encode_text(ERRORS, value)
        if len(data) > self.limit:
            raise wire_error(ERRORS, "over_limit", f"{len(data)} bytes; the limit is {self.limit}")
        return data

    def body(self, raw: bytes) -> bytes:
        return raw

    def wrap(self, body: bytes) -> bytes:
        return body
