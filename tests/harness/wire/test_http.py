"""HTTP messages: where each ends, what it says, and everything that ends the reading."""
from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.wire.frame import Frame, WireError
from harness.wire.http import HEAD_LIMIT, HTTP_ERRORS, HttpCodec
from tests.harness.wire.streams import codes, cut, feed_all, only, single_bytes, told

POST = b"POST /v1/ask?key=sesame HTTP/1.1\r\nHost: a\r\nContent-Length: 7\r\n\r\n" + b'{"a":1}'
GET = b"GET / HTTP/1.0\r\nHost: a\r\n\r\n"
OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"
CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n2;x=y\r\nh\xc3\r\n1\r\n\xa9\r\n0\r\nTrailer: t\r\n\r\n"
UNTIL_CLOSE = b"HTTP/1.1 200 OK\r\nX: y\r\n\r\nas long as it lasts"
CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"
EMPTY = b"HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n"
NOT_MODIFIED = b"HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n"


def read(way: str, stream: bytes, limit: int = 1 << 20) -> list[Any]:
    """The frames of a stream; the same however it is cut."""
    whole = feed_all(HttpCodec(way, limit), [stream])
    assert [told(each) for each in feed_all(HttpCodec(way, limit), single_bytes(stream))] == list(map(told, whole))
    assert b"".join(frame.raw for frame in whole) == stream
    return whole


def body_of(frame: Frame) -> Any:
    assert isinstance(frame.value, dict)
    return frame.value["body"]


def test_requests() -> None:
    first, second = read(">>", POST + GET)
    assert (first.kind, first.method, first.has_id, first.problem) == ("request", "POST /v1/ask", False, None)
    assert first.value == {
        "start": "POST /v1/ask?key=sesame HTTP/1.1", "headers": [["Host", "a"], ["Content-Length", "7"]],
        "body": '{"a":1}',
    }  # fmt: skip
    assert isinstance(second.value, dict)
    assert (second.method, second.value["body"]) == ("GET /", "")


@pytest.mark.parametrize(
    ("raw", "kind", "body"),
    [(OK, "reply", "hi"), (CHUNKED, "reply", "hé"), (CONTINUE, "notice", ""), (EMPTY, "reply", ""),
     (NOT_MODIFIED, "reply", ""), (OK[:-2] + b"\xff\xfe", "reply", None)],
)  # fmt: skip
def test_replies(raw: bytes, kind: str, body: str | None) -> None:
    for frame in read("<<", raw + raw):
        assert (frame.raw, frame.kind, frame.method, frame.value["body"]) == (raw, kind, None, body)


def test_a_reply_without_a_length_goes_on_until_the_end() -> None:
    assert body_of(only(read("<<", UNTIL_CLOSE))) == "as long as it lasts"
    assert codes(read("<<", UNTIL_CLOSE)) == [None]
    assert HttpCodec("<<", 100).feed(UNTIL_CLOSE) == []


