from __future__ import annotations

from typing import Any

import pytest

from harness.wire.frame import WireError
from harness.wire.lines import LINE_ERRORS, LineCodec
from tests.harness.wire.streams import codes, cut, feed_all, only, single_bytes, told

# stream, limit -> raw of each frame, value of each, code of each
CASES: list[tuple[bytes, int, list[bytes], list[str | None], list[str | None]]] = [
    (b"", 8, [], [], []),
    (b"ab\n", 8, [b"ab\n"], ["ab"], [None]),
    (b"ab\ncd\n", 8, [b"ab\n", b"cd\n"], ["ab", "cd"], [None, None]),
    (b"\n\n", 8, [b"\n", b"\n"], ["", ""], [None, None]),
    (b"ab\r\n", 8, [b"ab\r\n"], ["ab"], [None]),
    (b"ab\r\r\n", 8, [b"ab\r\r\n"], ["ab\r"], [None]),
    (b"a\rb\n", 8, [b"a\rb\n"], ["a\rb"], [None]),
    # Unicode's other ends of lines are data.
    ("a\u2028b\u0085c\u2029\x0b\x0c\n".encode(), 99, ["a\u2028b\u0085c\u2029\x0b\x0c\n".encode()],
     ["a\u2028b\u0085c\u2029\x0b\x0c"], [None]),
    (b"a\xff\nb\n", 8, [b"a\xff\n", b"b\n"], [None, "b"], ["not_utf8", None]),
    # The last line without a newline.
    (b"ab\ncd", 8, [b"ab\n", b"cd"], ["ab", "cd"], [None, "half_frame"]),
    (b"cd\r", 8, [b"cd\r"], ["cd"], ["half_frame"]),
    (b"\xff", 8, [b"\xff"], [None], ["not_utf8"]),
    # At the limit and over it.
    (b"abc\n", 3, [b"abc\n"], ["abc"], [None]),
    (b"abc", 3, [b"abc"], ["abc"], ["half_frame"]),
    (b"abcd\n", 3, [b"abc", b"d\n"], [None, None], ["too_long"] * 2),
    (b"abcd", 3, [b"abc", b"d"], [None, None], ["too_long"] * 2),
    (b"abcdef\n", 3, [b"abc", b"def\n"], [None, None], ["too_long"] * 2),
    (b"abcdefg\nhi\n", 3, [b"abc", b"def", b"g\n", b"hi\n"], [None, None, None, "hi"], ["too_long"] * 3 + [None]),
    (b"x\nabcd\n", 3, [b"x\n", b"abc", b"d\n"], ["x", None, None], [None, "too_long", "too_long"]),
    (b"ab\n", 1, [b"a", b"b\n"], [None, None], ["too_long"] * 2),
]  # fmt: skip


@pytest.mark.claim("HAR-WIRE-01")
@pytest.mark.parametrize(("stream", "limit", "raws", "values", "problems"), CASES)
def test_lines(
    stream: bytes, limit: int, raws: list[bytes], values: list[str | None], problems: list[str | None]
) -> None:
    whole = feed_all(LineCodec("<<", limit), [stream])
    assert [frame.raw for frame in whole] == raws
    assert [frame.value for frame in whole] == values
    assert codes(whole) == problems
    assert {frame.kind for frame in whole} <= {"raw"}
    for pieces in (single_bytes(stream), *(cut(stream, [place]) for place in range(len(stream)))):
        assert [told(frame) for frame in feed_all(LineCodec("<<", limit), pieces)] == [told(frame) for frame in whole]


def test_pieces_share_one_problem_and_say_that_they_go_on() -> None:
    first, second, last, after = feed_all(LineCodec("<<", 3), [b"abcdefg\nhi\n"])
    assert first.problem is second.problem is last.problem
    assert [first.more, second.more, last.more, after.more] == [True, True, False, False]
    again = feed_all(LineCodec("<<", 3), [b"abcd\nabcd\n"])
    assert again[0].problem is not again[2].problem


def test_a_line_over_the_limit_is_passed_on_before_its_end() -> None:
    codec = LineCodec("<<", 3)
    assert [frame.raw for frame in codec.feed(b"abcd")] == [b"abc"]
    assert codec.held == 1
    assert [frame.raw for frame in codec.feed(b"efgh")] == [b"def"]
    assert codec.held == 2


def test_no_line_problem_is_fatal_and_reading_goes_on() -> None:
    frames = feed_all(LineCodec("<<", 3), [b"abcd\n\xff\nok\n"])
    assert not any(frame.problem and frame.problem.fatal for frame in frames)
    assert frames[-1].value == "ok"


def test_after_the_end_a_codec_is_empty() -> None:
    codec = LineCodec("<<", 3)
    codec.feed(b"ab")
    assert len(codec.end()) == 1
    assert codec.held == 0
    assert codec.end() == []


def test_what_it_encodes_it_reads() -> None:
    codec = LineCodec(">>", 100)
    assert codec.encode("é\u2028\r") == "é\u2028\r\n".encode()
    assert only(codec.feed(codec.encode("window 1"))).value == "window 1"
    assert (codec.body(b"ab\r\n"), codec.body(b"ab"), codec.wrap(b"ab")) == (b"ab\r", b"ab", b"ab\n")


REFUSED: list[tuple[Any, str]] = [
    (None, "no_value"),
    (1, "no_value"),
    (["a"], "no_value"),
    ("a\nb", "no_value"),
    ("\ud800", "no_value"),
    ("abcdefghi", "over_limit"),
]


@pytest.mark.parametrize(("value", "code"), REFUSED)
def test_refuses_to_encode(value: Any, code: str) -> None:
    with pytest.raises(WireError) as caught:
        LineCodec(">>", 8).encode(value)
    assert caught.value.code == code


def test_every_error_is_reached() -> None:
    read = {code for *_, problems in CASES for code in problems if code}
    assert read | {code for _, code in REFUSED} == set(LINE_ERRORS)


def test_errors_name_the_place_and_no_content() -> None:
    problem = only(feed_all(LineCodec("<<", 99), [b"secret is hunter2 \xff\n"])).problem
    assert problem is not None
    assert problem.seen == "byte 0xff at offset 18 of 20 bytes"
    assert "hunter2" not in str(problem)
