"""The dialect `ndjson`: one JSON value a line, whatever it means. Also the base of the JSON-RPC dialects.

Separate from `lines`, whose values are text, and from `jsonrpc`, which says what a value may look like.
"""
from __future__ import annotations

from harness.wire.frame import Frame, start_of, wire_error
from harness.wire.jsontext import JsonTextError, encode, loads
from harness.wire.lines import LINE_ERRORS, LineCodec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from harness.wire.frame import Errors, WireError
    from harness.wire.jsontext import Json

TEXT_ERRORS: Errors = {
    "not_json": (
        False,
        "the text is not one JSON value",
        "one JSON value, and nothing after it",
        "look at what else writes to this stream: a log line, a banner, a traceback",
    ),
    "too_deep": (
        False,
        "the JSON value is nested too deep to be read",
        "arrays and objects nested at most 512 deep",
        "treat the sender as broken, or read the stream with the dialect `raw`",
    ),
    "unreadable_number": (
        False,
        "a number is no JSON, or JSON that no number of Python can hold",
        "a finite number of the usual size",
        "send such a number as a string",
    ),
}
"""Rows of every dialect that reads JSON text."""

NDJSON_ERRORS: Errors = {
    **LINE_ERRORS,
    **TEXT_ERRORS,
    "blank_line": (
        False,
        "the line is empty or white space",
        "one JSON value a line",
        "send no blank lines: most readers skip them, some end the session",
    ),
    "header_line": (
        False,
        "the line is a Content-Length header, as the framing of language servers has it",
        "one JSON value a line, without headers",
        "switch the client to newline-delimited JSON; some servers skip the header and seem to work",
    ),
}
"""Code -> (fatal, meaning, expected, advice)."""

_TEXT_CODES = {"syntax": "not_json", "depth": "too_deep", "number": "unreadable_number"}


def text_problem(table: Errors, raw: bytes, problem: JsonTextError) -> WireError:
    """The row of `TEXT_ERRORS` for what the JSON reader said about a frame."""
    return wire_error(table, _TEXT_CODES[problem.code], f"{problem} of {start_of(raw)}")


def encode_json(table: Errors, value: Json) -> bytes:
    """Compact UTF-8, non-ASCII raw. Raises WireError `no_value` for what is no JSON value."""
    try:
        return encode(value)
    except (ValueError, TypeError) as problem:
        raise wire_error(table, "no_value", str(problem)) from None


class NdjsonCodec(LineCodec):
    """JSON lines. Every frame is of kind raw; white space around the value, a carriage return included, is allowed."""

    dialect = "ndjson"
    errors = NDJSON_ERRORS

    def _read(self, raw: bytes) -> Frame:
        try:
            value = loads(raw.decode())
        except UnicodeDecodeError as problem:
            return Frame(raw, problem=self._not_utf8(raw, problem))
        except JsonTextError as problem:
            return Frame(raw, problem=self._no_json(raw, problem))
        return self._message(raw, value)

    def _message(self, raw: bytes, value: Json) -> Frame:
        """What the value means in this dialect."""
        return Frame(raw, value)

    def _half(self, raw: bytes, problem: WireError) -> Frame:
        return Frame(raw, problem=problem)

    def _text(self, value: Json) -> bytes:
        return encode_json(self.errors, value)

    def _no_json(self, raw: bytes, problem: JsonTextError) -> WireError:
        if raw.isspace():
            return wire_error(self.errors, "blank_line", f"{len(raw)} bytes of white space")
        if raw[:15].lower() == b"content-length:":
            return wire_error(self.errors, "header_line", "a Content-Length header")
        return text_problem(self.errors, raw, problem)
