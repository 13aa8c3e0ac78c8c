"""What client and server say to each other: one JSON line asks, one answers. Without knowledge of either.

A request is `{call, arguments, ref}`; `ref`: whether the action comes from what was last observed, and from nothing
older. An answer is `{outcome, code, text, structured}`, which is a Reply of the stack's port.
"""

from __future__ import annotations

import json
from typing import Final

import anyio
from anyio.abc import ByteStream
from anyio.streams.buffered import BufferedByteReceiveStream

from stack.contract import Content, Json, Reply
from stack.errors import ProtocolError, StackError

LINE_BYTES: Final = 4 << 20
ENDS: Final = (anyio.EndOfStream, anyio.IncompleteRead, anyio.BrokenResourceError, anyio.ClosedResourceError)
"""What a stream raises whose other end is gone."""
_OUTCOMES: Final = frozenset({"done", "refused", "unknown"})


class Lines:
    """One connection, read and written in lines."""

    def __init__(self, stream: ByteStream) -> None:
        self._stream = stream
        self._read = BufferedByteReceiveStream(stream)

    async def send(self, value: Json) -> None:
        """Raises one of ENDS where nobody is there."""
        await self._stream.send(json.dumps(value, ensure_ascii=True, separators=(",", ":")).encode("ascii") + b"\n")

    async def receive(self) -> dict[str, Json]:
        """The next line. Raises one of ENDS, or ProtocolError for what is no object in a line."""
        try:
            line = await self._read.receive_until(b"\n", LINE_BYTES)
            value: Json = json.loads(line)
        except (anyio.DelimiterNotFound, ValueError, RecursionError):
            raise ProtocolError("not_json", "a line of the session's socket that is no JSON") from None
        if not isinstance(value, dict):
            raise ProtocolError("not_a_frame", "a line of the session's socket that is no object")
        return value

    async def aclose(self) -> None:
        await anyio.aclose_forcefully(self._stream)


def answer(reply: Reply) -> dict[str, Json]:
    """A reply as a line has it."""
    text = "\n".join(content.text for content in reply.content if content.text)
    return {"outcome": reply.outcome, "code": reply.code, "text": text, "structured": reply.structured}


def failed(error: StackError) -> Reply:
    """The reply of an error."""
    content = (Content({"type": "text", "text": str(error)}),)
    return Reply(error.outcome, error.code, content, {"error": error.code}, is_error=True)


def reply_of(value: dict[str, Json]) -> Reply:
    """The reply in a line. ProtocolError."""
    outcome, code, text = value.get("outcome"), value.get("code"), value.get("text")
    if outcome not in _OUTCOMES or not isinstance(code, str | None) or not isinstance(text, str):
        raise ProtocolError("not_a_frame", "a line of the session's socket that is no answer")
    content = (Content({"type": "text", "text": text}),)
    return Reply(outcome, code, content, value.get("structured"), is_error=code is not None)  # type: ignore[arg-type]
