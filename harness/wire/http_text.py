"""The text of HTTP messages: heads read, bodies taken out of their chunks, messages made and given other bodies.

Separate from the codec, which decides where a message ends: machines make replies with this, and faults change bodies.
"""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from harness.wire.jsontext import Json

HEAD_END = b"\r\n"
"""The empty line that ends a head."""
CHUNK_LINE = 256
"""Bytes that the line of a chunk's size may have, extensions included; so may each trailer."""
_HEX = b"0123456789abcdefABCDEF"
_BODILESS = (204, 304)
REASONS = {200: "OK", 201: "Created", 204: "No Content", 400: "Bad Request", 401: "Unauthorized", 403: "Forbidden",
           404: "Not Found", 405: "Method Not Allowed", 408: "Request Timeout", 413: "Content Too Large",
           429: "Too Many Requests", 500: "Internal Server Error", 502: "Bad Gateway", 503: "Service Unavailable",
           504: "Gateway Timeout", 529: "Overloaded"}  # fmt: skip
"""Status -> reason; any other status has the reason `Status`."""


class Head:
    """Start line and headers of one message. size: bytes up to the body; length: of the body, where it is said."""

    __slots__ = ("start", "headers", "size", "method", "target", "status", "chunked", "until_close", "length")

    def __init__(self, start: str, headers: list[tuple[str, str]], size: int) -> None:
        self.start = start
        self.headers = headers
        self.size = size
        self.method = self.target = ""
        self.status = 0
        self.chunked = False
        self.until_close = False
        self.length = 0


def printable(text: bytes) -> bool:
    """Whether there are no control characters in it, tabs aside."""
    return not any((byte < 0x20 and byte != 9) or byte == 0x7F for byte in text)


def head_of(raw: bytes, *, reply: bool) -> Head | None:
    """What a head of well-formed lines says (`raw` ends with its empty line); None where the length is in doubt."""
    lines = raw.decode("latin-1").split("\r\n")[:-2]
    headers = [(name, value.strip(" \t")) for name, _, value in (line.partition(":") for line in lines[1:])]
    head = Head(lines[0], headers, len(raw))
    first, second, _ = (*lines[0].split(" ", 2), "", "")[:3]
    if reply:
        head.status = int(second)
    else:
        head.method, head.target = first, second
    lengths = [value for name, value in headers if name.lower() == "content-length"]
    codings = [value.lower() for name, value in headers if name.lower() == "transfer-encoding"]
    if len(lengths) > 1 or len(codings) > 1 or (lengths and codings):
        return None
    if codings and (codings != ["chunked"] or not _newer(lines[0], reply)):
        return None
    if lengths and not (lengths[0].isascii() and lengths[0].isdigit() and len(lengths[0]) <= 18):
        return None
    if reply and (head.status < 200 or head.status in _BODILESS):
        return head
    head.chunked = bool(codings)
    head.length = int(lengths[0]) if lengths else 0
    head.until_close = reply and not codings and not lengths
    return head


def _newer(start: str, reply: bool) -> bool:
    return start.startswith("HTTP/1.1") if reply else start.endswith("HTTP/1.1")


def chunks_end(data: bytes) -> tuple[int | None, bool]:
    """(bytes of whole chunks at the start of data, whether the last chunk and its trailers are among them); None where
    it is no chunk. Called again with what is behind those bytes, it goes on."""
    place = 0
    while True:
        line, stop = _line(data, place)
        if line is None:
            return (None, False) if stop < 0 else (place, False)
        size = _chunk_size(line)
        if size is None:
            return None, False
        if size == 0:
            return _trailers_end(data, place, stop)
        end = stop + size + 2
        if len(data) < end:
            ending = data[stop + size : end]
            return (place, False) if b"\r\n".startswith(ending) else (None, False)
        if data[end - 2 : end] != b"\r\n":
            return None, False
        place = end


def _trailers_end(data: bytes, chunk: int, place: int) -> tuple[int | None, bool]:
    """Behind the line of the last chunk, which stands at `chunk`."""
    while True:
        line, stop = _line(data, place)
        if line is None:
            return (None, False) if stop < 0 else (chunk, False)
        if not line:
            return stop, True
        if b":" not in line or not printable(line):
            return None, False
        place = stop


def _line(data: bytes, place: int) -> tuple[bytes | None, int]:
    """The line at `place` without its end, and where the next begins; (None, 0) where it is not whole yet, and
    (None, -1) where it is none."""
    stop = data.find(b"\n", place, place + CHUNK_LINE)
    if stop < 0:
        return None, -1 if len(data) - place >= CHUNK_LINE else 0
    if data[stop - 1 : stop] != b"\r" or stop == place:
        return None, -1
    return data[place : stop - 1], stop + 1