BROKEN: list[tuple[str, bytes, str]] = [
    ("<<", b"Traceback (most recent call last):\n", "not_http"),
    ("<<", b'{"jsonrpc": "2.0"}\n', "not_http"),
    ("<<", b"HTTP/2 200\r\n\r\n", "not_http"),
    ("<<", b"HTTP/1.1 20 OK\r\n\r\n", "not_http"),
    ("<<", b"HTTP/1.1 2x0 OK\r\n\r\n", "not_http"),
    ("<<", b"HTTP/1.1\r\n\r\n", "not_http"),
    ("<<", b"HTTP/1.1 200 OK\n\n", "not_http"),
    ("<<", b"HTTP/1.1 200 OK\r\r\n\r\n", "not_http"),
    ("<<", b"\r\n" + OK, "not_http"),
    (">>", OK, "not_http"),
    (">>", b"get / HTTP/1.1\r\n\r\n", "not_http"),
    (">>", b"GET / HTTP/3\r\n\r\n", "not_http"),
    (">>", b"GET  HTTP/1.1\r\n\r\n", "not_http"),
    (">>", b"GET /a b HTTP/1.1\r\n\r\n", "not_http"),
    (">>", b"ABCDEFGHIJKLMNOPQRSTU / HTTP/1.1\r\n\r\n", "not_http"),
    (">>", b"\x16\x03\x01\x02\x00", "not_http"),
    (">>", b"GET / HTTP/1.1\r\nHost\r\n\r\n", "bad_head"),
    (">>", b"GET / HTTP/1.1\r\nHost: a\n\r\n", "bad_head"),
    (">>", b"GET / HTTP/1.1\r\nX: a\r\n folded\r\n\r\n", "bad_head"),
    (">>", b"GET / HTTP/1.1\r\nHost : a\r\n\r\n", "bad_head"),
    (">>", b"GET / HTTP/1.1\r\n: a\r\n\r\n", "bad_head"),
    (">>", b"GET / HTTP/1.1\r\nX: a\0b\r\n\r\n", "bad_head"),
    (">>", b"GET / HTTP/1.1\r\nX: " + b"a" * HEAD_LIMIT, "head_too_long"),
    (">>", b"POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\na", "ambiguous_length"),
    (">>", b"POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", "ambiguous_length"),
    (">>", b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n", "ambiguous_length"),
    (">>", b"POST / HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", "ambiguous_length"),
    (">>", b"POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", "ambiguous_length"),
    ("<<", b"HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "ambiguous_length"),
    (">>", b"POST / HTTP/1.1\r\nContent-Length: +1\r\n\r\na", "ambiguous_length"),
    (">>", b"POST / HTTP/1.1\r\nContent-Length: \xb2\r\n\r\na", "ambiguous_length"),
    (">>", b"POST / HTTP/1.1\r\nContent-Length: 1234567890123456789\r\n\r\na", "ambiguous_length"),
    (">>", b"HEAD / HTTP/1.1\r\n\r\n", "unframed"),
    (">>", b"CONNECT a:1 HTTP/1.1\r\n\r\n", "unframed"),
    ("<<", b"HTTP/1.1 101 Switching Protocols\r\n\r\n\x81\x00", "unframed"),
]
CHUNK_HEAD = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
BROKEN += [
    ("<<", CHUNK_HEAD + broken, "bad_chunk")
    for broken in (b"x\r\n", b"\r\n", b"2\nhi\r\n", b"2\r\nhi!\r\n", b"2\r\nhi\rx", b"1" * 256, b"1" * 16 + b"\r\n",
                   b"-1\r\n", b"0x2\r\nhi\r\n", b"0\r\nno trailer\r\n", b"0\r\nT: \0\r\n", b"0\r\nT: " + b"a" * 256,
                   b"\n", b"3\r\nabc\r\n0\nX")
]  # fmt: skip


@pytest.mark.parametrize(("way", "stream", "code"), BROKEN)
def test_what_is_in_doubt_ends_the_reading(way: str, stream: bytes, code: str) -> None:
    good = POST if way == ">>" else OK
    frames = read(way, good + stream + good)
    assert frames[0].problem is None
    assert set(codes(frames[1:])) == {code}
    assert HTTP_ERRORS[code][0]
    assert all(frame.kind == "raw" and frame.value is None for frame in frames[1:])


@pytest.mark.parametrize(("way", "stream", "code"), BROKEN)
def test_it_is_told_at_once(way: str, stream: bytes, code: str) -> None:
    """Whoever waits for more may wait for ever: a server has to answer 400 before the client goes on."""
    frames = HttpCodec(way, 1 << 20).feed(stream)
    assert frames[0].problem is not None
    assert frames[0].problem.code == code


@pytest.mark.parametrize(("way", "raw"), [(">>", POST), ("<<", OK), ("<<", CHUNKED), (">>", GET)])
def test_half_a_message_is_half_a_frame(way: str, raw: bytes) -> None:
    for size in range(1, len(raw)):
        assert codes(read(way, raw[:size])) == ["half_frame"]


LONG = b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n" + b"x" * 100


def test_a_message_over_the_limit_comes_in_pieces_and_reading_goes_on() -> None:
    frames = read("<<", LONG + OK, 60)
    assert codes(frames) == ["too_long"] * 3 + [None]
    assert [len(frame.raw) for frame in frames] == [60, 60, len(LONG) - 120, len(OK)]
    assert [frame.more for frame in frames] == [True, True, False, False]
    assert codes(read("<<", LONG[:70], 60)) == ["too_long", "too_long"]
    assert codes(read("<<", LONG, len(LONG))) == [None]


@pytest.mark.parametrize("stream", [UNTIL_CLOSE, CHUNK_HEAD + b"fff\r\n" + b"x" * 90, CHUNK_HEAD + b"1\r\nx\r\n" * 20])
def test_a_body_without_a_length_over_the_limit_ends_the_reading(stream: bytes) -> None:
    limit = 60 if stream[:40] == CHUNK_HEAD[:40] else 30
    assert set(codes(read("<<", stream + OK, limit))) == {"endless"}


def test_a_message_that_just_fits() -> None:
    for raw in (CHUNKED, UNTIL_CLOSE):
        assert codes(read("<<", raw, len(raw))) == [None]
        assert set(codes(read("<<", raw, len(raw) - 1))) == {"endless"}


PIECES = st.sampled_from([
    POST, GET, b"X: y\r\n", b"\r\n", b"Content-Length: 3\r\n\r\nabc", b"POST / HTTP/1.1\r\n", b"\0", b"3\r\nabc\r\n",
    b"Transfer-Encoding: chunked\r\n\r\n", b"0\r\n\r\n", b"0\r\nT: x\r\n",
])  # fmt: skip


@settings(deadline=None, max_examples=200)
@given(st.lists(PIECES, max_size=8).map(b"".join), st.lists(st.integers(0, 300), max_size=5), st.integers(1, 200))
def test_any_split_of_requests_gives_the_same_frames(stream: bytes, places: list[int], limit: int) -> None:
    whole = read(">>", stream, limit)
    parts = feed_all(HttpCodec(">>", limit), cut(stream, places))
    assert [told(frame) for frame in parts] == [told(frame) for frame in whole]


@pytest.mark.parametrize(
    ("value", "raw"),
    [
        ({"start": "HTTP/1.1 200 OK", "headers": [], "body": "hi"}, OK),
        ({"start": "HTTP/1.1 200 OK", "headers": [["Content-Length", "2"]], "body": "hi"}, OK),
        ({"start": "HTTP/1.1 200 OK", "headers": [["Transfer-Encoding", "chunked"]], "body": "hi"},
         CHUNK_HEAD + b"2\r\nhi\r\n0\r\n\r\n"),
        ({"start": "HTTP/1.1 200 OK", "headers": [["Transfer-Encoding", "chunked"]], "body": ""},
         CHUNK_HEAD + b"0\r\n\r\n"),
        ({"start": "HTTP/1.1 100 Continue", "headers": [], "body": None}, CONTINUE),
    ],
)  # fmt: skip
def test_values_are_written(value: Any, raw: bytes) -> None:
    wire = HttpCodec("<<", 1000)
    assert wire.encode(value) == raw
    assert wire.wrap(wire.body(raw)) == raw


@pytest.mark.parametrize(
    "value",
    [None, [], {}, {"start": ""}, {"start": "HTTP/1.1 200 OK", "more": 1}, {"start": "HTTP/1.1 200 OK", "body": 1},
     {"start": "HTTP/1.1 200 OK", "headers": {}}, {"start": "HTTP/1.1 200 OK", "headers": [["a"]]},
     {"start": "HTTP/1.1 200 OK", "headers": [["a", 1]]}, {"start": "HTTP/1.1 200 OK\r\nX: y"},
     {"start": "HTTP/1.1 200 OK", "headers": [["a", "b\r\nc: d"]]}, {"start": "HTTP/1.1 200 OK", "body": "\ud800"},
     {"start": "HTTP/1.1 200 OK", "headers": [["a", "\u2028"]]}, {"start": "OK"},
     {"start": "HTTP/1.1 200 OK", "headers": [["Content-Length", "9"]], "body": "hi"},
     {"start": "HTTP/1.1 200 OK", "headers": [["Content-Length", "1"]], "body": "hi"}],
)  # fmt: skip
def test_what_is_no_message_is_not_written(value: Any) -> None:
    with pytest.raises(WireError, match="no_value"):
        HttpCodec("<<", 1000).encode(value)


def test_what_is_too_long_is_not_written() -> None:
    with pytest.raises(WireError, match="over_limit"):
        HttpCodec("<<", 40).encode({"start": "HTTP/1.1 200 OK", "headers": [], "body": "hi" * 10})


def test_no_error_quotes_a_message() -> None:
    for way, stream, _ in BROKEN:
        marked = stream.replace(b"/ ", b"/sesame ").replace(b"X: ", b"X: sesame")
        for frame in feed_all(HttpCodec(way, 1 << 20), [marked]):
            assert "sesame" not in str(frame.problem)
