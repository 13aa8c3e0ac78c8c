"""The one async pump: memory pipes and real pipes alike. It feeds a session, and writes what its steps gave.

What one step gave is written before the next step runs, so a client that does not read holds the program, as it would
hold a real one that writes to a full pipe.
"""
from __future__ import annotations

import math
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Protocol

import anyio
import trio
from anyio.abc import ByteReceiveStream, ByteSendStream

from harness.serve.alarm import Alarm
from harness.serve.session import Session

if TYPE_CHECKING:
    from harness.serve.outgoing import Output

BROKEN = (anyio.BrokenResourceError, anyio.ClosedResourceError, trio.BrokenResourceError, trio.ClosedResourceError)
SIGKILL = 9


class _Turn:
    """A turn at a session: where it is free it is taken at once, without a pass of the scheduler."""

    __slots__ = ("_lock",)

    def __init__(self, lock: trio.Lock) -> None:
        self._lock = lock

    async def __aenter__(self) -> None:
        try:
            self._lock.acquire_nowait()
        except trio.WouldBlock:
            await self._lock.acquire()

    async def __aexit__(self, *given: object) -> None:
        self._lock.release()


def _is_memory(stream: ByteSendStream) -> bool:
    """Whether a stream takes bytes at once, and is closed at once."""
    return getattr(stream, "offer", None) is not None


class Launcher(Protocol):
    """How a machine's children come to be: memory in a virtual run, the stub's own children in a process run."""

    async def spawn(self, pump: Pump, output: Output) -> None: ...
    async def kill(self, pump: Pump, wire: str, number: int) -> None: ...


class Pump:
    """Runs one session until its process ends.

    streams: ("stdio", "out") and so on to the stream that takes the bytes; a missing one discards them.
    dead: tells whether the process behind the session was killed meanwhile (a machine takes no step after that).
    """

    def __init__(
        self,
        session: Session,
        launcher: Launcher,
        streams: Mapping[tuple[str, str], ByteSendStream],
        *,
        dead: Callable[[], bool] = lambda: False,
    ) -> None:
        self.session = session
        self.streams = dict(streams)
        self.nursery: trio.Nursery
        self.started = False
        """Whether the process is up: before that a signal ends it, whatever its machine would do."""
        self._left = False
        self._launcher = launcher
        self._dead = dead
        self._turn = trio.Lock()
        self._alarm = Alarm()
        """Of the keeper of time; whoever makes something due earlier moves it."""
        self._writing = trio.CancelScope()
        self._killed = False
        session.nudge = self.nudge

    def nudge(self) -> None:
        """Something of the session changed: when its next step is due, or that there is none."""
        if self.session.status is not None:
            self._alarm.ring()
        elif (due := self.session.due()) is not None:
            self._alarm.by(due)

    def kill(self) -> None:
        """The process was killed: no further step, and a write that blocks is given up."""
        self.session.signal(SIGKILL, trio.current_time())
        self._killed = True
        self._writing.cancel()
        self._alarm.ring()

    async def delay(self, delay_ms: float) -> None:
        """The time that the program takes to start: it ends early where the process is killed meanwhile."""
        up = trio.current_time() + delay_ms / 1000
        while self.session.status is None and trio.current_time() < up:
            await self._alarm.sleep(up)

    async def run(
        self, stdin: ByteReceiveStream, argv: list[str], env: Mapping[str, str], ended: Callable[[int], Awaitable[None]]
    ) -> None:
        """From the start of the process to its end; `ended` gets the exit status (a signal's number negated)."""
        async with trio.open_nursery() as self.nursery:
            self.started = True
            async with _Turn(self._turn):
                if self.session.status is None:
                    self.session.begin(argv, env, trio.current_time())
                    await self._flush()
            if getattr(stdin, "over", False):  # closed before the start: nothing is left to wait for
                await self._feed("stdio", b"")
            elif self.session.status is None:
                self.read("stdio", stdin)
            await self._keep_time()
            if all(map(_is_memory, self.streams.values())):
                await self._leave(ended)  # nothing in it waits
            else:
                with trio.CancelScope(shield=True):
                    await self._leave(ended)
            self._left = True
            if self.nursery.child_tasks:
                self.nursery.cancel_scope.cancel()

    def task(self, function: Callable[..., Awaitable[object]], *args: object) -> None:
        """Run something beside the session, until its process has ended; after that there is nothing to do for it."""
        if not self._left:
            self.nursery.start_soon(function, *args)

    def read(self, wire: str, stream: ByteReceiveStream) -> None:
        """Feed the session with what comes from `stream`, until its end."""
        self.task(self._read, wire, stream)

    async def reaped(self, wire: str, status: int) -> None:
        """The child on `wire` has ended."""
        async with _Turn(self._turn):
            self.session.reaped(wire, status, trio.current_time())
            await self._flush()

    async def errors(self, data: bytes) -> None:
        """A real program behind this one wrote on its stderr."""
        async with _Turn(self._turn):
            self.session.errors(data, trio.current_time())
            await self._flush()

    async def signal(self, number: int) -> None:
        """A signal came from outside. SIGKILL does not wait for its turn."""
        if number == SIGKILL:
            self.kill()
            return
        async with _Turn(self._turn):
            self.session.signal(number, trio.current_time())
            await self._flush()

    async def _read(self, wire: str, stream: ByteReceiveStream) -> None:
        while wire not in self.session.unread or self.session.is_connection:  # whose end is seen without reading
            try:
                data = await stream.receive()
            except (anyio.EndOfStream, *BROKEN):
                data = b""
            if not await self._feed(wire, data):
                return

    async def _feed(self, wire: str, data: bytes) -> bool:
        """Hand over what came; none is the end. Whether more may come."""
        async with _Turn(self._turn):
            if self._gone():
                return False
            if data:
                self.session.feed(wire, data, trio.current_time())
            else:
                self.session.end(wire, trio.current_time())
            await self._flush()
        return bool(data)

    async def _keep_time(self) -> None:
        while self.session.status is None:
            due = self.session.due()
            await self._alarm.sleep(math.inf if due is None else due)
            async with _Turn(self._turn):
                while not self._gone():
                    due = self.session.due()
                    if due is None or due > trio.current_time():
                        break
                    self.session.tick(trio.current_time())
                    await self._flush()

    def _gone(self) -> bool:
        if self.session.status is None and self._dead():
            self.session.died(-SIGKILL)
        return self.session.status is not None

    async def _flush(self) -> None:
        for output in self.session.take():
            await self._carry_out(output)
        self.nudge()

    async def _carry_out(self, output: Output) -> None:
        match output:
            case ("write", wire, stream, data):
                await self._send(wire, stream, data)
            case ("close", wire, stream):
                target = self.streams.pop((wire, stream), None)
                if target:
                    await target.aclose()
            case ("spawn", *_):
                await self._launcher.spawn(self, output)
            case ("kill", wire, number):
                await self._launcher.kill(self, wire, number)

    async def _send(self, wire: str, stream: str, data: bytes) -> None:
        target = self.streams.get((wire, stream))
        if target is None or self._killed:
            return
        try:
            if _is_memory(target):
                data = data[target.offer(data) :]  # type: ignore[attr-defined]
            if data:
                with self._writing:
                    await target.send(data)
                self._writing = trio.CancelScope()
        except BROKEN:
            del self.streams[wire, stream]

    async def _leave(self, ended: Callable[[int], Awaitable[None]]) -> None:
        status = self.session.status
        assert status is not None
        for target in self.streams.values():
            await target.aclose()
        await ended(status)
