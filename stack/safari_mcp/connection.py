"""One driver, from its start to its verified end: process, handshake, requests one at a time.

A connection is one epoch: its handles mean nothing on another one. It runs as a task of the stack, so that its reader
and its end do not depend on the call that opened it. The first fault is kept and retires it; so does a request that
was given up while it was under way, because nobody could tell its late reply from the next one's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

import anyio
from anyio.abc import ByteReceiveStream, ByteSendStream, Process

from stack import computer_use
from stack.computer_use.programs import GONE, discard, pipes_of
from stack.computer_use.teardown import Tree
from stack.contract import Host, Json, Program
from stack.errors import CallError, Official, OfficialError, ProtocolError, SetupError, StackError
from stack.safari_mcp.capabilities import SETUP, Capabilities, read_capabilities
from stack.safari_mcp.settings import Settings
from stack.safari_mcp.wire import Asked, LineReader, Noticed, Refused, Replied, encode, read_message

ARGUMENTS: Final = ("--mcp",)
ENVIRONMENT: Final = {"PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "LANG": "en_US.UTF-8"}
"""All that the driver sees of the environment."""
OFFERED: Final = "2025-06-18"
ACCEPTED: Final = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
"""Revisions of MCP that begin with `initialize`; tools/list and tools/call are the same in all of them."""
CLIENT: Final[Mapping[str, Json]] = {"name": "trailcam", "version": "0.1.0"}
NOT_ALLOWED: Final = re.compile(r"(Tool error: )?Error Domain=WebDriverErrorDomain Code=6\b")
"""How Safari says that it has not been allowed to be automated. Source: trailcam facts, Safari MCP server, 1.1."""
TOO_OLD: Final = re.compile(r"usage:|--mcp", re.IGNORECASE)
"""What a driver says on its standard error that does not know the option: Safari 26 prints its usage."""
CLOSED: Final = "driver_closed"
_STDERR_BYTES: Final = 4096
_LAST_WORDS_S: Final = 1
_TOKEN: Final = 16
_TEXT: Final = 300


class Connection:
    """One driver. epoch: its name, never given twice. fault: why nothing more can be asked of it. problems: what its
    end could not show. ended: set by whoever runs it, once it has noted those."""

    def __init__(self, host: Host, settings: Settings) -> None:
        self.epoch = host.token(_TOKEN)
        self.fault: StackError | None = None
        self.problems: list[str] = []
        self.ended = anyio.Event()
        self._capabilities = Capabilities({})
        self._host = host
        self._settings = settings
        self._up = anyio.Event()
        self._retired = anyio.Event()
        self._news = anyio.Event()
        self._drained = anyio.Event()
        self._answers: list[Replied | Refused] = []
        self._awaited = 0
        self._asked = 0
        self._writing = anyio.Lock(fast_acquire=True)
        self._stderr = bytearray()
        self._stdin: ByteSendStream
        self._process: Process

    # Life

    async def run(self) -> None:
        """Start, stay until retired, clean up. A start that failed is the connection's fault."""
        with anyio.CancelScope(shield=True):
            try:
                await self._live(await self._start())
            except StackError as error:
                self.retire(error)
            finally:
                self._up.set()

    async def _start(self) -> Process:
        if self._settings.platform != "darwin":
            raise SetupError("safari_unsupported", f"there is no Safari for {self._settings.platform!r}; {SETUP}")
        try:
            return await self._host.start(Program.SAFARIDRIVER, ARGUMENTS, env=ENVIRONMENT, cwd="/")
        except FileNotFoundError as error:
            raise SetupError("driver_missing", f"safaridriver is not there; {SETUP}") from error
        except OSError as error:
            raise SetupError("driver_start_failed", f"safaridriver can't be started ({error.strerror})") from error

    async def _live(self, process: Process) -> None:
        limits = self._settings.deadlines
        ends = computer_use.settings.Deadlines(
            close=limits.close, terminate=limits.terminate, kill=limits.kill, poll=limits.check
        )
        tree, pipes = Tree(self._host, process, ends), pipes_of(process)
        self._process, self._stdin = process, pipes.stdin
        self._up.set()
        async with anyio.create_task_group() as readers:
            readers.start_soon(self._read, pipes.stdout)
            readers.start_soon(self._read_stderr, pipes.stderr)
            await self._retired.wait()
            await tree.end()
            self.problems += tree.problems
            readers.cancel_scope.cancel()
        await tree.close()

    def retire(self, why: StackError) -> None:
        """End the epoch. Whoever waits for an answer gets the first `why`; the driver's end goes on by itself."""
        if self.fault is None:
            self.fault = why
        self._retired.set()
        self._news.set()

    @property
    def live(self) -> bool:
        """Whether anything may still be asked of it."""
        return self.fault is None

    @property
    def misspoke(self) -> bool:
        """Whether it was retired for what a driver said that was there: that one is ended in order, and its tabs go."""
        return isinstance(self.fault, ProtocolError) and self.fault.code != CLOSED

    # Reading

    async def _read(self, stream: ByteReceiveStream) -> None:
        reader = LineReader(self._settings.bounds.message_bytes)
        while True:
            try:
                data = await stream.receive()
            except GONE:
                rest = f" within a message, after {reader.partial} bytes" if reader.partial else ""
                self.retire(ProtocolError(CLOSED, f"the driver's output ended{rest}"))
                return
            try:
                for line in reader.feed(data):
                    await self._accept(line)
            except StackError as error:
                self.retire(error)
                await discard(stream)  # a driver that could not write would not see the end of its input
                return

    async def _accept(self, line: bytes) -> None:
        message = read_message(line)
        if isinstance(message, Noticed):
            return
        if isinstance(message, Asked):
            await self._write({"id": message.id, **_answer_to(message)}, None)
            return
        if message.id != self._awaited:
            raise ProtocolError("driver_malformed", f"a reply to the id {message.id}, which waits for none")
        self._awaited = 0
        self._answers.append(message)
        self._news.set()

    async def _read_stderr(self, stream: ByteReceiveStream) -> None:
        """Drain it; its end is kept for the one case in which it explains a start that failed."""
        while True:
            try:
                self._stderr += await stream.receive()
            except GONE:
                self._drained.set()
                return
            del self._stderr[:-_STDERR_BYTES]

    # Asking

    async def _write(self, members: Mapping[str, Json], check: Callable[[], None] | None) -> None:
        """A line after the one that is being written: a write is whole only where nobody else writes meanwhile."""
        line = encode(members)
        async with self._writing:
            await self._send(line, check)

    async def _send(self, line: bytes, check: Callable[[], None] | None) -> None:
        if self.fault is not None:
            raise self.fault
        if check is not None:
            check()
        try:
            await self._stdin.send(line)
        except GONE as error:
            closed = ProtocolError(CLOSED, "the driver's input is closed")
            self.retire(closed)
            raise closed from error

    async def _request(
        self, method: str, params: Mapping[str, Json], check: Callable[[], None] | None = None
    ) -> Replied | Refused:
        self._asked += 1
        self._awaited, self._news = self._asked, anyio.Event()
        try:
            await self._write({"id": self._asked, "method": method, "params": dict(params)}, check)
            await self._news.wait()
        except anyio.get_cancelled_exc_class():
            self.retire(CallError("cancelled", f"{method} was given up while it was under way"))
            raise
        finally:
            self._awaited = 0
        if self.fault is not None and not self._answers:
            raise self.fault
        return self._answers.pop()

    async def open(self) -> None:
        """Wait until it is up, shake hands, and see what it can do."""
        await self._up.wait()
        try:
            await self._shake_hands()
        except StackError as error:
            self.retire(error)
            raise

    async def _shake_hands(self) -> None:
        greeting: dict[str, Json] = {"protocolVersion": OFFERED, "capabilities": {}, "clientInfo": dict(CLIENT)}
        try:
            hello = await self._request("initialize", greeting)
        except ProtocolError as error:
            if error.code != CLOSED:
                raise
            raise await self._early_end() from error
        if isinstance(hello, Refused):
            raise SetupError("handshake_refused", f"initialize was refused; {_versions(None)}", official=hello.official)
        version = hello.result.get("protocolVersion") if isinstance(hello.result, dict) else None
        if version not in ACCEPTED:
            raise SetupError("handshake_refused", _versions(version))
        await self._write({"method": "notifications/initialized"}, None)
        listed = await self._request("tools/list", {})
        if isinstance(listed, Refused):
            raise ProtocolError("driver_malformed", "tools/list was refused", official=listed.official)
        self._capabilities = read_capabilities(listed.result)

    async def _early_end(self) -> SetupError:
        """Why a driver ended before it had answered at all."""
        with anyio.move_on_after(_LAST_WORDS_S):
            await self._drained.wait()
        words = self._stderr.decode("utf-8", "replace").strip()
        if TOO_OLD.search(words):
            return SetupError("driver_too_old", f"this safaridriver does not know --mcp; {SETUP}")
        last = f": {words.splitlines()[-1][:_TEXT]}" if words else ""
        return SetupError("driver_start_failed", f"safaridriver ended at its start{last}")

    async def call(
        self, tool: str, arguments: Mapping[str, Json], check: Callable[[], None] | None = None
    ) -> tuple[str, ...]:
        """Call one of the driver's tools; the texts that it answers. `check` may raise immediately before the first
        byte is written: then nothing is.

        Raises OfficialError where the driver says that it failed, ProtocolError(driver_malformed) for an answer that is
        none, and the connection's fault.
        """
        named = self._capabilities.arguments(tool, arguments)
        answer = await self._request("tools/call", {"name": tool, "arguments": named}, check)
        if isinstance(answer, Refused):
            text = f"{tool} was refused: {answer.official.text[:_TEXT]}"
            raise OfficialError("driver_failed", text, official=answer.official)
        return _texts(tool, answer.result)


