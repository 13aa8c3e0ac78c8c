"""A client of `codex app-server` over any process: the one thing that the checks talk through.

It keeps every frame in the order in which it came, and gives up waiting with what it was waiting for.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Any, Protocol

import anyio
import trio

from harness.wire.jsontext import dumps, loads

PATIENCE_S = 30.0
FULL: Mapping[str, Any] = {"approvalPolicy": "never", "sandbox": "danger-full-access", "ephemeral": True}
"""What a thread is started with where a check says nothing."""


@dataclass(frozen=True, slots=True)
class Options:
    """How a program is started. server: members of mcp_servers.computer-use; helper: settings of the rig; arguments:
    further words of the command line; wanted: whether an MCP server is configured at all; model: whether a
    model is."""

    server: Mapping[str, Any] = field(default_factory=dict)
    helper: Mapping[str, Any] = field(default_factory=dict)
    arguments: tuple[str, ...] = ()
    wanted: bool = True
    model: bool = True


class Helpers(Protocol):
    """What a back knows of the MCP servers that its program started."""

    def started(self) -> int: ...
    def alive(self) -> int: ...


class Connect(Protocol):
    """One back: starts the program, and says which version it is."""

    version: str

    def __call__(self, options: Options = Options()) -> AbstractAsyncContextManager[Client]: ...


class Client:
    """One session. frames: all that came; errors: standard error so far; tail: bytes after the last newline."""

    def __init__(self, process: anyio.abc.Process, version: str, helpers: Helpers, nursery: trio.Nursery) -> None:
        self.process = process
        self.version = version
        self.helpers = helpers
        self.frames: list[Any] = []
        self.raw: list[bytes] = []
        self.errors = b""
        self.thread_id = ""
        self.ended = trio.Event()
        self._errors_ended = trio.Event()
        self._next = 0
        self._taken = 0
        self._came = trio.Event()
        nursery.start_soon(self._read)
        nursery.start_soon(self._read_errors)

    async def _read(self) -> None:
        assert self.process.stdout is not None
        async for line in lines_of(self.process.stdout):
            self.raw.append(line)
            self.frames.append(loads(line.decode()))
            self._came.set()
        self.ended.set()
        self._came.set()

    async def _read_errors(self) -> None:
        assert self.process.stderr is not None
        async for data in self.process.stderr:
            self.errors += data
        self._errors_ended.set()

    # Out

    async def send_bytes(self, data: bytes) -> None:
        assert self.process.stdin is not None
        await self.process.stdin.send(data)

    async def send(self, value: Any) -> None:
        await self.send_bytes(dumps(value).encode() + b"\n")

    async def ask(self, method: str, params: Any = None, **members: Any) -> Any:
        """Send a request without waiting: its id."""
        self._next += 1
        id = members.pop("id", f"c{self._next}")
        await self.send({"method": method, "id": id, **({} if params is None else {"params": params}), **members})
        return id

    async def request(self, method: str, params: Any = None, **members: Any) -> Any:
        """Send a request: the whole reply frame."""
        return await self.reply(await self.ask(method, params, **members))

    # In

    async def reply(self, id: Any) -> Any:
        """The reply to this request, whenever it comes."""
        return await self.frame(lambda frame: "method" not in frame and same(frame.get("id"), id), f"a reply to {id!r}")

    async def frame(self, fits: Callable[[Any], bool], what: str) -> Any:
        """The first frame of all that fits. Raises AssertionError where none comes."""
        with trio.move_on_after(PATIENCE_S):
            while True:
                for frame in self.frames:
                    if fits(frame):
                        return frame
                if self.ended.is_set():
                    break
                self._came = trio.Event()
                await self._came.wait()
        raise AssertionError(f"saw no {what}; got {self.frames[-5:]!r}, standard error {self.errors[-300:]!r}")

    async def notice(self, method: str, **members: Any) -> Any:
        """The first notification or request of that method whose params have these members."""

        def fits(frame: Any) -> bool:
            params = frame.get("params", {})
            return frame.get("method") == method and all(params.get(key) == value for key, value in members.items())

        return await self.frame(fits, f"{method} with {members}")

    async def notice_of(self, method: str, id: int) -> Any:
        """The server's own request with that id."""
        return await self.frame(lambda frame: frame.get("method") == method and frame.get("id") == id, f"{method} {id}")

    def replies(self, id: Any) -> list[Any]:
        return [frame for frame in self.frames if "method" not in frame and same(frame.get("id"), id)]

    def place(self, fits: Callable[[Any], bool]) -> int:
        """Where the first frame stands that fits."""
        return next(index for index, frame in enumerate(self.frames) if fits(frame))

    # Whole steps

    async def initialize(self, capabilities: Any = None, initialized: bool = True) -> Any:
        params: dict[str, Any] = {"clientInfo": {"name": "check", "title": None, "version": "1"}}
        if capabilities is not None:
            params["capabilities"] = capabilities
        reply = await self.request("initialize", params)
        if initialized:
            await self.send({"method": "initialized"})
        return reply

    async def start(self, capabilities: Any = None, **params: Any) -> Any:
        """From the handshake to a thread: the result of thread/start."""
        await self.initialize(capabilities)
        return await self.thread(**params)

    async def thread(self, **params: Any) -> Any:
        reply = await self.request("thread/start", {**FULL, **params})
        self.thread_id = reply["result"]["thread"]["id"]
        return reply["result"]

    async def ready(self) -> Any:
        """The MCP server of the thread is up, or has failed."""
        return await self.frame(
            lambda frame: (
                frame.get("method") == "mcpServer/startupStatus/updated"
                and frame["params"]["threadId"] == self.thread_id
                and frame["params"]["status"] in ("ready", "failed")
            ),
            "ready or failed",
        )

    def call_params(self, tool: str, arguments: Any = None, **members: Any) -> dict[str, Any]:
        return {"threadId": self.thread_id, "server": "computer-use", "tool": tool, "arguments": arguments, **members}

    async def call(self, tool: str, arguments: Any = None, **members: Any) -> Any:
        """Call a tool: the whole reply frame."""
        return await self.request("mcpServer/tool/call", self.call_params(tool, arguments, **members))

    async def list(self, **params: Any) -> Any:
        members = {"threadId": self.thread_id, "detail": "toolsAndAuthOnly", **params}
        return await self.request("mcpServerStatus/list", members)

    async def finish(self) -> int:
        """Close stdin: the exit status."""
        assert self.process.stdin is not None
        await self.process.stdin.aclose()
        return await self.wait()

    async def wait(self) -> int:
        """The exit status, and everything that it wrote before."""
        with trio.fail_after(PATIENCE_S * 2):
            status = await self.process.wait()
            await self.ended.wait()
            await self._errors_ended.wait()
        return status


async def lines_of(stream: anyio.abc.ByteReceiveStream) -> AsyncIterator[bytes]:
    """The whole lines of a stream, without their newlines. A line of many reads is joined once."""
    tail: list[bytes] = []
    async for data in stream:
        first, *rest = data.split(b"\n")
        tail.append(first)
        for part in rest:
            yield b"".join(tail)
            tail = [part]


def same(left: Any, right: Any) -> bool:
    """Equal, and of one type: 1 is not "1", and not True."""
    return type(left) is type(right) and bool(left == right)


def expect(seen: Any, wanted: Any, what: str) -> None:
    """Raises AssertionError with both where they differ."""
    if not (type(seen) is type(wanted) and seen == wanted):
        raise AssertionError(f"{what}: saw {seen!r}; expected {wanted!r}")
