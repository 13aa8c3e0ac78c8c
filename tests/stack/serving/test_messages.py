"""Lines and messages: framing over any cuts, strict reading, lossless writing."""

from __future__ import annotations

import json
from typing import Any

import anyio
import mcp_types as types
import pytest
from anyio.abc import ByteReceiveStream
from hypothesis import given
from hypothesis import strategies as st

from stack.serving import messages
from stack.serving.messages import BadLine, LineTooLong, encode, lines_of, parse, read_messages
from tests.stack.staging import play


class Cut(ByteReceiveStream):
    """Bytes that arrive in these pieces."""

    def __init__(self, pieces: list[bytes]) -> None:
        self._pieces = list(pieces)

    async def receive(self, max_bytes: int = 65536) -> bytes:
        if not self._pieces:
            raise anyio.EndOfStream
        return self._pieces.pop(0)

    async def aclose(self) -> None:
        self._pieces.clear()


def lines(pieces: list[bytes]) -> list[bytes]:
    async def main() -> list[bytes]:
        return [line async for line in lines_of(Cut(pieces))]

    return play(main)


@given(st.lists(st.binary(max_size=8).filter(lambda line: b"\n" not in line), max_size=5), st.data())
def test_lines_do_not_depend_on_where_reads_are_cut(wanted: list[bytes], data: st.DataObject) -> None:
    whole = b"".join(line + b"\n" for line in wanted) + b"rest"
    cuts = sorted(data.draw(st.sets(st.integers(1, len(whole) - 1))))
    pieces = [whole[a:b] for a, b in zip([0, *cuts], [*cuts, len(whole)], strict=True)]
    assert lines(pieces) == wanted


@pytest.mark.parametrize("pieces", [[b"123456789"], [b"12345", b"6789"], [b"123456789\n"], [b"1\n12345", b"6789\n"]])
def test_a_line_over_the_bound_is_refused_before_it_has_ended(
    pieces: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(messages, "LINE_BYTES", 8)
    assert lines([b"12345678\n"]) == [b"12345678"]
    with pytest.raises(LineTooLong, match="more than 8 bytes"):
        lines(pieces)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text(max_size=5), JSON, max_size=3))
def test_a_result_is_written_as_it_is(result: dict[str, Any]) -> None:
    line = encode(types.JSONRPCResponse(jsonrpc="2.0", id=1, result=result))
    assert line.endswith(b"\n") and line.count(b"\n") == 1 and line.isascii()
    assert json.loads(line) == {"jsonrpc": "2.0", "id": 1, "result": result}


@given(st.dictionaries(st.text(max_size=5), JSON, max_size=3))
def test_params_are_read_as_they_are(params: dict[str, Any]) -> None:
    message = parse(json.dumps({"jsonrpc": "2.0", "id": "a", "method": "m", "params": params}).encode())
    assert isinstance(message, types.JSONRPCRequest)
    assert (message.id, message.params) == ("a", params)


def test_half_a_pair_of_surrogates_goes_through() -> None:
    message = parse(b'{"jsonrpc":"2.0","id":1,"result":{"x":"\\ud83d"}}')
    assert encode(message) == b'{"jsonrpc":"2.0","id":1,"result":{"x":"\\ud83d"}}\n'


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"", -32700),
        (b"\xff", -32700),
        (b"-Infinity", -32700),
        (b"-1e999", -32700),
        (b'{"a":1,"a":1}', -32700),
        (b"[" * 10**5, -32700),
        (b"1", -32600),
        (b'{"jsonrpc":"1.0","id":1,"method":"m"}', -32600),
        (b'{"jsonrpc":"2.0","id":null,"method":"m","params":[]}', -32600),
    ],
)
def test_what_is_no_message_is_refused_and_not_quoted(line: bytes, code: int) -> None:
    with pytest.raises(BadLine) as raised:
        parse(line)
    assert (raised.value.reply.id, raised.value.reply.error.code) == (None, code)


def test_a_number_that_json_cannot_carry_is_an_error_or_ours_to_mend() -> None:
    line = encode(types.JSONRPCResponse(jsonrpc="2.0", id=1, result={"x": float("nan")}))
    assert json.loads(line)["error"]["code"] == -32603
    with pytest.raises(ValueError, match="not JSON compliant"):
        encode(types.JSONRPCNotification(jsonrpc="2.0", method="m", params={"x": float("nan")}))


def test_messages_are_taken_and_the_rest_refused_in_order() -> None:
    seen: list[str] = []

    async def take(message: types.JSONRPCMessage) -> None:
        seen.append(type(message).__name__)

    async def refuse(error: types.JSONRPCError) -> None:
        seen.append(str(error.error.code))

    async def main() -> None:
        await read_messages(Cut([b'{\n{"jsonrpc":"2.0","method":"m"}\n1\n']), take, refuse)

    play(main)
    assert seen == ["-32700", "JSONRPCNotification", "-32600"]
