"""The dialect `lines`, and the cutting of a stream into lines that every line dialect shares.

A line ends at the byte 0x0A and nowhere else: U+2028, U+0085 and the other ends of lines that Unicode knows stand raw
inside JSON strings of real programs (codex app-server sends them), and a carriage return is data. So sockets that
carry lines need no dialect of their own.
"""
from __future__ import annotations

from harness.wire.frame import Frame, encode_text, start_of, wire_error

TYPE_CHECKING = False
if TYPE_CHECKING:
    from harness.wire.frame import Errors, WireError
    from harness.wire.jsontext import Json

LINE_ERRORS: Errors = {
    "too_long": (
        False,
        "a line is longer than a frame may be; it is given in pieces and reading goes on after its end",
        "at most `limit` bytes before the newline",
        "open the wire with a larger limit if such lines are wanted",
    ),
    "half_frame": (
        False,
        "the stream ended inside of a line",
        "a newline at the end of the last line",
        "look at why the other side stopped: a crash and a missing final newline look alike",
    ),
    "not_utf8": (
        False,
        "the line is not UTF-8",
        "UTF-8 text",
        "read the stream with the dialect `raw` if it carries something else",
    ),
    "no_value": (
        False,
        "what is to be encoded is no value of this dialect",
        "a value of this dialect that fits on one line",
        "correct the value, or write the bytes themselves as a raw step",
    ),
    "over_limit": (
        False,
        "what is to be encoded is longer than a frame may be",
        "at most `limit` bytes",
        "send less, or open the wire with a larger limit",
    ),
}
"""Code -> (fatal, meaning, expected, advice); the rows that every line dialect has."""


class LineCodec:
    """Text lines. A frame's value is the line without its newline and without one carriage return before it."""

    dialect = "lines"
    errors = LINE_ERRORS

    def __init__(self, way: str, limit: int) -> None:
        self.way = way
        self.limit = limit
        self._open = bytearray()
        self._over: WireError | None = None

    @property
    def held(self) -> int:
        return len(self._open)

    def feed(self, data: bytes) -> list[Frame]:
        frames: list[Frame] = []
        start = 0
        stop = data.find(b"\n") + 1
        while stop:
            if self._open or stop - start - 1 > self.limit:
                self._open += data[start:stop]
                frames += self._whole()
            else:
                frames.append(self._read(data[start:stop]))
            start = stop
            stop = data.find(b"\n", start) + 1
        if start < len(data):
            self._open += data[start:]
            if len(self._open) > self.limit:
                frames += self._pieces(len(self._open))
        return frames

    def end(self) -> list[Frame]:
        if not self._open:
            return []
        raw = bytes(self._open)
        self._open.clear()
        problem, self._over = self._over, None
        if problem:
            return [Frame(raw, problem=problem)]
        return [self._half(raw, wire_error(self.errors, "half_frame", f"{start_of(raw)}, and then the end"))]

    def encode(self, value: Json) -> bytes:
        return self._line(self._text(value))

    def body(self, raw: bytes) -> bytes:
        return raw.removesuffix(b"\n")

    def wrap(self, body: bytes) -> bytes:
        return body + b"\n"

    def _whole(self) -> list[Frame]:
        """The open line ended: one frame, or the last pieces of a line over the limit."""
        frames = self._pieces(len(self._open) - 1)
        raw = bytes(self._open)
        self._open.clear()
        problem, self._over = self._over, None
        frames.append(Frame(raw, problem=problem) if problem else self._read(raw))
        return frames

    def _pieces(self, size: int) -> list[Frame]:
        """Pieces of `limit` bytes from the start of the open line, which has `size` bytes before its newline.

        At least one byte stays, so that the last piece is known to be the last whatever the reads were.
        """
        frames = []
        start = 0
        while size - start > self.limit:
            if self._over is None:
                seen = f"a line of more than {self.limit} bytes"
                self._over = wire_error(self.errors, "too_long", seen)
            piece = bytes(self._open[start : start + self.limit])
            frames.append(Frame(piece, problem=self._over, more=True))
            start += self.limit
        del self._open[:start]
        return frames

    def _line(self, line: bytes) -> bytes:
        if len(line) > self.limit:
            raise wire_error(self.errors, "over_limit", f"{len(line)} bytes; the limit is {self.limit}")
        return line + b"\n"

    # What a dialect of lines says itself

    def _read(self, raw: bytes) -> Frame:
        """The frame of one whole line, its newline included."""
        try:
            text = raw.decode()
        except UnicodeDecodeError as problem:
            return Frame(raw, problem=self._not_utf8(raw, problem))
        return Frame(raw, text.removesuffix("\n").removesuffix("\r"))

    def _half(self, raw: bytes, problem: WireError) -> Frame:
        """The frame of a last line without a newline. Its text may be all that there is to it."""
        frame = self._read(raw)
        frame.problem = frame.problem or problem
        return frame

    def _text(self, value: Json) -> bytes:
        text = encode_text(self.errors, value)
        if b"\n" in text:
            raise wire_error(self.errors, "no_value", "a text with a newline")
        return text

    def _not_utf8(self, raw: bytes, problem: UnicodeDecodeError) -> WireError:
        return wire_error(
            self.errors, "not_utf8", f"byte {raw[problem.start]:#04x} at offset {problem.start} of {len(raw)} bytes"
        )
