"""The driver's bytes: lines whatever the reads, a bound before anything is held, and no message read leniently."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stack.errors import Official, ProtocolError
from stack.safari_mcp.wire import Asked, LineReader, Noticed, Refused, Replied, encode, parse_json, read_message


@settings(max_examples=50)
@given(st.lists(st.binary(max_size=30).map(lambda data: data.replace(b"\n", b"")), max_size=6), st.data())
def test_lines_are_the_same_whatever_the_reads(lines: list[bytes], data: st.DataObject) -> None:
    whole = b"".join(line + b"\n" for line in lines) + b"rest"
    cuts = sorted(data.draw(st.lists(st.integers(0, len(whole)), max_size=5)))
    reader, found = LineReader(64), []
    for start, end in zip([0, *cuts], [*cuts, len(whole)], strict=True):
        found += list(reader.feed(whole[start:end]))
    assert found == lines
    assert reader.partial == 4


@pytest.mark.parametrize("end", [b"", b"\n"], ids=["open", "ended"])
def test_a_message_over_the_bound_is_refused_before_it_is_held(end: bytes) -> None:
    reader = LineReader(8)
    assert list(reader.feed(b"12345678\n")) == [b"12345678"]
    assert list(reader.feed(b"1234")) == []
    with pytest.raises(ProtocolError) as error:
        list(reader.feed(b"56789" + end))
    assert error.value.code == "message_too_long"
    assert reader.partial == 4, "nothing of it is added to what was held"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ({"id": 1, "result": {"a": 1}}, Replied(1, {"a": 1})),
        ({"id": 1, "result": None}, Replied(1, None)),
        ({"id": 2, "error": {"code": -32602, "message": "no", "data": 1}}, Refused(2, Official(-32602, "no", 1))),
        ({"id": "a", "method": "ping"}, Asked("a", "ping")),
        ({"method": "notifications/message", "params": {}}, Noticed("notifications/message")),
    ],
)
def test_each_shape_of_a_message(line: dict[str, object], message: object) -> None:
    assert read_message(json.dumps({"jsonrpc": "2.0", **line}).encode()) == message


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"Safari is ready",
        b"\xff",
        b"[]",
        b"[" * 100_000,
        b"{}",
        b'{"jsonrpc": "2.0"}',
        b'{"jsonrpc": "1.0", "id": 1, "result": 1}',
        b'{"id": 1, "result": 1}',
        b'{"jsonrpc": "2.0", "id": 1, "result": NaN}',
        b'{"jsonrpc": "2.0", "id": 1, "id": 1, "result": 1}',
        b'{"jsonrpc": "2.0", "id": 1, "result": 1, "error": {"code": 1, "message": ""}}',
        b'{"jsonrpc": "2.0", "result": 1}',
        b'{"jsonrpc": "2.0", "id": null, "result": 1}',
        b'{"jsonrpc": "2.0", "id": true, "result": 1}',
        b'{"jsonrpc": "2.0", "id": "1", "result": 1}',
        b'{"jsonrpc": "2.0", "id": 1.0, "result": 1}',
        b'{"jsonrpc": "2.0", "id": 1, "error": "no"}',
        b'{"jsonrpc": "2.0", "id": 1, "error": {"code": true, "message": ""}}',
        b'{"jsonrpc": "2.0", "id": 1, "error": {"code": 1}}',
        b'{"jsonrpc": "2.0", "method": 1}',
        b'{"jsonrpc": "2.0", "method": "m", "id": null}',
        b'{"jsonrpc": "2.0", "method": "m", "id": 1.5}',
    ],
)
def test_everything_else_is_malformed(line: bytes) -> None:
    with pytest.raises(ProtocolError) as error:
        read_message(line)
    assert error.value.code == "driver_malformed"


def test_json_is_read_strictly_and_quotes_nothing() -> None:
    for text in ("", "{", '{"a": 1, "a": 2}', "Infinity", "secret"):
        with pytest.raises(ValueError) as error:  # noqa: PT011 - which part is wrong is in the text
            parse_json(text)
        assert "secret" not in str(error.value)


def test_a_message_is_one_line_of_ascii() -> None:
    line = encode({"id": 1, "method": "m", "params": {"text": "é\u2028\n\ud800"}})
    assert line.isascii()
    assert line.count(b"\n") == 1
    assert json.loads(line) == {"jsonrpc": "2.0", "id": 1, "method": "m", "params": {"text": "é\u2028\n\ud800"}}
