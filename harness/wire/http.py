"""The dialect `http`: one message of HTTP/1.0 or 1.1 a frame, head and body as they stood on the wire.

Separate from the other dialects because a message says in its head how long it is. What the length is must not be in
doubt: two lengths, none that can be read, or a reply whose length hangs on its request (HEAD, CONNECT, upgrades) end
the reading, since whoever guesses there can be made to read one message as two. Framing is part of the message, so
the limit counts it. Source: RFC 9112.
"""
from __future__ import annotations

from harness.wire.frame import Frame, start_of, wire_error
from harness.wire.http_text import (
    HEAD_END,
    body_in,
    chunks_end,
    head_of,
    message,
    printable,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from harness.wire.frame import Errors, WireError
    from harness.wire.http_text import Head
    from harness.wire.jsontext import Json

HEAD_LIMIT = 64 * 1024
"""Bytes of start line and headers; less where the limit is."""

HTTP_ERRORS: Errors = {
    "not_http": (
        True,
        "the stream does not go on with the start line of a message",
        "`METHOD target HTTP/1.1`, or `HTTP/1.1 status reason`",
        "look at what speaks on this connection, and at whether the message before was as long as it said",
    ),
    "bad_head": (
        True,
        "a line of the head is no header, or does not end with a carriage return and a newline",
        "`name: value` lines of printable text, each ended by CR LF",
        "correct the head; folded lines and bare newlines are read differently by different programs",
    ),
    "head_too_long": (
        True,
        "the head is longer than it may be",
        "at most 64 KiB of start line and headers, and no more than the limit",
        "send less in headers",
    ),
    "ambiguous_length": (
        True,
        "the head does not say in one way how long the body is",
        "one Content-Length of digits, or the one transfer coding `chunked` in HTTP/1.1, not both",
        "send one of the two: programs that choose differently can be made to read one message as two",
    ),
    "bad_chunk": (
        True,
        "the chunked body is not made of chunks",
        "a hexadecimal size, CR LF, that many bytes, CR LF, and so on up to a chunk of size 0",
        "look at what wrote the body, and at whether something else writes to the connection",
    ),
    "unframed": (
        True,
        "where the reply or what follows it ends can't be known from this side alone",
        "no HEAD, no CONNECT, and no 101 Switching Protocols",
        "use GET or POST; read an upgraded connection with the dialect `raw`",
    ),
    "too_long": (
        False,
        "the message is longer than a frame may be; it is given in pieces and reading goes on after it",
        "at most `limit` bytes, head included",
        "open the wire with a larger limit if such messages are wanted",
    ),
    "endless": (
        True,
        "a body without a length beforehand is longer than a frame may be",
        "at most `limit` bytes, head included",
        "open the wire with a larger limit, or send a Content-Length",
    ),
    "half_frame": (
        False,
        "the stream ended inside of a message",
        "as much of a body as its head says",
        "look at why the other side stopped",
    ),
    "no_value": (
        False,
        "what is to be encoded is no message",
        "an object with start (text), headers (a list of [name, value]) and body (text, or null for none)",
        "correct the value, or write the bytes themselves as a raw step",
    ),
    "over_limit": (
        False,
        "what is to be encoded is longer than a frame may be",
        "at most `limit` bytes, head included",
        "send less, or open the wire with a larger limit",
    ),
}
"""Code -> (fatal, meaning, expected, advice)."""

_PIECE = 64 * 1024
"""After a fatal problem the stream is passed on in pieces of this size, or of the limit where that is less."""
VERSIONS = (b"HTTP/1.0", b"HTTP/1.1")
_TOKEN = b"!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
METHOD_SIZE = 20
"""Letters that a method may have."""
_UNFRAMED = frozenset({"HEAD", "CONNECT"})


class HttpCodec:
    """Messages of one direction of one connection: requests `>>`, replies `<<`; 1xx replies are notices.

    A frame's value: `{"start": text, "headers": [[name, value], ...], "body": text}`; headers as they stood, body
    without its chunks, null where it is not UTF-8. Requests and replies have no ids: replies come in order.
    """

    dialect = "http"

    def __init__(self, way: str, limit: int) -> None:
        self.way = way
        self.limit = limit
        self._open = bytearray()
        self._head: Head | None = None
        self._scanned = 0
        """Bytes of the open message that need not be looked at again: whole lines of its head, whole chunks."""
        self._left = 0
        """Bytes of an over-long message that are still to come."""
        self._problem: WireError | None = None
        self._first = 0
        """Bytes of the first frame after a fatal problem, given at once: who waits for more may wait for ever."""

    @property
    def held(self) -> int:
        return len(self._open)

    def feed(self, data: bytes) -> list[Frame]:
        frames: list[Frame] = []
        self._open += data
        while self._open:
            size = self._size()
            if size is None:
                break
            frames.append(self._taken(size))
        return frames

    def end(self) -> list[Frame]:
        raw = bytes(self._open)
        problem = self._problem
        if not raw:
            frames = []
        elif problem is not None:
            frames = [Frame(raw, problem=problem)]
        elif self._head is not None and self._head.until_close:
            frames = [self._read(raw)]
        else:
            frames = [Frame(raw, problem=wire_error(HTTP_ERRORS, "half_frame", f"{start_of(raw)}, and then the end"))]
        self._open.clear()
        self._start_anew()
        self._problem, self._left, self._first = None, 0, 0
        return frames

    def encode(self, value: Json) -> bytes:
        """body null: none. A Content-Length is added where there is a body and the headers say nothing of its length;
        with `Transfer-Encoding: chunked` it is written as one chunk."""
        raw = message(value)
        if raw is None:
            raise wire_error(HTTP_ERRORS, "no_value", f"{type(value).__name__} that is no message")
        if len(raw) > self.limit:
            raise wire_error(HTTP_ERRORS, "over_limit", f"{len(raw)} bytes; the limit is {self.limit}")
        reader = HttpCodec(self.way, len(raw))
        read = reader.feed(raw) + reader.end()
        if len(read) != 1 or read[0].problem is not None:
            seen = read[0].problem.code if read[0].problem is not None else f"{len(read)} messages"
            raise wire_error(HTTP_ERRORS, "no_value", f"an object that reads as {seen}")
        return raw

    def body(self, raw: bytes) -> bytes:
        """The message itself: its framing can't be told from what it says."""
        return raw

    def wrap(self, body: bytes) -> bytes:
        return body

    # What is at the start of the open bytes

    def _size(self) -> int | None:
        """Bytes of the frame or piece that the open bytes begin with, None where it is not whole yet."""
        held = len(self._open)
        if self._problem is None and self._head is None:
            self._look_at_head()
        if self._problem is not None:
            size = min(self.limit, self._left if self._left else self._first or _PIECE)
            return size if held >= size else None
        head = self._head
        if head is None:
            return None
        if head.chunked:
            return self._chunked_size(head.size)
        if head.until_close:
            if held > self.limit:
                self._refuse("endless", f"more than {self.limit} bytes without a length", self.limit)
                return self._size()
            return None
        whole = head.size + head.length
        if whole > self.limit:
            self._left = whole
            self._refuse("too_long", f"a message of {whole} bytes; the limit is {self.limit}", 0)
            return self._size()
        return whole if held >= whole else None

    def _taken(self, size: int) -> Frame:
        raw = bytes(self._open[:size])
        del self._open[:size]
        problem = self._problem
        if problem is None:
            frame = self._read(raw)
            self._start_anew()
            return frame
        if problem.fatal:
            self._first = 0
            return Frame(raw, problem=problem)
        self._left -= size
        if not self._left:
            self._problem = None
            self._start_anew()
        return Frame(raw, problem=problem, more=self._left > 0)

    def _start_anew(self) -> None:
        self._head, self._scanned = None, 0

    def _refuse(self, code: str, seen: str, first: int) -> None:
        """first: must depend on the stream alone, never on the reads."""
        self._problem = wire_error(HTTP_ERRORS, code, seen)
        self._first = first

    def _look_at_head(self) -> None:
        """Line by line as they come, so that what can't be a head is refused at its first wrong line."""
        bound = min(self.limit, HEAD_LIMIT)
        while True:
            stop = self._open.find(b"\n", self._scanned, bound)
            if self._scanned == 0:
                line = bytes(self._open[: bound if stop < 0 else stop + 1])
                if not _may_start(line, self.way):
                    self._refuse("not_http", f"bytes that start with {line[:1]!r}", 1)
                    return
            if stop < 0:
                if len(self._open) >= bound:
                    self._refuse("head_too_long", f"no end of the head in {bound} bytes", bound)
                return
            line = bytes(self._open[self._scanned : stop + 1])
            if self._scanned and not _is_header(line):
                self._refuse("bad_head", f"a line of {start_of(line)}", stop + 1)
                return
            self._scanned = stop + 1
            if line == HEAD_END:
                self._understand(stop + 1)
                return

    def _understand(self, size: int) -> None:
        head = head_of(bytes(self._open[:size]), reply=self.way == "<<")
        if head is None:
            self._refuse("ambiguous_length", f"a head of {size} bytes", size)
        elif head.method in _UNFRAMED or head.status == 101:
            self._refuse("unframed", f"{head.method or head.status}", size)
        else:
            self._head = head

    def _chunked_size(self, head_size: int) -> int | None:
        end, whole = chunks_end(bytes(self._open[self._scanned : self.limit]))
        if end is None:
            self._refuse("bad_chunk", f"a chunked body behind a head of {head_size} bytes", head_size)
            return self._size()
        self._scanned += end
        if whole:
            return self._scanned
        if len(self._open) >= self.limit:
            self._refuse("endless", f"more than {self.limit} bytes of chunks", self.limit)
            return self._size()
        return None

    def _read(self, raw: bytes) -> Frame:
        head = self._head
        assert head is not None, "only messages whose head was read are frames"
        value: Json = {
            "start": head.start,
            "headers": [[name, text] for name, text in head.headers],
            "body": _text(body_in(raw, head)),
        }
        if self.way == ">>":
            return Frame(raw, value, "request", f"{head.method} {head.target.partition('?')[0]}")
        return Frame(raw, value, "notice" if head.status < 200 else "reply")


def _may_start(line: bytes, way: str) -> bool:
    """Whether these bytes are, or may become, the start line of a message on this way."""
    whole = line.endswith(b"\n")
    text = line.removesuffix(b"\r\n") if whole else line.removesuffix(b"\r")
    if not printable(text):
        return False
    first, _, rest = text.partition(b" ")
    if way == "<<":
        if not whole and len(text) <= len(first):
            return any(version.startswith(first) for version in VERSIONS)
        status = rest.partition(b" ")[0]
        return first in VERSIONS and (not whole or (len(status) == 3 and status.isdigit()))
    if not (first.isalpha() and first.isupper() and len(first) <= METHOD_SIZE):
        return False
    target, _, version = rest.partition(b" ")
    return not whole or (bool(target) and version in VERSIONS)


def _is_header(line: bytes) -> bool:
    if not line.endswith(b"\r\n"):
        return False
    name, colon, value = line[:-2].partition(b":")
    return line == HEAD_END or (bool(colon and name) and not name.strip(_TOKEN) and printable(value))


def _text(body: bytes) -> str | None:
    try:
        return body.decode()
    except UnicodeDecodeError:
        return None
