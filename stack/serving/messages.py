"""Lines of JSON to and from the SDK's messages.

Separate from the SDK's own transport, which reads the standard input in a thread that can't be cancelled (a signal
would not end the server before the client does), takes NaN for JSON, and can't write a lone surrogate, which a
helper's text may well have. Here a line is bounded, parsed strictly, and written as ASCII.
Source: MCP revision 2025-11-25, transports: one message a line, no newline in it.
"""

from __future__ import annotations

import json
import math
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Final, NoReturn

import mcp_types as types
from anyio.abc import ByteReceiveStream
from pydantic import ValidationError

from stack.contract import Json

LINE_BYTES: Final = 8 * 1024 * 1024
"""The longest line of a client, without its end: far above any argument of a tool."""


class LineTooLong(Exception):
    """A client's line that is too long to be read; nothing after it can be told apart, so the connection ends."""


class BadLine(Exception):
    """A line that is no message. code: JSON-RPC's, -32700 for what is no JSON and -32600 for what is no message."""

    def __init__(self, code: int, why: str) -> None:
        self.code = code
        super().__init__(why)

    @property
    def reply(self) -> types.JSONRPCError:
        """The answer to it, without an id, since none can be relied on."""
        return types.JSONRPCError(jsonrpc="2.0", id=None, error=types.ErrorData(code=self.code, message=str(self)))


async def lines_of(stream: ByteReceiveStream) -> AsyncIterator[bytes]:
    """The lines of a stream until it ends, without their ends. What comes after the last end is no line. Raises
    LineTooLong."""
    rest = bytearray()
    async for data in stream:
        *ends, tail = data.split(b"\n")
        for piece in ends:
            rest += piece
            _check(rest)
            yield bytes(rest)
            rest.clear()
        rest += tail
        _check(rest)


def _check(rest: bytearray) -> None:
    if len(rest) > LINE_BYTES:
        raise LineTooLong(f"the client sent a line of more than {LINE_BYTES} bytes; send smaller arguments")


def _no_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is not JSON")


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise ValueError("a number beyond what a double can hold")
    return number


def _no_twins(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a member stands twice in one object")
    return members


def parse(line: bytes) -> types.JSONRPCMessage:
    """The message of one line. Raises BadLine, which quotes nothing of the line."""
    try:
        value: Json = json.loads(
            line.decode("utf-8"), parse_constant=_no_constant, parse_float=_finite, object_pairs_hook=_no_twins
        )
    except UnicodeDecodeError as error:
        raise BadLine(types.PARSE_ERROR, f"Parse error: not UTF-8 at byte {error.start}") from None
    except json.JSONDecodeError as error:
        raise BadLine(types.PARSE_ERROR, f"Parse error: {error.msg} at character {error.pos}") from None
    except (ValueError, RecursionError) as error:
        raise BadLine(types.PARSE_ERROR, f"Parse error: not plain JSON ({error})") from None
    try:
        return types.jsonrpc_message_adapter.validate_python(value, by_name=False)
    except ValidationError:
        raise BadLine(
            types.INVALID_REQUEST, "Invalid Request: expected one JSON-RPC 2.0 request, notification or response"
        ) from None


def encode(message: types.JSONRPCMessage) -> bytes:
    """One line with its end. A result with a number that JSON can't carry becomes an error in its place."""
    try:
        return _line(message)
    except ValueError:
        if not isinstance(message, types.JSONRPCResponse):
            raise
        text = "The call was carried out, and its result holds a number that JSON can't carry; look before acting again"
        error = types.ErrorData(code=types.INTERNAL_ERROR, message=text)
        return _line(types.JSONRPCError(jsonrpc="2.0", id=message.id, error=error))


def _line(message: types.JSONRPCMessage) -> bytes:
    members = message.model_dump(by_alias=True, exclude_unset=True)
    return json.dumps(members, ensure_ascii=True, allow_nan=False, separators=(",", ":")).encode("ascii") + b"\n"


async def read_messages(
    stream: ByteReceiveStream,
    take: Callable[[types.JSONRPCMessage], Awaitable[None]],
    refuse: Callable[[types.JSONRPCError], Awaitable[None]],
) -> None:
    """Give each line of a stream to `take`, or the answer to it to `refuse`. Raises LineTooLong."""
    async for line in lines_of(stream):
        try:
            message = parse(line)
        except BadLine as bad:
            await refuse(bad.reply)
        else:
            await take(message)
