"""One app-server, from its start to its verified end: process, private home, reader, requests.

Separate from the sequence (sequence.py), which knows applications, leases and focus. The session runs as a task of
the stack, so that its reader and its cleanup do not depend on the call that opened it; the calls wait for what the
reader puts down. The first fault is kept and ends the session's use; the output is still read, so that the app-server
can exit, and model activity is still seen.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Mapping
from typing import Final, cast

import anyio
from anyio.abc import ByteReceiveStream, ByteSendStream, Process

from stack.computer_use import launch
from stack.computer_use.attestation import asked_for, attest, is_ephemeral
from stack.computer_use.inventory import Inventory, read_inventory
from stack.computer_use.programs import GONE, pipes_of
from stack.computer_use.protocol import (
    FATAL,
    INITIALIZE,
    INVENTORY,
    THREAD_START,
    TOOL_CALL,
    Asked,
    Conversation,
    Event,
    Kind,
    Refused,
    Replied,
    UnsupportedRequest,
)
from stack.computer_use.settings import SERVER, Settings
from stack.computer_use.teardown import Tree
from stack.computer_use.wire import LineReader, classify, decode
from stack.contract import Host, Json, Program
from stack.errors import DeadlineError, ProtocolError, SetupError, StackError

USER_AGENT: Final = re.compile(r"[^/]*/([0-9A-Za-z.+-]{1,32}) ")
"""The version in `<client>/<version> (<system>) …`."""
TWO_NUMBERS: Final = re.compile(r"([0-9]+)\.([0-9]+)(?![0-9A-Za-z])")
SERVER_NAME_SINCE: Final = (0, 171)
"""From this version on mcpServerStatus/list takes `serverName`, and inspects the thread's own helper."""
MODEL_ACTIVITY: Final = FATAL[Kind.MODEL]
CLOSED: Final = "connection_closed"
_STDERR_BYTES: Final = 2048
_TOKEN: Final = 16


