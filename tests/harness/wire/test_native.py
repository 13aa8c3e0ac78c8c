from __future__ import annotations

import json
import struct
import sys
from typing import Any

import pytest

from harness.wire import codec
from harness.wire.frame import MIB, WireError
from harness.wire.jsontext import DEPTH_LIMIT
from harness.wire.native import FROM_BROWSER, NATIVE_ERRORS, TOWARD_BROWSER, NativeCodec, code_of_length
from tests.harness.wire.streams import codes, cut, feed_all, only, single_bytes, told

OTHER = ">I" if sys.byteorder == "little" else "<I"
SWAPPED_TWO = struct.pack(OTHER, 2)


def framed(body: bytes) -> bytes:
    return struct.pack("=I", len(body)) + body


def length(size: int) -> bytes:
    return struct.pack("=I", size)


# stream, limit -> raw of each frame, code of each
CASES: list[tuple[bytes, int, list[bytes], list[str | None]]] = [
    (b"", 9, [], []),
    (framed(b"{}"), 9, [framed(b"{}")], [None]),
    (framed(b"{}") + framed(b"1"), 9, [framed(b"{}"), framed(b"1")], [None, None]),
    (framed(b"") + framed(b"1"), 9, [framed(b""), framed(b"1")], ["empty", None]),
    (framed(b"{a}") + framed(b"1"), 9, [framed(b"{a}"), framed(b"1")], ["not_json", None]),
    (framed(b"[NaN]") + framed(b"1"), 9, [framed(b"[NaN]"), framed(b"1")], ["unreadable_number", None]),
    (framed(b'"\xff"') + framed(b"1"), 9, [framed(b'"\xff"'), framed(b"1")], ["not_utf8", None]),
    (framed(b"[" * 600), 999, [framed(b"[" * 600)], ["too_deep"]),
    # The stream ends too early.
    (framed(b"1") + b"\x01\x00", 9, [framed(b"1"), b"\x01\x00"], [None, "half_frame"]),
    (length(5), 9, [length(5)], ["half_frame"]),
    (length(5) + b"[1,", 9, [length(5) + b"[1,"], ["half_frame"]),
    # At the limit and over it: reading goes on after the message.
    (framed(b"123456789"), 9, [framed(b"123456789")], [None]),
    (framed(b"12345") + framed(b"1"), 4, [length(5), b"1234", b"5", framed(b"1")], ["too_long"] * 3 + [None]),
    (framed(b"1" * 18) + framed(b"1"), 9, [length(18), b"1" * 9, b"1" * 9, framed(b"1")], ["too_long"] * 3 + [None]),
    (framed(b"1" * 12)[:9], 9, [length(12), b"1" * 5], ["too_long"] * 2),
    (length(12), 9, [length(12)], ["too_long"]),
    # The stream can't be read on: the rest comes in pieces of the limit.
    (b"Traceback (most", 9, [b"Trac", b"eback (mo", b"st"], ["text_as_length"] * 3),
    (b"log\n", 9, [b"log\n"], ["text_as_length"]),
    (SWAPPED_TWO + b"{}" + framed(b"1"), 9, [SWAPPED_TWO, b"{}" + framed(b"1")], ["byte_order"] * 2),
    (length(FROM_BROWSER + 1) + b"x" * 9, 9, [length(FROM_BROWSER + 1), b"x" * 9], ["impossible_length"] * 2),
    (framed(b"1") + b"\xff" * 5, 9, [framed(b"1"), b"\xff" * 4, b"\xff"], [None] + ["impossible_length"] * 2),
]  # fmt: skip


@pytest.mark.claim("HAR-WIRE-01")
@pytest.mark.parametrize(("stream", "limit", "raws", "problems"), CASES, ids=range(len(CASES)))
def test_messages(stream: bytes, limit: int, raws: list[bytes], problems: list[str | None]) -> None:
    whole = feed_all(NativeCodec("<<", limit), [stream])
    assert [frame.raw for frame in whole] == raws
    assert codes(whole) == problems
    assert {frame.kind for frame in whole} <= {"raw"}
    for pieces in (single_bytes(stream), *(cut(stream, [place]) for place in range(len(stream)))):
        assert [told(frame) for frame in feed_all(NativeCodec("<<", limit), pieces)] == [told(frame) for frame in whole]


@pytest.mark.parametrize("value", [None, True, 1.5, "é\u2028\ud800", [1, {"a": "b"}], {"type": "snapshot"}])
def test_any_value_goes_and_comes(value: Any) -> None:
    wire = NativeCodec(">>", 1000)
    raw = wire.encode(value)
    assert raw[:4] == struct.pack("=I", len(raw) - 4)
    frame = only(wire.feed(raw))
    assert (frame.raw, frame.problem) == (raw, None)
    assert frame.value == value
    assert wire.wrap(wire.body(raw)) == raw


