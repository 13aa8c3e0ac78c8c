"""A Stack that does as a test says, served in memory in virtual time to a client that writes raw lines."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

import anyio
import anyio.lowlevel
from anyio.abc import ByteReceiveStream, ByteSendStream

from stack.contract import Caller, Content, Json, Reply, StackEvent, Tool
from stack.errors import StackError
from stack.server import serve
from tests.stack.staging import play

Act = Callable[[str, Mapping[str, Json], Caller], Awaitable[Reply]]
DONE = Reply("done", content=(Content({"type": "text", "text": "done"}),), evidence={"directCalls": 1})
FORM: dict[str, Json] = {
    "threadId": "t",
    "turnId": None,
    "serverName": "computer-use",
    "environmentId": None,
    "mode": "form",
    "message": "Allow?",
    "requestedSchema": {"type": "object", "properties": {"choice": {"type": "string", "x-odd": None}}},
    "_meta": {"persist": ["session"], "odd": None},
    "later": {"a": None},
}
OWN = {name: FORM[name] for name in ("mode", "message", "requestedSchema", "_meta", "later")}
HELLO: dict[str, Any] = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "raw", "version": "1"},
}


async def answer(tool: str, arguments: Mapping[str, Json], caller: Caller) -> Reply:
    return DONE


class ScriptedStack:
    """act: what a call does; listed: its tools, or the error of listing them. calls, told: what came."""

    def __init__(self, act: Act = answer, listed: Sequence[Tool] | StackError = ()) -> None:
        self.act = act
        self.listed = listed
        self.calls: list[tuple[str, Mapping[str, Json]]] = []
        self.told: list[str] = []
        self._scopes: list[anyio.CancelScope] = []
        self.state: dict[str, Json] = {"binariesVerified": True, "cleanup": {"verified": 0, "problems": []}}

    async def tools(self) -> Sequence[Tool]:
        if isinstance(self.listed, StackError):
            raise self.listed
        return self.listed

    async def call(self, tool: str, arguments: Mapping[str, Json], caller: Caller) -> Reply:
        self.calls.append((tool, arguments))
        with anyio.CancelScope() as scope:
            self._scopes.append(scope)
            return await self.act(tool, arguments, caller)
        raise AssertionError("a call that was taken back must still reply")

    async def tell(self, event: StackEvent, data: Json) -> None:
        self.told.append(event)
        if event == "cancel":
            for scope in self._scopes:
                scope.cancel()

    async def status(self) -> Mapping[str, Json]:
        return self.state


class Pipe(ByteReceiveStream, ByteSendStream):
    """One direction in memory. broken: what a write raises; empty data is the end of a reader that was killed."""

    def __init__(self) -> None:
        self._data: deque[bytes] = deque()
        self._closed = False
        self._news = anyio.Event()
        self.broken: BaseException | None = None

    async def receive(self, max_bytes: int = 65536) -> bytes:
        while not self._data:
            if self._closed:
                raise anyio.EndOfStream
            self._news = anyio.Event()
            await self._news.wait()
        data = self._data.popleft()
        if not data:
            raise anyio.BrokenResourceError
        return data

    async def send(self, item: bytes) -> None:
        if self.broken is not None:
            raise self.broken
        await anyio.lowlevel.checkpoint()
        self._data.append(item)
        self._news.set()

    async def aclose(self) -> None:
        self._closed = True
        self._news.set()


class RawClient:
    """Writes lines, and reads whole ones."""

    def __init__(self) -> None:
        self.to_server, self.from_server = Pipe(), Pipe()
        self.stop = anyio.Event()
        self.ended = anyio.Event()
        self._rest = b""
        self._id = 0

    async def write(self, *messages: Mapping[str, Any] | bytes) -> None:
        for message in messages:
            line = message if isinstance(message, bytes) else json.dumps(message).encode()
            await self.to_server.send(line + b"\n")

    async def read(self) -> Any:
        """The next message of the server."""
        while b"\n" not in self._rest:
            self._rest += await self.from_server.receive()
        line, _, self._rest = self._rest.partition(b"\n")
        return json.loads(line)

    async def request(self, method: str, params: Mapping[str, Any] | None = None) -> int:
        self._id += 1
        members = {} if params is None else {"params": params}
        await self.write({"jsonrpc": "2.0", "id": self._id, "method": method, **members})
        return self._id

    async def ask(self, method: str, params: Mapping[str, Any] | None = None) -> Any:
        """A request's response, which must be the next message."""
        number = await self.request(method, params)
        reply = await self.read()
        assert reply["id"] == number
        return reply

    async def greet(self, capabilities: Mapping[str, Any] | None = None) -> Any:
        reply = await self.ask("initialize", {**HELLO, "capabilities": capabilities or {}})
        await self.write({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return reply["result"]

    async def call(self, tool: str = "click", **arguments: Json) -> int:
        return await self.request("tools/call", {"name": tool, "arguments": arguments})


@asynccontextmanager
async def served(stack: ScriptedStack, *, grows: bool = False) -> AsyncIterator[RawClient]:
    """A client of a served stack; at the end it closes its output, and the server must end."""
    client = RawClient()

    async def run() -> None:
        await serve(stack, client.to_server, client.from_server, name="scripted", grows=grows, stop=client.stop)
        client.ended.set()

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(run)
        yield client
        await client.to_server.aclose()
        with anyio.fail_after(60):
            await client.ended.wait()


def run(
    stack: ScriptedStack, main: Callable[[RawClient], Awaitable[None]], *, grows: bool = False, **capabilities: Any
) -> None:
    """Play a client that has greeted, and has told these capabilities."""

    async def whole() -> None:
        async with served(stack, grows=grows) as client:
            await client.greet(capabilities)
            await main(client)

    play(whole)
