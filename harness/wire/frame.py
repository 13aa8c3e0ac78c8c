"""What every codec gives: one frame, its exact bytes and what they mean; and the shape of a codec.

Separate from the codecs, because everything that handles frames needs this and nothing that handles frames needs to
know which codec made them.
"""
from __future__ import annotations

from harness.problem import Problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Literal, Protocol, TypeAlias

    from harness.wire.jsontext import Json

    Kind = Literal["request", "reply", "notice", "raw"]
    Errors: TypeAlias = Mapping[str, tuple[bool, str, str, str]]

MIB = 1024 * 1024


class WireError(Problem):
    """Bytes from the other side that the wire's rules don't allow.

    code: a stable short name (a row of a table of errors); seen, expected, advice: one sentence each;
    fatal: whether the stream can't be read on after it. Nothing of a frame's content is quoted beyond a few bytes,
    so that an error can be logged where the frame itself has to be redacted.
    """

    def __init__(self, code: str, seen: str, expected: str, advice: str, *, fatal: bool = False) -> None:
        super().__init__(seen, expected, advice)
        self.args = (f"{code}: {self.args[0]}",)
        self.code = code
        self.fatal = fatal

    def as_json(self) -> dict[str, str | int | None]:
        """What `Problem.as_json` gives, and `code`."""
        return {**super().as_json(), "code": self.code}


def wire_error(table: Errors, code: str, seen: str) -> WireError:
    """The error of one row of a table: code -> (fatal, meaning, expected, advice). KeyError where there is no row."""
    fatal, _, expected, advice = table[code]
    return WireError(code, seen, expected, advice, fatal=fatal)


class Frame:
    """One frame of a stream in one direction.

    raw: the bytes as they stood on the wire, framing included, so that the frames of a stream joined are the stream.
    value: the decoded JSON value; of a text line its text; None where the bytes can't be decoded or the dialect has
    no values. A value that decodes and still breaks a rule of the dialect is given together with its problem.
    kind: request, reply, notice, or raw for whatever is none of these.
    method: of a request or notice. A reply has none of its own: the stage gives it the method of its request.
    id: of a request or reply; has_id tells an id of null from none.
    problem: which rule the bytes break; a strict reader raises it, a tap only records the frame.
    more: true for a piece of a frame that goes on in the next one, unless the stream ends first.
    """

    __slots__ = ("raw", "value", "kind", "method", "id", "has_id", "problem", "more")

    def __init__(
        self,
        raw: bytes,
        value: Json = None,
        kind: Kind = "raw",
        method: str | None = None,
        id: Json = None,
        has_id: bool = False,
        problem: WireError | None = None,
        more: bool = False,
    ) -> None:
        self.raw = raw
        self.value = value
        self.kind: Kind = kind
        self.method = method
        self.id = id
        self.has_id = has_id
        self.problem = problem
        self.more = more

    def __repr__(self) -> str:
        fault = f" !{self.problem.code}" if self.problem else ""
        return f"Frame({self.kind} {self.method or ''}{fault} {self.raw[:80]!r})"


def start_of(raw: bytes) -> str:
    """Length and first four bytes: enough to tell text from a length or a header, too little to give a secret away."""
    return f"{len(raw)} bytes that start with {raw[:4]!r}"


def encode_text(table: Errors, value: Json) -> bytes:
    """A text in UTF-8. Raises WireError `no_value` for what is no text, or has no UTF-8."""
    if not isinstance(value, str):
        raise wire_error(table, "no_value", type(value).__name__)
    try:
        return value.encode()
    except UnicodeEncodeError as problem:
        raise wire_error(table, "no_value", f"a lone surrogate at character {problem.start}") from None


if TYPE_CHECKING:

    class Codec(Protocol):
        """One direction of one stream. No I/O, no clock; a fresh one per stream and direction."""

        dialect: str
        way: str
        """`>>` toward the program, `<<` from it."""
        limit: int
        """Bytes one frame may have, framing excluded. A longer one is given in pieces as raw frames, each no longer
        than `limit` (framing excluded) and all with the same fatal-or-not `problem`: nothing is buffered beyond the
        limit and one read. Where the pieces are cut depends on the stream alone, never on the reads."""

        @property
        def held(self) -> int:
            """Bytes that were fed and are not yet part of a frame."""

        def feed(self, data: bytes) -> list[Frame]:
            """Frames that are whole now. Any split of the same bytes gives the same frames. Never raises. After a
            fatal problem everything is given as raw frames with that problem."""

        def end(self) -> list[Frame]:
            """The stream ended: the half frame that was open, as one raw frame with a problem; or nothing."""

        def encode(self, value: Json) -> bytes:
            """The bytes of one frame. Raises WireError where the value is over the limit or no value of the dialect."""

        def body(self, raw: bytes) -> bytes:
            """What the framing of one whole frame surrounds: `wrap(body(raw)) == raw`."""

        def wrap(self, body: bytes) -> bytes:
            """One frame around these bytes, which are neither checked nor changed."""
