"""The stack's HTTP client: one request over one connection that the host dials, in bounded time and memory.

Separate from whoever asks (a judge, a model's endpoint), because what can go wrong between two programs is the same for
all of them. h11 reads and writes HTTP/1.1; nothing here opens a socket. Redirects are not followed, nothing is tried
again, and no proxy or environment is looked at: where a request goes is what its URL says.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

import anyio
import h11
from anyio.abc import ByteStream

from stack.contract import Host
from stack.errors import DeadlineError, ProtocolError, SetupError

_PORTS: Final = {"http": 80, "https": 443}
_SCHEMES: Final = {"http": "tcp", "https": "tls"}
_READ: Final = 65_536
_INTERIM: Final = 16
"""Replies of 1xx that may come before the real one."""
_TOO_LARGE: Final = 431
"""h11's hint for a head over the bound."""
_VISIBLE: Final = frozenset(map(chr, range(0x21, 0x7F)))
_ENDS: Final = (anyio.EndOfStream, anyio.BrokenResourceError, anyio.ClosedResourceError)


@dataclass(frozen=True, slots=True)
class Response:
    """What came back, whatever its status. headers: in order, names in lower case."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes

    def header(self, name: str) -> str | None:
        """The first header of that name."""
        return next((value for key, value in self.headers if key == name.lower()), None)


@dataclass(frozen=True, slots=True)
class Target:
    """A URL taken apart. address: for `Host.dial`; authority: for the Host header; target: path and query."""

    address: str
    authority: str
    target: str
    origin: str


def parse_url(url: str) -> Target:
    """Raises SetupError `http_url` for what is no plain http or https URL with a host. The query is never shown."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise SetupError("http_url", "a URL that can't be read") from None
    if parts.scheme not in _PORTS or not host or not set(url) <= _VISIBLE:
        raise SetupError("http_url", f"a URL of the scheme {parts.scheme!r} for the host {host or '(none)'!r}")
    if parts.username is not None or parts.password is not None or parts.fragment:
        raise SetupError("http_url", f"a URL with a user or a fragment for {host}")
    place = f"[{host}]" if ":" in host else host
    authority = place if port is None else f"{place}:{port}"
    number = _PORTS[parts.scheme] if port is None else port
    query = f"?{parts.query}" if parts.query else ""
    return Target(
        f"{_SCHEMES[parts.scheme]}:{place}:{number}",
        authority,
        f"{parts.path or '/'}{query}",
        f"{parts.scheme}://{place}:{number}",
    )


async def request(
    host: Host,
    method: str,
    url: str,
    *,
    headers: Sequence[tuple[str, str]] = (),
    body: bytes = b"",
    timeout_ms: float,
    head_bytes: int = 65_536,
    body_bytes: int = 1 << 20,
) -> Response:
    """Ask once, and give what came back. timeout_ms: for all of it; head_bytes, body_bytes: what a reply may have.

    Raises SetupError (`http_url`, `http_request`, `http_unreachable`: nothing was sent), DeadlineError
    (`http_timeout`), or ProtocolError (`http_malformed`, `http_too_long`, `http_closed`). No message of theirs has a
    header, a body or a query in it.
    """
    where = parse_url(url)
    connection = h11.Connection(h11.CLIENT, max_incomplete_event_size=head_bytes)
    sent = _written(connection, method, where, headers, body)
    stream = None
    with anyio.move_on_after(timeout_ms / 1000):
        stream = await _dialled(host, where)
        try:
            return await _Exchange(connection, stream, where, body_bytes).run(sent)
        finally:
            await anyio.aclose_forcefully(stream)
    if stream is None:
        raise SetupError("http_unreachable", f"no connection to {where.origin} within {timeout_ms:g} ms")
    raise DeadlineError("http_timeout", f"no whole reply of {where.origin} within {timeout_ms:g} ms")


def _written(
    connection: h11.Connection, method: str, where: Target, headers: Sequence[tuple[str, str]], body: bytes
) -> bytes:
    own = [("Host", where.authority), ("Connection", "close"), ("Content-Length", str(len(body)))]
    named = {name.lower() for name, _ in own}
    if any(name.lower() in (*named, "transfer-encoding") for name, _ in headers):
        raise SetupError("http_request", f"a header for {where.origin} that only the client itself writes")
    try:
        start = h11.Request(method=method, target=where.target, headers=[*own, *headers])
        parts = [connection.send(start), connection.send(h11.Data(data=body)), connection.send(h11.EndOfMessage())]
    except (h11.LocalProtocolError, UnicodeEncodeError):
        raise SetupError("http_request", f"a method or header for {where.origin} that HTTP can't carry") from None
    return b"".join(part for part in parts if part)


async def _dialled(host: Host, where: Target) -> ByteStream:
    try:
        return await host.dial(where.address)
    except (OSError, *_ENDS) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else type(error).__name__
        raise SetupError("http_unreachable", f"no connection to {where.origin}: {why}") from None


class _Exchange:
    """One request on its way out and its reply on the way back."""

    def __init__(self, connection: h11.Connection, stream: ByteStream, where: Target, body_bytes: int) -> None:
        self._connection = connection
        self._stream = stream
        self._origin = where.origin
        self._body_bytes = body_bytes
        self._ended = False

    async def run(self, sent: bytes) -> Response:
        try:
            await self._stream.send(sent)
        except (anyio.BrokenResourceError, anyio.ClosedResourceError):
            pass  # a server may answer before it has read everything, and close: its reply says why
        try:
            return await self._reply()
        except h11.RemoteProtocolError as error:
            if self._ended:
                raise ProtocolError("http_closed", f"{self._origin} ended the connection in mid-reply") from None
            if error.error_status_hint == _TOO_LARGE:
                raise ProtocolError("http_too_long", f"a head of {self._origin} over its bound") from None
            raise ProtocolError("http_malformed", f"a reply of {self._origin} that is no HTTP/1.1") from None

    async def _reply(self) -> Response:
        interim = 0
        start: h11.Response | None = None
        body = bytearray()
        while True:
            event = await self._event()
            match event:
                case h11.InformationalResponse():
                    interim += 1
                    if interim > _INTERIM:
                        raise ProtocolError("http_malformed", f"over {_INTERIM} interim replies of {self._origin}")
                case h11.Response():
                    start = event
                    self._check_length(event)
                case h11.Data():
                    body += event.data
                    if len(body) > self._body_bytes:
                        raise ProtocolError("http_too_long", f"a body of {self._origin} over {self._body_bytes} bytes")
                case h11.EndOfMessage() if start is not None:
                    named = tuple((name.decode("latin-1"), value.decode("latin-1")) for name, value in start.headers)
                    return Response(start.status_code, named, bytes(body))
                case _:
                    raise ProtocolError("http_closed", f"{self._origin} ended the connection without a reply")

    def _check_length(self, start: h11.Response) -> None:
        """A body that says it is too long is refused before any of it is read."""
        for name, value in start.headers:
            if name == b"content-length" and int(value) > self._body_bytes:
                seen = f"a body of {int(value)} bytes of {self._origin}; the bound is {self._body_bytes}"
                raise ProtocolError("http_too_long", seen)

    async def _event(self) -> object:
        while True:
            event = self._connection.next_event()
            if event is not h11.NEED_DATA:
                return event
            try:
                data = await self._stream.receive(_READ)
            except _ENDS:
                data, self._ended = b"", True
            self._connection.receive_data(data)
