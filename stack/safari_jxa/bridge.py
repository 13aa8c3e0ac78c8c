"""One osascript process: started once, asked line by line, ended by closing its input.

Separate from the wire, which says what lines mean; here are the deadlines, the pipes and the process. A request that
is given up stays given up: whatever comes for it later is dropped. A bridge that broke its protocol, or died, says the
same error for every request from then on.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Final

import anyio
from anyio.abc import ByteReceiveStream, Process, TaskGroup

from stack.contract import Host, Json, Program
from stack.safari_jxa import scripts
from stack.safari_jxa.errors import SAFARI_GONE, BridgeError, BridgeTimeout, StartRefused
from stack.safari_jxa.settings import Settings
from stack.safari_jxa.wire import Answered, Conversation, Ready, failed

ENVIRONMENT: Final[Mapping[str, str]] = {"PATH": "/usr/bin:/bin", "LC_ALL": "C"}
GONE = (anyio.EndOfStream, anyio.BrokenResourceError, anyio.ClosedResourceError)


class Bridge:
    """One bridge process. pid: of the Safari that it addresses."""

    def __init__(self, process: Process, settings: Settings) -> None:
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        self.pid = 0
        self._process = process
        self._stdin, self._stdout, self._stderr = process.stdin, process.stdout, process.stderr
        self._settings = settings
        self._wire = Conversation(settings.bounds.line_bytes)
        self._ready = anyio.Event()
        self._answer: Answered | None = None
        self._moved = anyio.Event()
        self._broken: BridgeError | None = None
        self._ended = False
        self._unanswered = False
        self._gone = False
        self._turn = anyio.Lock(fast_acquire=True)

    @classmethod
    async def start(cls, host: Host, settings: Settings, tasks: TaskGroup) -> Bridge:
        """Start osascript, wait for its first line, give it the page program, and choose the Safari. SafariError."""
        args = ["-l", "JavaScript", "-e", scripts.bridge()]
        try:
            process = await host.start(Program.OSASCRIPT, args, env=ENVIRONMENT, cwd="/")
        except (LookupError, OSError) as error:
            raise StartRefused("start_failed", f"osascript can't be started ({type(error).__name__})") from error
        bridge = cls(process, settings)
        tasks.start_soon(bridge._read)
        tasks.start_soon(_discard, bridge._stderr)
        try:
            await bridge._begin()
        except BaseException:
            with anyio.CancelScope(shield=True):
                await bridge.end()
            raise
        return bridge

    @property
    def usable(self) -> bool:
        """Whether it can be asked."""
        return self._broken is None and not self._ended

    @property
    def silent(self) -> bool:
        """Whether its last request has had no answer in time: it waits for Safari, or for ever."""
        return self._unanswered

    @property
    def lost(self) -> bool:
        """Whether the Safari that it addresses is gone; another one may run by now."""
        return self._gone

    async def _begin(self) -> None:
        limit_ms = self._settings.deadlines.ready
        with anyio.move_on_after(limit_ms / 1000):
            await self._ready.wait()
        self.check()
        if not self._ready.is_set():
            raise BridgeTimeout("bridge_timeout", f"osascript was not ready within {limit_ms} ms")
        started = await self.request("start", {"program": scripts.program()})
        pids = started.get("pids")
        if not isinstance(pids, list):
            raise self._break(failed("a start without process numbers"))
        self.pid = _choose([pid for pid in pids if isinstance(pid, int)], self._settings.pid)

    def check(self) -> None:
        """Raises BridgeError for a bridge that is over: what is asked of it is not written."""
        if self._broken is not None:
            raise BridgeError(self._broken.code, self._broken.seen)

    def _break(self, error: BridgeError) -> BridgeError:
        self._broken = self._broken or error
        return self._broken

    async def request(self, method: str, params: Mapping[str, Json], limit_ms: int | None = None) -> Mapping[str, Json]:
        """The result of one request, one after another. BridgeTimeout, BridgeCallError, or BridgeError for a bridge
        that is over."""
        async with self._turn:
            return await self._request(method, params, limit_ms)

    async def _request(self, method: str, params: Mapping[str, Json], limit_ms: int | None) -> Mapping[str, Json]:
        self.check()
        limit_ms = limit_ms or self._settings.deadlines.request
        self._answer = None
        line = self._wire.request(method, params)
        try:
            with anyio.move_on_after(limit_ms / 1000):
                await self._send(line)
                result = await self._answered()
                self._unanswered = False
                return result
            self._unanswered = True
            raise BridgeTimeout("bridge_timeout", f"{method} was not answered within {limit_ms} ms")
        finally:
            self._wire.give_up()

    async def _send(self, line: bytes) -> None:
        sent = False
        try:
            with suppress(*GONE):  # whoever waits for the answer is told
                await self._stdin.send(line)
                sent = True
        finally:
            if not sent:  # half a line would be read as one with the next
                self._break(failed("a request that was not written as a whole"))

    async def _answered(self) -> Mapping[str, Json]:
        while self._answer is None:
            self.check()
            await self._moved.wait()
        if self._answer.error is not None:
            self._gone = self._gone or self._answer.error.number in SAFARI_GONE
            raise self._answer.error
        return self._answer.result

    async def _read(self) -> None:
        try:
            while True:
                for event in self._wire.feed(await self._stdout.receive()):
                    if isinstance(event, Ready):
                        self._ready.set()
                    elif isinstance(event, Answered):
                        self._answer = event
                    self._move()
        except GONE:
            self._break(failed("osascript has ended"))
        except BridgeError as error:
            self._break(error)
        self._ready.set()
        self._move()
        await _discard(self._stdout)

    def _move(self) -> None:
        self._moved.set()
        self._moved = anyio.Event()

    async def end(self) -> None:
        """Close its input, wait, terminate, kill. Safe to call twice."""
        if self._ended:
            return
        self._ended = True
        self._break(failed("the bridge has been ended"))
        deadlines = self._settings.deadlines
        await self._stdin.aclose()
        if not await self._exited(deadlines.close):
            self._process.terminate()
            if not await self._exited(deadlines.terminate):
                self._process.kill()
                await self._exited(deadlines.kill)
        await self._stdout.aclose()
        await self._stderr.aclose()
        if self._process.returncode is not None:
            await self._process.aclose()

    async def _exited(self, limit_ms: int) -> bool:
        with anyio.move_on_after(limit_ms / 1000):
            await self._process.wait()
        return self._process.returncode is not None


def _choose(pids: list[int], wanted: int | None) -> int:
    """The Safari to address: the only one, or the one that was named."""
    if wanted is not None and wanted in pids:
        return wanted
    if wanted is not None or not pids:
        seen = f"process {wanted} is none of the running Safaris" if pids else "no Safari is running"
        raise StartRefused("safari_not_running", seen)
    if len(pids) > 1:
        raise StartRefused("several_safaris", f"{len(pids)} Safari processes are running: {', '.join(map(str, pids))}")
    return pids[0]


async def _discard(stream: ByteReceiveStream) -> None:
    """Read to the end and keep nothing: a pipe that is full would stop osascript."""
    while True:
        try:
            await stream.receive()
        except GONE:
            return