def _chunk_size(line: bytes) -> int | None:
    digits = line.partition(b";")[0].rstrip(b" \t")
    if not digits or len(digits) > 15 or digits.strip(_HEX):
        return None
    return int(digits, 16)


def body_in(raw: bytes, head: Head) -> bytes:
    """The body of a whole message, out of its chunks."""
    if not head.chunked:
        return raw[head.size :]
    parts: list[bytes] = []
    place = head.size
    while True:
        line, place = _line(raw, place)
        size = _chunk_size(line or b"") or 0
        if not size:
            return b"".join(parts)
        parts.append(raw[place : place + size])
        place += size + 2


# Messages made and changed


def header(value: Mapping[str, Json], name: str) -> str | None:
    """The first header of that name of a frame's value, whatever its case."""
    headers = value.get("headers")
    if isinstance(headers, list):
        for pair in headers:
            if isinstance(pair, list) and str(pair[0]).lower() == name.lower():
                return str(pair[1])
    return None


def reply(status: int, body: str = "", headers: Sequence[tuple[str, str]] = ()) -> bytes:
    """A whole reply that is the last of its connection: JSON unless the headers say otherwise."""
    named = {name.lower() for name, _ in headers}
    data = body.encode()
    lines = [f"HTTP/1.1 {status} {REASONS.get(status, 'Status')}", *(f"{name}: {value}" for name, value in headers)]
    for name, value in (("Content-Type", "application/json"), ("Content-Length", str(len(data))),
                        ("Connection", "close")):  # fmt: skip
        if name.lower() not in named:
            lines.append(f"{name}: {value}")
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + data


def message(value: Json) -> bytes | None:
    """The bytes of a message `{start, headers, body}`; None where it is none. A length is added where the headers have
    none and there is a body; with `Transfer-Encoding: chunked` the body is one chunk."""
    if not isinstance(value, dict) or set(value) - {"start", "headers", "body"}:
        return None
    start, headers, body = value.get("start"), value.get("headers", []), value.get("body")
    if not isinstance(start, str) or not isinstance(headers, list) or not isinstance(body, str | None):
        return None
    lines = [start]
    for pair in headers:
        if not isinstance(pair, list) or len(pair) != 2 or not all(isinstance(each, str) for each in pair):
            return None
        lines.append(f"{pair[0]}: {pair[1]}")
    try:
        data = (body or "").encode()
        text = "".join(lines).encode("latin-1")
    except UnicodeEncodeError:
        return None
    if not start or not printable(text):
        return None
    if (header(value, "transfer-encoding") or "").lower() == "chunked":
        data = _chunked(data)
    elif header(value, "content-length") is None and body is not None:
        lines.append(f"Content-Length: {len(data)}")
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + data


def _chunked(body: bytes) -> bytes:
    return (b"%x\r\n%b\r\n" % (len(body), body) if body else b"") + b"0\r\n\r\n"


def looks_like_message(raw: bytes) -> bool:
    """Whether bytes of an unknown dialect begin as a message does."""
    start = raw[:8192].partition(b"\r\n")[0]
    return start.startswith((b"HTTP/1.0 ", b"HTTP/1.1 ")) or start.endswith((b" HTTP/1.0", b" HTTP/1.1"))


def split_message(raw: bytes) -> tuple[bytes, bytes]:
    """(head with its empty line, body out of its chunks) of bytes that look like a message; all of it is head where it
    has no end of a head, or one that can't be understood."""
    stop = raw.find(b"\r\n\r\n") + 4
    if stop < 4:
        return raw, b""
    try:
        head = head_of(raw[:stop], reply=raw.startswith(b"HTTP/"))
    except ValueError:
        return raw, b""
    if head is None:
        return raw, b""
    if head.chunked and not chunks_end(raw[stop:])[1]:
        return raw, b""
    return raw[:stop], body_in(raw, head)


def with_body(raw: bytes, body: bytes) -> bytes:
    """The same message with another body: its length put right, or one chunk; as it is where it has no body."""
    head, before = split_message(raw)
    if head == raw and not before:
        return raw
    lines = head[:-4].split(b"\r\n")
    names = [line.partition(b":")[0].strip().lower() for line in lines]
    if b"transfer-encoding" in names:
        return head + _chunked(body)
    if b"content-length" in names:
        place = names.index(b"content-length")
        lines[place] = lines[place].partition(b":")[0] + b": %d" % len(body)
    return b"\r\n".join([*lines, b"", b""]) + body
