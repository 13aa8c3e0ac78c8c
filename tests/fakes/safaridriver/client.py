"""An MCP client of safaridriver over any process: the one thing that the checks talk through."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Any, Protocol

import anyio
import trio

from harness.wire.jsontext import JsonTextError, dumps, loads

PATIENCE_S = 600.0
UNTIL_S, AGAIN_S = 30.0, 0.1
"""For how long, and how often, an answer is asked for again."""
HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "check", "version": "1"}}


@dataclass(frozen=True, slots=True)
class Options:
    """How a program is started. world: settings of the Safari that there is; settings: of the program; arguments: its
    command line; greet: whether the client goes through the handshake before the check."""

    world: Mapping[str, Any] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    arguments: tuple[str, ...] = ("--mcp",)
    greet: bool = True


class Connect(Protocol):
    """One back: starts the program, and says which profile it is. virtual: whether its time is exact."""

    profile: str
    virtual: bool

    def __call__(self, options: Options = Options()) -> AbstractAsyncContextManager[Client]: ...


@dataclass(frozen=True, slots=True)
class Result:
    """What a tool answered."""

    text: str
    is_error: bool

    @property
    def value(self) -> Any:
        """The JSON in the text."""
        try:
            return loads(self.text)
        except JsonTextError as problem:
            raise AssertionError(f"not JSON ({problem}): {self.text[:300]!r}") from None


class Client:
    """One session. frames: all that came. seen: what a back knows of the world, by its own means.
    patience_s: for one answer, and for the end of the program."""

    patience_s = PATIENCE_S

    def __init__(self, process: anyio.abc.Process, profile: str, nursery: trio.Nursery) -> None:
        self.process = process
        self.profile = profile
        self.frames: list[Any] = []
        self.raw = b""
        self.errors = b""
        self._next = 0
        self._ended = trio.Event()
        self._errors_ended = trio.Event()
        self._came = trio.Event()
        nursery.start_soon(self._read)
        nursery.start_soon(self._read_errors)

    async def _read(self) -> None:
        assert self.process.stdout is not None
        tail = b""
        async for data in self.process.stdout:
            self.raw += data
            *lines, tail = (tail + data).split(b"\n")
            self.frames += [self.heard(loads(line.decode())) for line in lines if line.startswith(b"{")]
            self._came.set()
        self._ended.set()
        self._came.set()

    def heard(self, frame: Any) -> Any:
        """A message as the checks take it."""
        return frame

    async def _read_errors(self) -> None:
        assert self.process.stderr is not None
        async for data in self.process.stderr:
            self.errors += data
        self._errors_ended.set()

    # Messages

    async def send(self, value: Any) -> None:
        assert self.process.stdin is not None
        await self.process.stdin.send(dumps(value).encode() + b"\n")

    async def ask(self, method: str, params: Any = None) -> int:
        """Send a request without waiting: its id."""
        self._next += 1
        await self.send({"jsonrpc": "2.0", "id": self._next, "method": method, "params": params or {}})
        return self._next

    async def reply(self, id: int) -> Any:
        """The reply to a request, whenever it comes. Raises AssertionError where none does."""
        with trio.move_on_after(self.patience_s):
            while True:
                for frame in self.frames:
                    if frame.get("id") == id:
                        return frame
                if self._ended.is_set():
                    break
                self._came = trio.Event()
                await self._came.wait()
        raise AssertionError(f"no reply to {id}; got {self.frames[-3:]!r}, standard error {self.errors[-300:]!r}")

    def answered(self, id: int) -> bool:
        return any(frame.get("id") == id for frame in self.frames)

    async def request(self, method: str, params: Any = None) -> Any:
        return await self.reply(await self.ask(method, params))

    # Steps

    async def greet(self) -> Any:
        """The handshake: the whole reply to initialize."""
        reply = await self.request("initialize", HELLO)
        await self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return reply

    async def begin(self, tool: str, **arguments: Any) -> int:
        """Call a tool without waiting: the id."""
        return await self.ask("tools/call", {"name": tool, "arguments": arguments})

    async def result(self, id: int) -> Result:
        """Of a call. Raises AssertionError for any shape but one block of text."""
        result = (await self.reply(id)).get("result")
        assert isinstance(result, dict), f"a JSON-RPC error, not a result: {self.frames[-1]!r}"
        (block,) = result["content"]
        assert sorted(block) == ["text", "type"] and block["type"] == "text", f"not a block of text: {block!r}"
        return Result(block["text"], result.get("isError", False))

    async def call(self, tool: str, **arguments: Any) -> Result:
        return await self.result(await self.begin(tool, **arguments))

    async def done(self, tool: str, **arguments: Any) -> Result:
        """A call that has to succeed."""
        result = await self.call(tool, **arguments)
        assert not result.is_error, f"{tool} failed: {result.text}"
        return result

    async def value(self, tool: str, **arguments: Any) -> Any:
        """The JSON of a call that has to succeed."""
        return (await self.done(tool, **arguments)).value

    async def until(self, wanted: Callable[[Any], bool], tool: str, **arguments: Any) -> Any:
        """The same, asked again until it is as wanted: for what no answer of the browser waits for.

        Raises AssertionError where it never is."""
        value = None
        with trio.move_on_after(UNTIL_S):
            while not wanted(value := await self.value(tool, **arguments)):
                await trio.sleep(AGAIN_S)
            return value
        raise AssertionError(f"{tool} {arguments!r} still answers {value!r}")

    async def failed(self, tool: str, **arguments: Any) -> str:
        """The text of a call that has to fail."""
        result = await self.call(tool, **arguments)
        assert result.is_error, f"{tool} succeeded: {result.text}"
        return result.text

    async def open(self, url: str) -> str:
        """A tab with a loaded page: its handle."""
        handle = (await self.value("create_tab", url=url))["handle"]
        await self.done("wait_for_navigation")
        assert isinstance(handle, str)
        return handle

    async def tree(self, **options: Any) -> list[str]:
        """Lines of the page's content."""
        content = (await self.value("get_page_content", **options))["content"]
        assert isinstance(content, str)
        return content.split("\n")

    async def uid(self, text: str, **options: Any) -> str:
        """The number of the first node whose line has this text."""
        for line in await self.tree(**options):
            if text in line and "uid=" in line:
                return line.partition("uid=")[2].split(" ")[0]
        raise AssertionError(f"no numbered node with {text!r} in {await self.tree(**options)!r}")

    async def act(self, type: str, **members: Any) -> Any:
        """One interaction: the reply's JSON."""
        return await self.value("page_interactions", interactions=[{"type": type, "purpose": "check", **members}])

    async def finish(self) -> int:
        """Close stdin: the exit status, when everything that it wrote has been read."""
        assert self.process.stdin is not None
        await self.process.stdin.aclose()
        return await self.wait()

    async def wait(self) -> int:
        with trio.fail_after(self.patience_s):
            status = await self.process.wait()
            await self._ended.wait()
            await self._errors_ended.wait()
        return status
