"""An MCP client on the pipes of a stranger: one request, one answer, and every wait with its bound.

Deliberately plain, as most clients are: it offers no capability, answers the server's `ping` and nothing else, and
reads over lines that are no messages, which it counts.
"""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import anyio
import trio
from anyio.abc import ByteReceiveStream, ByteSendStream

from harness.strangers.problem import StrangerError
from harness.version import VERSION
from harness.wire import codec
from harness.wire.frame import Frame
from harness.wire.jsontext import encode

REVISION = "2025-06-18"
"""Of the protocol, that the client speaks."""
GONE = (anyio.EndOfStream, anyio.BrokenResourceError, anyio.ClosedResourceError)
NOT_FOUND = -32601
LIMIT = 16 << 20
"""Bytes that one message of a stranger may have."""


class Client:
    """See the module. Read by `listen`, which runs beside the calls. junk: lines that were no messages."""

    def __init__(self, stdin: ByteSendStream, stdout: ByteReceiveStream) -> None:
        self.junk = 0
        self._stdin = stdin
        self._stdout = stdout
        self._number = 0
        self._waiting: dict[Any, trio.Event] = {}
        self._answers: dict[Any, Mapping[str, Any]] = {}
        self._over = False

    async def listen(self) -> None:
        """Read until the stranger closes its stdout; whoever waits then is told."""
        reader = codec("mcp", "<<", LIMIT)
        try:
            while True:
                for frame in reader.feed(await self._stdout.receive()):
                    await self._take(frame)
        except GONE:
            self._over = True
            for event in self._waiting.values():
                event.set()

    async def _take(self, frame: Frame) -> None:
        value = frame.value
        if not isinstance(value, dict) or frame.kind == "raw":
            self.junk += 1
        elif frame.kind == "reply":
            event = self._waiting.pop(frame.id, None) if isinstance(frame.id, int) else None
            if event is not None:
                self._answers[frame.id] = value
                event.set()
        elif frame.kind == "request":
            error = {"code": NOT_FOUND, "message": "this client offers nothing"}
            await self._send({"id": frame.id, **({"result": {}} if frame.method == "ping" else {"error": error})})

    async def _send(self, message: Mapping[str, Any]) -> None:
        try:
            await self._stdin.send(encode({"jsonrpc": "2.0", **message}) + b"\n")
        except GONE:
            self._over = True

    async def ask(self, method: str, params: Mapping[str, Any], wait_ms: float) -> Mapping[str, Any]:
        """The answer, with `result` or `error`. Raises StrangerError where there is none; a request that is given up,
        or taken back by its caller, is cancelled as MCP has it."""
        self._number += 1
        number = self._number
        event = self._waiting[number] = trio.Event()
        await self._send({"id": number, "method": method, "params": dict(params)})
        try:
            with trio.move_on_after(wait_ms / 1000):
                if not self._over:
                    await event.wait()
        finally:
            self._waiting.pop(number, None)
            if not event.is_set() and not self._over:
                with trio.CancelScope(shield=True):
                    given_up = {"requestId": number, "reason": "given up"}
                    await self._send({"method": "notifications/cancelled", "params": given_up})
        if number in self._answers:
            return self._answers.pop(number)
        what = "closed its stdout before it answered" if self._over else f"did not answer within {wait_ms:g} ms"
        raise StrangerError(f"the stack {what} ({method})")

    async def greet(self, wait_ms: float) -> Mapping[str, Any]:
        """The handshake; what the stranger says of itself. Raises StrangerError."""
        about = {"name": "trailcam", "version": VERSION}
        answer = await self.ask(
            "initialize", {"protocolVersion": REVISION, "capabilities": {}, "clientInfo": about}, wait_ms
        )
        if not isinstance(answer.get("result"), Mapping):
            raise StrangerError(f"the stack refused the handshake: {str(answer.get('error'))[:200]}")
        await self._send({"method": "notifications/initialized"})
        result: Mapping[str, Any] = answer["result"]
        return result
