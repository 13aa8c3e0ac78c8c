"""HTTP messages made, taken apart, and given other bodies."""
from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.wire import codec
from harness.wire.http_text import chunks_end, header, looks_like_message, message, reply, split_message, with_body
from tests.harness.wire.streams import only
from tests.harness.wire.test_http import CHUNKED, CONTINUE, GET, OK, POST, UNTIL_CLOSE


def test_a_reply_is_the_last_of_its_connection() -> None:
    assert reply(200, '{"é":1}') == (
        b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 8\r\nConnection: close\r\n\r\n"
        b'{"\xc3\xa9":1}'
    )
    assert reply(529).startswith(b"HTTP/1.1 529 Overloaded\r\n")
    assert reply(599).startswith(b"HTTP/1.1 599 Status\r\n")
    own = reply(200, "hi", [("content-type", "text/x"), ("Connection", "keep-alive")])
    assert own == b"HTTP/1.1 200 OK\r\ncontent-type: text/x\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nhi"
    assert only(codec("http", "<<").feed(own)).problem is None


def test_headers_are_found_whatever_their_case() -> None:
    frame = only(codec("http", ">>").feed(POST))
    assert isinstance(frame.value, dict)
    assert header(frame.value, "content-LENGTH") == "7"
    assert header(frame.value, "authorization") is None
    assert header({}, "a") is None
    assert header({"headers": ["no pair"]}, "a") is None


@pytest.mark.parametrize(
    ("raw", "body"),
    [(POST, b'{"a":1}'), (OK, b"hi"), (CHUNKED, b"h\xc3\xa9"), (UNTIL_CLOSE, b"as long as it lasts"), (GET, b""),
     (CONTINUE, b""), (POST[:30], b""), (CHUNKED[:-4], b""), (b"HTTP/1.1 x\r\n\r\n", b""),
     (b"POST / HTTP/1.1\r\nContent-Length: x\r\n\r\nabc", b"")],
)  # fmt: skip
def test_the_body_is_found(raw: bytes, body: bytes) -> None:
    assert looks_like_message(raw) or raw in (POST[:30],)
    head, found = split_message(raw)
    assert found == body
    assert raw.startswith(head)


@pytest.mark.parametrize(
    ("raw", "changed"),
    [(POST, POST.replace(b"Length: 7", b"Length: 3")[:-7] + b"[1]"), (OK, OK.replace(b": 2", b": 3")[:-2] + b"[1]"),
     (UNTIL_CLOSE, UNTIL_CLOSE[:-19] + b"[1]"), (GET, GET), (CONTINUE, CONTINUE),
     (CHUNKED, CHUNKED[: CHUNKED.index(b"2;")] + b"3\r\n[1]\r\n0\r\n\r\n")],
)  # fmt: skip
def test_another_body_with_its_length_put_right(raw: bytes, changed: bytes) -> None:
    assert with_body(raw, b"[1]") == changed


@given(st.text(max_size=40), st.booleans())
def test_a_message_with_another_body_is_read_with_that_body(text: str, chunked: bool) -> None:
    headers = [["Transfer-Encoding", "chunked"]] if chunked else []
    raw = message({"start": "POST / HTTP/1.1", "headers": headers, "body": "before"})
    assert raw is not None
    frame = only(codec("http", ">>").feed(with_body(raw, text.encode())))
    assert frame.problem is None
    assert isinstance(frame.value, dict)
    assert frame.value["body"] == text


def test_other_frames_are_no_messages() -> None:
    for raw in (b"", b"{}\n", b'{"a":"HTTP/1.1"}\r\n', b"\x02\0\0\0{}", b"HTTP\n"):
        assert not looks_like_message(raw)


def test_chunks_go_on_where_they_were() -> None:
    data = b"2\r\nhi\r\n3\r\nabc\r\n0\r\n\r\n"
    assert chunks_end(data) == (len(data), True)
    assert chunks_end(data[:9]) == (7, False)
    assert chunks_end(data[7:]) == (len(data) - 7, True)
    assert chunks_end(b"zz\r\n") == (None, False)
