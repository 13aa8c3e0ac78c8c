from __future__ import annotations

from typing import Any

import pytest

from harness.wire.frame import WireError
from harness.wire.raw import ERRORS, RawCodec


def test_one_read_is_one_frame() -> None:
    codec = RawCodec("<<", 100)
    assert [frame.raw for frame in codec.feed(b"a\nb") + codec.feed(b"c") + codec.end()] == [b"a\nb", b"c"]
    assert codec.held == 0


def test_nothing_read_is_no_frame() -> None:
    assert RawCodec("<<", 100).feed(b"") == []


def test_a_frame_has_neither_value_nor_problem() -> None:
    frame = RawCodec("<<", 100).feed(b'{"id":1}\xff')[0]
    assert (frame.value, frame.kind, frame.problem, frame.more) == (None, "raw", None, False)


@pytest.mark.parametrize(
    ("size", "pieces"), [(3, [b"abc"]), (4, [b"abc", b"d"]), (6, [b"abc", b"def"]), (7, [b"abc", b"def", b"g"])]
)
def test_a_read_over_the_limit_is_given_in_pieces(size: int, pieces: list[bytes]) -> None:
    frames = RawCodec(">>", 3).feed(b"abcdefg"[:size])
    assert [frame.raw for frame in frames] == pieces
    assert [frame.more for frame in frames] == [True] * (len(pieces) - 1) + [False]


def test_encodes_text_as_it_is() -> None:
    codec = RawCodec(">>", 10)
    assert codec.encode("é\n") == b"\xc3\xa9\n"
    assert codec.wrap(codec.body(b"x\n")) == b"x\n"


REFUSED: list[tuple[Any, str]] = [
    (b"bytes", "no_value"),
    (None, "no_value"),
    ("\udcff", "no_value"),
    ("x" * 11, "over_limit"),
]


@pytest.mark.parametrize(("value", "code"), REFUSED)
def test_refuses_to_encode(value: Any, code: str) -> None:
    with pytest.raises(WireError) as caught:
        RawCodec(">>", 10).encode(value)
    assert caught.value.code == code


def test_every_error_is_reached() -> None:
    assert {code for _, code in REFUSED} == set(ERRORS)
