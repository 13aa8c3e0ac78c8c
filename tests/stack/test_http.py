"""The HTTP client over scripted streams: what is sent, what is given back, and each way in which it can fail."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import anyio
import pytest
import trio
from anyio.abc import ByteStream
from hypothesis import given, settings
from hypothesis import strategies as st
from trio.testing import MockClock

from stack.errors import DeadlineError, ProtocolError, SetupError, StackError
from stack.http import Response, parse_url, request

URL = "http://127.0.0.1:8791/v1/messages"
OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nhi"


class Scripted(ByteStream):
    """Gives these pieces, and then its end; or nothing more for ever."""

    def __init__(self, pieces: Sequence[bytes], *, hangs: bool = False, deaf: bool = False) -> None:
        self.pieces = list(pieces)
        self.sent = b""
        self.closed = False
        self._hangs = hangs
        self._deaf = deaf

    async def send(self, item: bytes) -> None:
        await anyio.lowlevel.checkpoint()
        if self._deaf:
            raise anyio.BrokenResourceError
        self.sent += item

    async def receive(self, max_bytes: int = 65536) -> bytes:
        await anyio.lowlevel.checkpoint()
        if self.pieces:
            return self.pieces.pop(0)
        if self._hangs:
            await anyio.sleep_forever()
        raise anyio.EndOfStream

    async def send_eof(self) -> None:
        raise AssertionError("the connection is closed as a whole")

    async def aclose(self) -> None:
        self.closed = True


class Dialled:
    """A host that gives one stream, or raises."""

    def __init__(self, stream: Scripted | BaseException | None) -> None:
        self.stream = stream
        self.addresses: list[str] = []

    async def dial(self, address: str) -> ByteStream:
        self.addresses.append(address)
        if self.stream is None:
            await anyio.sleep_forever()
        if isinstance(self.stream, BaseException):
            raise self.stream
        assert self.stream is not None
        return self.stream


def ask(host: Dialled, method: str = "POST", url: str = URL, **more: Any) -> Response:
    more.setdefault("timeout_ms", 5000)

    async def main() -> Response:
        return await request(host, method, url, **more)  # type: ignore[arg-type]

    return trio.run(main, clock=MockClock(autojump_threshold=0))


def refused(host: Dialled, **more: Any) -> StackError:
    with pytest.raises(StackError) as caught:
        ask(host, **more)
    return caught.value


def test_one_request_on_one_connection() -> None:
    stream = Scripted([OK[:20], OK[20:]])
    host = Dialled(stream)
    headers = [("Authorization", "Bearer abc"), ("Content-Type", "application/json")]
    reply = ask(host, headers=headers, body=b"{}")
    assert reply == Response(200, (("content-type", "text/plain"), ("content-length", "2")), b"hi")
    assert (reply.header("Content-Type"), reply.header("nothing")) == ("text/plain", None)
    assert host.addresses == ["tcp:127.0.0.1:8791"]
    assert stream.closed
    assert stream.sent == (
        b"POST /v1/messages HTTP/1.1\r\nHost: 127.0.0.1:8791\r\nConnection: close\r\nContent-Length: 2\r\n"
        b"Authorization: Bearer abc\r\nContent-Type: application/json\r\n\r\n{}"
    )


@settings(deadline=None, max_examples=30)
@given(st.lists(st.integers(0, len(OK)), max_size=6))
def test_any_split_of_the_reply_is_the_same_reply(places: list[int]) -> None:
    cuts = [0, *sorted(places), len(OK)]
    pieces = [OK[start:stop] for start, stop in pairwise(cuts) if start < stop]
    assert ask(Dialled(Scripted(pieces))).body == b"hi"


@pytest.mark.parametrize(
    ("raw", "status", "body"),
    [
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n", 200, b"hi"),
        (b"HTTP/1.1 200 OK\r\n\r\nuntil the end", 200, b"until the end"),
        (b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n", 204, b""),
        (b"HTTP/1.1 302 Found\r\nLocation: http://192.0.2.1/\r\nContent-Length: 0\r\n\r\n", 302, b""),
        (b"HTTP/1.1 529 Overloaded\r\nContent-Length: 1\r\n\r\nx", 529, b"x"),
    ],
)
def test_every_status_and_framing_is_given_back(raw: bytes, status: int, body: bytes) -> None:
    reply = ask(Dialled(Scripted([raw])))
    assert (reply.status, reply.body) == (status, body)


def test_a_server_that_answers_without_reading_is_heard() -> None:
    assert ask(Dialled(Scripted([OK], deaf=True)), body=b"x" * 100_000).status == 200


LONG_HEAD = b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 200_000
CHUNKS = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + b"3e8\r\n" + b"x" * 1000 + b"\r\n"


@pytest.mark.parametrize(
    ("pieces", "code"),
    [
        ([], "http_closed"),
        ([OK[:-1]], "http_closed"),
        ([OK[:30]], "http_closed"),
        ([b"SSH-2.0-OpenSSH\r\n\r\n"], "http_malformed"),
        ([b'{"json": 1}\r\n\r\n'], "http_malformed"),
        ([b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nabc"], "http_malformed"),
        ([b"HTTP/1.1 103 Early\r\n\r\n" * 17 + OK], "http_malformed"),
        ([LONG_HEAD[start : start + 4000] for start in range(0, len(LONG_HEAD), 4000)], "http_too_long"),
        ([b"HTTP/1.1 200 OK\r\nContent-Length: 1000001\r\n\r\n"], "http_too_long"),
        ([CHUNKS, *[CHUNKS[-1007:]] * 1000], "http_too_long"),
    ],
)
def test_a_reply_that_is_none_is_an_error(pieces: list[bytes], code: str) -> None:
    stream = Scripted(pieces)
    error = refused(Dialled(stream), body_bytes=1_000_000)
    assert isinstance(error, ProtocolError)
    assert (error.code, error.outcome) == (code, "refused")
    assert stream.closed


def test_what_is_too_long_is_not_read_to_its_end() -> None:
    stream = Scripted([b"HTTP/1.1 200 OK\r\n\r\n", *[b"x" * 1000] * 50])
    assert refused(Dialled(stream), body_bytes=10_000).code == "http_too_long"
    assert len(stream.pieces) > 35


@pytest.mark.parametrize("pieces", [[OK[:-1]], []])
def test_the_deadline_holds_for_the_whole_reply(pieces: list[bytes]) -> None:
    stream = Scripted(pieces, hangs=True)
    error = refused(Dialled(stream), timeout_ms=1500)
    assert isinstance(error, DeadlineError)
    assert error.code == "http_timeout"
    assert stream.closed


def test_a_connection_that_is_not_made_in_time_is_told_from_a_reply_that_is_late() -> None:
    error = refused(Dialled(None), timeout_ms=1500)
    assert isinstance(error, SetupError)
    assert error.code == "http_unreachable"
    assert "within 1500 ms" in error.seen


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (ConnectionRefusedError(111, "Connection refused"), "Connection refused"),
        (PermissionError(13, "only loopback can be dialled"), "only loopback"),
        (OSError("all attempts failed"), "OSError"),
        (anyio.BrokenResourceError(), "BrokenResourceError"),
    ],
)
def test_what_can_not_be_reached(error: Exception, says: str) -> None:
    seen = refused(Dialled(error))
    assert isinstance(seen, SetupError)
    assert seen.code == "http_unreachable"
    assert says in seen.seen


@pytest.mark.parametrize(
    ("url", "address", "authority", "target"),
    [
        ("http://127.0.0.1", "tcp:127.0.0.1:80", "127.0.0.1", "/"),
        ("https://judge.example/v1?x=1", "tls:judge.example:443", "judge.example", "/v1?x=1"),
        ("http://[::1]:8080/a%20b", "tcp:[::1]:8080", "[::1]:8080", "/a%20b"),
        ("HTTPS://Judge.Example:8443/", "tls:judge.example:8443", "judge.example:8443", "/"),
    ],
)
def test_a_url_is_an_address(url: str, address: str, authority: str, target: str) -> None:
    parsed = parse_url(url)
    assert (parsed.address, parsed.authority, parsed.target) == (address, authority, target)


@pytest.mark.parametrize(
    "url",
    ["", "127.0.0.1:80", "ftp://127.0.0.1/", "http://", "http:///x", "http://a:b@127.0.0.1/", "http://127.0.0.1/#x",
     "http://127.0.0.1:99999/", "http://[::1/", "http://127.0.0.1/a b", "http://127.0.0.1/\r\nX: y", "file:///etc"],
)  # fmt: skip
def test_what_is_no_plain_url_is_refused_before_anything_is_dialled(url: str) -> None:
    host = Dialled(Scripted([OK]))
    error = refused(host, url=url)
    assert (type(error), error.code, host.addresses) == (SetupError, "http_url", [])


@pytest.mark.parametrize(
    "headers",
    [[("X-Key", "a\r\nEvil: 1")], [("X Key", "sesame")], [("X-Key", "\u2028")], [("Host", "evil")],
     [("content-length", "77")], [("Transfer-Encoding", "chunked")]],
)  # fmt: skip
def test_a_header_that_can_not_be_carried_is_refused_and_not_shown(headers: list[tuple[str, str]]) -> None:
    host = Dialled(Scripted([OK]))
    error = refused(host, headers=headers)
    assert (type(error), error.code, host.addresses) == (SetupError, "http_request", [])
    assert headers[0][1] not in str(error)


def test_no_error_shows_a_query_or_a_header() -> None:
    more: dict[str, Any] = {"url": f"{URL}?key=sesame", "headers": [("Authorization", "sesame")], "body": b"sesame"}
    for pieces in ([], [b"sesame\r\n\r\n"], [OK[:-1]]):
        assert "sesame" not in str(refused(Dialled(Scripted(pieces)), **more))
    assert "sesame" not in str(refused(Dialled(ConnectionRefusedError(111, "refused")), **more))
    assert "sesame" not in str(refused(Dialled(None), **more))


def test_the_caller_can_take_it_back() -> None:
    stream = Scripted([], hangs=True)

    async def main() -> bool:
        with anyio.move_on_after(1) as scope:
            await request(Dialled(stream), "GET", URL, timeout_ms=5000)  # type: ignore[arg-type]
        return scope.cancelled_caught

    assert trio.run(main, clock=MockClock(autojump_threshold=0))
    assert stream.closed