def _answer_to(message: Asked) -> dict[str, Json]:
    if message.method == "ping":
        return {"result": {}}
    return {"error": {"code": -32601, "message": "Method not found"}}


def _versions(seen: Json) -> str:
    said = "no protocol version" if seen is None else f"the protocol version {str(seen)[:40]!r}"
    return f"the driver answered with {said}; accepted are {', '.join(ACCEPTED)}"


def _texts(tool: str, result: Json) -> tuple[str, ...]:
    content = result.get("content") if isinstance(result, dict) else None
    if not isinstance(result, dict) or not isinstance(content, list):
        raise ProtocolError("driver_malformed", f"{tool} answered without a list of content", outcome="unknown")
    texts = []
    for block in content:
        text = block.get("text") if isinstance(block, dict) and block.get("type") == "text" else None
        if not isinstance(text, str):
            raise ProtocolError("driver_malformed", f"{tool} answered with content that is no text", outcome="unknown")
        texts.append(text)
    failed = result.get("isError", False)
    if not isinstance(failed, bool):
        raise ProtocolError("driver_malformed", f"{tool} answered with an isError that is no flag", outcome="unknown")
    if failed:
        _raise_failed(tool, "\n".join(texts))
    return tuple(texts)


def _raise_failed(tool: str, text: str) -> None:
    official = Official(None, text[:_TEXT])
    if NOT_ALLOWED.match(text):
        raise SetupError("automation_not_allowed", f"Safari may not be automated; {SETUP}", official=official)
    raise OfficialError("driver_failed", f"{tool} failed: {text[:_TEXT]}", official=official)
