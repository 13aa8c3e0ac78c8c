from __future__ import annotations

import sys
from typing import Any

import pytest

from harness.wire.frame import WireError
from harness.wire.jsontext import DEPTH_LIMIT
from harness.wire.ndjson import NDJSON_ERRORS, NdjsonCodec
from tests.harness.wire.streams import codes, feed_all, only, single_bytes, told

LIMIT = 10_000

GOOD: list[tuple[bytes, Any]] = [
    (b'{"a":[1,2]}\n', {"a": [1, 2]}),
    (b"null\n", None),
    (b"0\n", 0),
    (b'"x"\r\n', "x"),
    (b" \t[ ] \r\n", []),
    ('"\u2028\u0085"\n'.encode(), "\u2028\u0085"),
    (b'{"a":1,"a":2}\n', {"a": 2}),
    (b'"\\ud800"\n', "\ud800"),
    (b"9007199254740993\n", 2**53 + 1),
    (b"[" * DEPTH_LIMIT + b"]" * DEPTH_LIMIT + b"\n", None),
]

BAD: list[tuple[bytes, str]] = [
    (b"\n", "blank_line"),
    (b" \r\n", "blank_line"),
    (b"Content-Length: 12\r\n", "header_line"),
    (b"content-length:1\n", "header_line"),
    (b"Traceback (most recent call last):\n", "not_json"),
    (b"{}{}\n", "not_json"),
    (b'{"a":\n', "not_json"),
    (b"\xef\xbb\xbf{}\n", "not_json"),
    (b"{} trailing\n", "not_json"),
    (b'"\xff"\n', "not_utf8"),
    (b'"\xed\xa0\x80"\n', "not_utf8"),
    (b"NaN\n", "unreadable_number"),
    (b"[1e400]\n", "unreadable_number"),
    (b"9" * (sys.get_int_max_str_digits() + 1) + b"\n", "unreadable_number"),
    (b"[" * (DEPTH_LIMIT + 1) + b"]" * (DEPTH_LIMIT + 1) + b"\n", "too_deep"),
    (b'"' + b"x" * LIMIT + b'"\n', "too_long"),
    (b'{"a":1}', "half_frame"),
]


@pytest.mark.parametrize(("line", "value"), GOOD, ids=range(len(GOOD)))
def test_values(line: bytes, value: Any) -> None:
    frame = only(feed_all(NdjsonCodec("<<", LIMIT), [line]))
    assert (frame.raw, frame.problem, frame.kind) == (line, None, "raw")
    if value is not None:
        assert frame.value == value


@pytest.mark.claim("HAR-WIRE-01")
@pytest.mark.parametrize(("line", "code"), BAD, ids=range(len(BAD)))
def test_bad_lines_are_typed_and_the_next_is_read(line: bytes, code: str) -> None:
    after = b"[1]\n" if line.endswith(b"\n") else b""
    frames = feed_all(NdjsonCodec("<<", LIMIT), [line + after])
    assert codes(frames)[0] == code
    assert frames[0].value is None
    assert b"".join(frame.raw for frame in frames) == line + after
    if after:
        assert (frames[-1].value, frames[-1].problem) == ([1], None)
    cut = feed_all(NdjsonCodec("<<", LIMIT), single_bytes(line + after))
    assert [told(frame) for frame in cut] == [told(frame) for frame in frames]


def test_a_half_frame_has_no_value_even_where_it_would_be_json() -> None:
    frame = only(feed_all(NdjsonCodec("<<", LIMIT), [b'{"a":1}']))
    assert (frame.value, codes([frame])) == (None, ["half_frame"])


REFUSED: list[tuple[Any, str]] = [
    ({1, 2}, "no_value"),
    (float("nan"), "no_value"),
    (10**5000, "no_value"),
    ("x" * LIMIT, "over_limit"),
]


@pytest.mark.parametrize(("value", "code"), REFUSED, ids=range(len(REFUSED)))
def test_refuses_to_encode(value: Any, code: str) -> None:
    with pytest.raises(WireError) as caught:
        NdjsonCodec(">>", LIMIT).encode(value)
    assert caught.value.code == code


def test_refuses_to_encode_a_value_that_contains_itself() -> None:
    value: list[Any] = []
    value.append(value)
    with pytest.raises(WireError) as caught:
        NdjsonCodec(">>", LIMIT).encode(value)
    assert caught.value.code == "no_value"


def test_every_error_is_reached() -> None:
    assert {code for _, code in [*BAD, *REFUSED]} == set(NDJSON_ERRORS)


def test_encodes_compactly_in_the_order_given_and_raw() -> None:
    value = {"b": 1, "a": ["é\u2028", "\ud800", 1.5]}
    line = NdjsonCodec(">>", LIMIT).encode(value)
    assert line == '{"b":1,"a":["é\u2028","\\ud800",1.5]}\n'.encode()
    assert only(NdjsonCodec(">>", LIMIT).feed(line)).value == value


def test_errors_say_where() -> None:
    problem = only(feed_all(NdjsonCodec("<<", LIMIT), [b'{"token":"hunter2",}\n'])).problem
    assert problem is not None
    assert "at character 19 of 21 bytes that start with b'{\"to'" in problem.seen
    assert "hunter2" not in str(problem)