def test_the_last_of_equal_names_wins_and_depth_is_bounded() -> None:
    wire = NativeCodec("<<", 9999)
    assert only(wire.feed(framed(b'{"a":1,"a":2}'))).value == {"a": 2}
    assert only(wire.feed(framed(b"[" * DEPTH_LIMIT + b"]" * DEPTH_LIMIT))).problem is None


@pytest.mark.parametrize(("way", "limit"), [("<<", TOWARD_BROWSER), (">>", FROM_BROWSER)])
def test_chromiums_limits_are_inclusive(way: str, limit: int) -> None:
    assert limit == {"<<": MIB, ">>": 64 * MIB}[way]
    wire = codec("native", way)
    assert wire.limit == limit
    assert wire.feed(length(limit)) == []
    refused = only(codec("native", way).feed(length(limit + 1)))
    assert codes([refused]) == [{"<<": "too_long", ">>": "impossible_length"}[way]]


def test_one_mebibyte_toward_the_browser_passes_and_one_byte_more_does_not() -> None:
    wire = codec("native", "<<")
    text = "x" * (MIB - 2)
    assert only(wire.feed(wire.encode(text))).value == text
    with pytest.raises(WireError) as caught:
        wire.encode(text + "x")
    assert caught.value.code == "over_limit"
    pieces = wire.feed(framed(json.dumps(text + "x").encode()) + framed(b"1"))
    assert codes(pieces) == ["too_long"] * 3 + [None]
    assert [len(piece.raw) for piece in pieces] == [4, MIB, 1, 5]
    assert [piece.more for piece in pieces] == [True, True, False, False]


@pytest.mark.parametrize("prefix", [b"Trac", b"{\"a\"", b"HTTP", b"\n\n\n\n", b"    "])
def test_text_is_an_error_at_its_fourth_byte(prefix: bytes) -> None:
    wire = codec("native", "<<")
    assert wire.feed(prefix[:3]) == []
    frame = only(wire.feed(prefix[3:]))
    assert codes([frame]) == ["text_as_length"]
    assert frame.problem is not None
    assert frame.problem.fatal
    assert wire.held == 0


LENGTHS: list[tuple[bytes, int, str]] = [
    (b"abcd", MIB, "text_as_length"),
    (struct.pack(OTHER, 1), MIB, "byte_order"),
    (struct.pack(OTHER, 300), MIB, "byte_order"),
    (struct.pack(OTHER, MIB - 1), MIB, "byte_order"),
    (struct.pack(OTHER, MIB + 255), MIB, "impossible_length"),
    (length(MIB + 1), MIB, "too_long"),
    (length(FROM_BROWSER - 1), MIB, "too_long"),
    (length(FROM_BROWSER + 1), MIB, "impossible_length"),
    (length(FROM_BROWSER + 1), FROM_BROWSER, "impossible_length"),
    (length(2**32 - 1), FROM_BROWSER, "impossible_length"),
    (length(20), 10, "too_long"),
]


@pytest.mark.parametrize(("prefix", "limit", "code"), LENGTHS, ids=range(len(LENGTHS)))
def test_what_a_length_over_the_limit_most_likely_is(prefix: bytes, limit: int, code: str) -> None:
    assert code_of_length(prefix, struct.unpack("=I", prefix)[0], limit) == code
    assert codes(NativeCodec("<<", limit).feed(prefix)) == [code]


def test_after_a_fatal_problem_everything_is_raw_with_that_problem() -> None:
    wire = NativeCodec("<<", 100_000)
    first = only(wire.feed(b"Trac"))
    assert wire.feed(b"e" * 65_535) == []
    second = only(wire.feed(b"e"))
    wire.feed(framed(b"{}"))
    third = only(wire.end())
    assert (len(second.raw), third.raw) == (65_536, framed(b"{}"))
    assert first.problem is second.problem is third.problem
    assert not any(frame.more for frame in (first, second, third))


def test_after_the_end_a_codec_is_new() -> None:
    wire = NativeCodec("<<", 9)
    for broken in (b"Traceback", length(12) + b"1", length(5) + b"1"):
        wire.feed(broken)
        wire.end()
        assert wire.held == 0
        assert only(wire.feed(framed(b"1"))).value == 1


REFUSED: list[tuple[Any, str]] = [
    ({1}, "no_value"),
    (float("inf"), "no_value"),
    ("x" * 8, "over_limit"),
]


@pytest.mark.parametrize(("value", "code"), REFUSED)
def test_refuses_to_encode(value: Any, code: str) -> None:
    with pytest.raises(WireError) as caught:
        NativeCodec(">>", 9).encode(value)
    assert caught.value.code == code


def test_every_error_is_reached() -> None:
    read = {code for *_, problems in CASES for code in problems if code}
    assert read | {code for _, code in REFUSED} == set(NATIVE_ERRORS)


def test_an_error_says_what_the_length_was() -> None:
    problem = only(codec("native", "<<").feed(b"\x01\x00\x20\x00")).problem
    assert problem is not None
    assert problem.seen == "the length b'\\x01\\x00 \\x00', 2097153 in native order; the limit is 1048576"