class Session:
    """One app-server. dispatched: tool calls whose first byte may have been written."""

    def __init__(self, host: Host, settings: Settings, *, openai_forms: bool) -> None:
        self.openai_forms = openai_forms
        self.broker_version: str | None = None
        self.client_build: str | None = None
        self.ephemeral: bool | None = None
        self.dispatched = 0
        self.fault: StackError | None = None
        self.problems: list[str] = []
        self.up = anyio.Event()
        self.ended = anyio.Event()
        self.conversation = Conversation(settings.bounds.elicitations)
        self._host = host
        self._settings = settings
        self._ending = anyio.Event()
        self._news = anyio.Event()
        self._events: deque[Event] = deque()
        self._writing = anyio.Lock(fast_acquire=True)
        self._stderr = bytearray()
        self._home = ""
        self._work = ""
        self._tree: Tree
        self._stdin: ByteSendStream
        self._helpers: frozenset[int] = frozenset()
        self._drained = anyio.Event()
        self._when_over: Callable[[], None] | None = None

    # Life

    async def run(self) -> None:
        """Start, stay until `end`, clean up. A start that failed is the session's fault."""
        with anyio.CancelScope(shield=True):
            try:
                try:
                    await self._live(await self._start())
                except StackError as error:
                    self._fail(error)
                finally:
                    self._remove_folders()
            finally:
                self.up.set()
                self.ended.set()

    async def _start(self) -> Process:
        name = self._host.token(_TOKEN)
        try:
            self._home = self._host.make_folder(f"home-{name}")
            self._work = self._host.make_folder(f"work-{name}")
        except OSError as error:
            raise SetupError("state_unwritable", f"no private folder can be made ({error.strerror})") from error
        try:
            helper = self._host.path(Program.HELPER)
            arguments = launch.arguments(helper, self._settings.platform.helper_folder or self._work, self._settings)
            environment = launch.environment(self._home)
            return await self._host.start(Program.CODEX, arguments, env=environment, cwd=self._work)
        except OSError as error:
            code = "program_missing" if isinstance(error, FileNotFoundError) else "start_failed"
            raise SetupError(code, f"codex can't be started ({error.strerror})") from error

    async def _live(self, process: Process) -> None:
        tree, pipes = Tree(self._host, process, self._settings.deadlines), pipes_of(process)
        self._tree, self._stdin = tree, pipes.stdin
        self.up.set()
        async with anyio.create_task_group() as readers:
            readers.start_soon(self._read, pipes.stdout)
            readers.start_soon(self._read_stderr, pipes.stderr)
            await self._ending.wait()
            self.conversation.close()
            await tree.end()
            self.problems += tree.problems
            with anyio.move_on_after(self._settings.deadlines.late / 1000):
                await self._drained.wait()
            readers.cancel_scope.cancel()
        await tree.close()

    def _remove_folders(self) -> None:
        for path in (self._home, self._work):
            try:
                if path:
                    self._host.remove_folder(path)
            except OSError:
                self.problems.append("a private folder could not be removed")

    async def end(self) -> list[str]:
        """End it, and wait for the end; the problems, none where the cleanup is verified."""
        self._ending.set()
        await self.ended.wait()
        return self.problems

    # Reading

    async def _read(self, stream: ByteReceiveStream) -> None:
        reader = LineReader(self._settings.bounds.line_bytes)
        while True:
            try:
                data = await stream.receive()
            except GONE:
                break
            await self._accept(reader, data)
        rest = f" in the middle of a line, after {reader.partial} bytes" if reader.partial else ""
        self._fail(ProtocolError(CLOSED, f"the app-server's output ended{rest}"))
        self._drained.set()

    async def _accept(self, reader: LineReader, data: bytes) -> None:
        try:
            for line in reader.feed(data):
                await self._accept_line(line)
        except ProtocolError as error:
            self._fail(error)

    async def _accept_line(self, line: bytes) -> None:
        try:
            event = self.conversation.receive(classify(decode(line)))
        except UnsupportedRequest as error:
            with anyio.move_on_after(self._settings.deadlines.poll / 1000):
                await self._write(error.reply)
            self._fail(error)
        except ProtocolError as error:
            self._fail(error)
        else:
            if event is not None:
                self._events.append(event)
                self._tell()

    async def _read_stderr(self, stream: ByteReceiveStream) -> None:
        """Drain it; its end is kept for the one case in which it explains a start that failed."""
        while True:
            try:
                self._stderr += await stream.receive()
            except GONE:
                return
            del self._stderr[:-_STDERR_BYTES]

    def _fail(self, fault: StackError) -> None:
        """Keep the first fault; model activity outranks every other. Nothing but that is looked for from now on."""
        self.conversation.close()
        if self.fault is None or fault.code == MODEL_ACTIVITY:
            self.fault = fault
        self._tell()

    def _tell(self) -> None:
        self._news.set()
        self._news = anyio.Event()
        if self._when_over is not None and self.is_over:
            self._when_over()

    @property
    def violation(self) -> StackError | None:
        """What spoils even a reply that came before it: any fault but the end of the connection, or an odd notice."""
        return self.conversation.odd if self.fault is None or self.fault.code == CLOSED else self.fault

    async def next_event(self) -> Event:
        """The next event of the request in flight. Raises the session's fault."""
        while not self._events:
            if self.fault is not None:
                raise self.fault
            await self._news.wait()
        return self._events.popleft()

    @property
    def is_over(self) -> bool:
        """Whether the request in flight has its reply, or will have none."""
        return self.fault is not None or any(isinstance(event, Replied | Refused) for event in self._events)

    def when_over(self, tell: Callable[[], None] | None) -> None:
        """Have `tell` called once the request in flight is over; at once where it is. None: no longer."""
        self._when_over = tell
        if tell is not None and self.is_over:
            tell()

    # Asking

    async def _write(self, line: bytes) -> None:
        try:
            await self._in_turn(line)
        except (anyio.BrokenResourceError, anyio.ClosedResourceError) as error:
            raise ProtocolError(CLOSED, "the app-server's input is closed") from error

    async def _in_turn(self, line: bytes) -> None:
        """A line after the one that is being written: a write is whole only where nobody else writes meanwhile."""
        async with self._writing:
            await self._stdin.send(line)

    async def _request(self, method: str, params: Mapping[str, Json]) -> Json:
        if self.fault is not None:
            raise self.fault
        await self._write(self.conversation.request(method, params))
        event = cast("Replied | Refused", await self.next_event())  # LEGAL: only a tool call is asked back
        if isinstance(event, Refused):
            text = f"{method} was refused: {event.official.text}"
            raise ProtocolError("request_refused", text, official=event.official)
        return event.result

    async def _within(self, limit_ms: int, code: str, method: str, params: Mapping[str, Json]) -> Json:
        with anyio.move_on_after(limit_ms / 1000):
            return await self._request(method, params)
        raise DeadlineError(code, f"no answer to {method} within {limit_ms} ms")

    async def handshake(self) -> None:
        """initialize, initialized, thread/start, attestation."""
        deadlines = self._settings.deadlines
        client: dict[str, Json] = {
            "name": launch.CLIENT_NAME,
            "title": launch.CLIENT_NAME,
            "version": launch.CLIENT_VERSION,
        }
        capabilities: dict[str, Json] = {"mcpServerOpenaiFormElicitation": self.openai_forms}
        params: dict[str, Json] = {"clientInfo": client, "capabilities": capabilities}
        try:
            greeting = await self._within(deadlines.initialize, "initialize_timeout", INITIALIZE, params)
        except ProtocolError as error:
            if error.code == CLOSED:
                raise SetupError("start_failed", f"the app-server ended at its start{self._last_words()}") from error
            raise
        self.broker_version = _broker_version(greeting)
        await self._write(self.conversation.initialized())
        thread = asked_for(self._work, launch.CLIENT_NAME)
        started = await self._within(deadlines.thread_start, "thread_start_timeout", THREAD_START, thread)
        self.ephemeral = is_ephemeral(started)
        attest(started, self._work)

    def _last_words(self) -> str:
        words = [line.strip() for line in self._stderr.decode("utf-8", "replace").split("\n") if line.strip()]
        return f": {words[-1][:200]}" if words else ""

    async def inventory(self) -> Inventory:
        """List the helper's tools, and check them against the pinned ones."""
        params: dict[str, Json] = {"threadId": self.conversation.thread, "detail": "toolsAndAuthOnly"}
        if _at_least(self.broker_version, SERVER_NAME_SINCE):
            params["serverName"] = SERVER
        inventory = read_inventory(await self._request(INVENTORY, params), self._settings.inventory)
        self.client_build = inventory.client_build
        return inventory

    def check_helper(self) -> None:
        """ProtocolError(helper_dead) where the helper's processes of the first look have all gone: 0.144.2 says
        nothing of it, and lists the tools from a process of its own. SetupError where nothing can be told."""
        try:
            now = self._tree.look()
        except OSError as error:
            raise SetupError("start_failed", "the processes of the session can't be listed") from error
        if self._helpers and not self._helpers & now:
            raise ProtocolError("helper_dead", "the helper's process has gone")
        self._helpers = self._helpers & now or now

    async def dispatch(self, tool: str, arguments: Mapping[str, Json]) -> None:
        """Write one tool call. It counts as dispatched from before its first byte, since a write that fails or is
        taken back may have been read."""
        spoilt = self.fault or self.violation
        if spoilt is not None:
            raise spoilt
        params: dict[str, Json] = {
            "threadId": self.conversation.thread,
            "server": SERVER,
            "tool": tool,
            "arguments": dict(arguments),
        }
        line = self.conversation.request(TOOL_CALL, params)
        self.dispatched += 1
        await self._write(line)

    async def answer(self, asked: Asked, result: Mapping[str, Json]) -> None:
        """Answer one elicitation of the call in flight."""
        await self._write(self.conversation.answer(asked.id, result))


def _broker_version(greeting: Json) -> str | None:
    agent = greeting.get("userAgent") if isinstance(greeting, dict) else None
    found = USER_AGENT.match(agent) if isinstance(agent, str) else None
    return found[1] if found else None


def _at_least(version: str | None, wanted: tuple[int, int]) -> bool:
    """Whether a version begins with two numbers that are not below the wanted ones."""
    found = TWO_NUMBERS.match(version or "")
    return found is not None and (int(found[1]), int(found[2])) >= wanted
