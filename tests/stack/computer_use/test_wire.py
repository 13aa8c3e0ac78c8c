"""Bytes to messages: any split gives the same lines, bounds come before buffering, every odd message is an error."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stack.computer_use.wire import LineReader, Message, Shape, classify, decode, encode
from stack.errors import Official, ProtocolError


@given(st.lists(st.binary(max_size=20).filter(lambda b: b"\n" not in b)), st.binary(max_size=9), st.data())
def test_any_split_gives_the_same_lines(lines: list[bytes], rest: bytes, data: st.DataObject) -> None:
    rest = rest.replace(b"\n", b"")
    stream = b"".join(line + b"\n" for line in lines) + rest
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=8)))
    reader = LineReader(20)
    found = []
    for start, end in zip([0, *cuts], [*cuts, len(stream)], strict=True):
        found += list(reader.feed(stream[start:end]))
    assert found == lines
    assert reader.partial == len(rest)


@pytest.mark.claim("CUA-RUN-05")
@pytest.mark.parametrize(
    ("chunks", "lines", "ok"),
    [
        ([b"1234\n"], [b"1234"], True),
        ([b"1234"], [], True),
        ([b"12", b"34\n5"], [b"1234"], True),
        ([b"12345\n"], [], False),
        ([b"a\n12345"], [b"a"], False),
        ([b"1234", b"5"], [], False),
        ([b"1234", b"5\n"], [], False),
    ],
)
def test_a_line_is_bounded_at_its_length_whether_finished_or_not(
    chunks: list[bytes], lines: list[bytes], ok: bool
) -> None:
    reader = LineReader(4)
    found: list[bytes] = []

    def read() -> None:
        for chunk in chunks:
            for line in reader.feed(chunk):
                found.append(line)

    if ok:
        read()
    else:
        with pytest.raises(ProtocolError) as caught:
            read()
        assert caught.value.code == "line_too_long"
        assert "5 bytes; the bound is 4" in str(caught.value)
        assert reader.partial <= 4
    assert found == lines


def test_lines_end_at_the_one_byte_alone() -> None:
    line = '{"a":"\u2028\x85\r\x0b"}'.encode()
    assert list(LineReader(99).feed(line + b"\n")) == [line]


@pytest.mark.parametrize(
    "line",
    [
        b"", b" ", b"{", b"{'a':1}", b"nul", b"NaN", b'{"a":Infinity}', b'{"a":1,"a":2}', b"\xff", b'"\xed\xa0\x80"',
        b"[" * 100_000, b'{"a":1}x', b"9" * 5000,
    ],
)  # fmt: skip
def test_what_is_not_plain_json_is_an_error(line: bytes) -> None:
    with pytest.raises(ProtocolError) as caught:
        decode(line)
    assert caught.value.code == "not_json"


def test_an_error_quotes_nothing_of_the_content() -> None:
    with pytest.raises(ProtocolError) as caught:
        decode(b'{"text":"secret words"')
    assert "secret" not in str(caught.value)


MESSAGES: list[tuple[dict[str, Any], Message]] = [
    ({"id": 1, "result": None}, Message(Shape.RESULT, 1)),
    ({"id": "1", "result": {"a": 1}, "jsonrpc": "2.0"}, Message(Shape.RESULT, "1", result={"a": 1})),
    (
        {"error": {"code": -1, "message": "m", "data": [1]}, "id": 0},
        Message(Shape.ERROR, 0, error=Official(-1, "m", [1])),
    ),
    ({"method": "m", "id": 0, "params": {}}, Message(Shape.REQUEST, 0, "m", {})),
    ({"method": "m", "emittedAtMs": 5}, Message(Shape.NOTICE, None, "m")),
]


@pytest.mark.parametrize(("value", "message"), MESSAGES)
def test_the_four_shapes(value: dict[str, Any], message: Message) -> None:
    assert classify(value) == message


@pytest.mark.parametrize(
    "value",
    [
        None, 1, "x", [], [{"method": "m"}], {}, {"id": 1}, {"params": {}}, {"method": 1}, {"method": "m", "id": None},
        {"method": "m", "id": 1.0}, {"method": "m", "id": True}, {"result": 1}, {"id": None, "result": 1},
        {"id": 1, "result": 1, "error": {"code": 1, "message": "m"}}, {"id": 1, "method": "m", "result": 1},
        {"id": 1, "error": None}, {"id": 1, "error": "x"}, {"id": 1, "error": {"code": 1}},
        {"id": 1, "error": {"code": "1", "message": "m"}}, {"id": 1, "error": {"code": True, "message": "m"}},
        {"error": {"code": 1, "message": "m"}},
    ],
)  # fmt: skip
def test_everything_else_is_an_error(value: Any) -> None:
    with pytest.raises(ProtocolError) as caught:
        classify(value)
    assert caught.value.code == "not_a_frame"


@given(st.dictionaries(st.text(), st.none() | st.integers() | st.text() | st.lists(st.text()), max_size=4))
def test_what_is_encoded_is_one_ascii_line_that_says_the_same(members: dict[str, Any]) -> None:
    line = encode(members)
    assert line.isascii()
    assert line.count(b"\n") == 1
    assert json.loads(line) == members


def test_a_number_that_json_has_not_is_not_encoded() -> None:
    with pytest.raises(ValueError, match="JSON"):
        encode({"a": float("nan")})
