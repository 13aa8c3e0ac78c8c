"""Channels: sessions without a process of their own, whose other end is a program of the stack's own side.

A fake browser starts our native host and talks to it. The host is no fake, so it is no machine: it is a coroutine on
memory pipes in a virtual run, and a real child of the browser's stub in a process run. What the browser says to it and
hears from it is one channel: a session of the browser's side whose `stdio` leads to the host. So the bytes are in the
journal, and faults strike them, as on any wire (`<<` from the browser, `>>` from the stack).

The host is in the journal as a process of its own that has a start, arguments, standard error and an end. For the
channel's machine it is the child on the wire `host`: `Signal("host", 9)` kills it, `reaped("host", status)` tells that
it has ended, and the end of its standard output is `ended("stdio")`.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import anyio
import trio
from anyio.abc import ByteReceiveStream, ByteSendStream

from harness.serve.machine import Given, Silent
from harness.serve.memory import Pipe, Reader, Writer
from harness.serve.pump import Pump
from harness.serve.session import Session
from harness.serve.stage import Stage

if TYPE_CHECKING:
    from harness.faults.steps import Start

OTHER_END = "host"
"""The name under which a channel's machine knows the program at its other end."""
ENDING_MS = 1.0
"""What a program takes from its last words to its end, in virtual time: they are read before that is known."""
SIGKILL = 9


class Channel(NamedTuple):
    """What is at the other end. program: its name in the journal. main: dotted name of a coroutine function
    `(host, argv, stdin, stdout, stderr) -> exit status`. command: dotted name of `(argv, host) -> exit status`, which
    runs the same as a process. start_ms: what its start costs in virtual time."""

    program: str
    main: str
    command: str
    start_ms: float = 0


class Guest(Silent):
    """The machine of a program of the stack's side: it only stands in the journal, and takes no step."""

    def __init__(self, given: Given) -> None:
        super().__init__(given)
        self.wires: Mapping[str, str] = {"stdio": "lines"}


def guests(channels: Mapping[str, Channel]) -> dict[str, str]:
    """Program -> machine, for the programs at the other ends."""
    return {channel.program: "harness.serve.channel:Guest" for channel in channels.values()}


class Open:
    """One open channel: its session and pump, and the session of the program at its other end. The environment of the
    step that starts it is the channel's alone: browsers give their hosts none."""

    def __init__(self, stage: Stage, launcher: Any, session: Session, channel: Channel, step: Start) -> None:
        self.stage = stage
        self.session = session
        self.argv = list(step.argv)
        self.env = dict(step.env)
        self.guest = stage.open(channel.program, parent=session.parent)
        stage.write(self.guest.p, "started", program=channel.program, argv=self.argv, env=[], parent=session.parent)
        self._launcher = launcher
        self.pump: Pump | None = None

    async def run(self, into: ByteSendStream, out_of: ByteReceiveStream) -> None:
        """Until the browser's side has closed the channel, or has died. into, out_of: the program's standard input and
        output."""
        self.pump = Pump(self.session, self._launcher, {("stdio", "out"): into})

        async def closed(status: int) -> None:
            await into.aclose()
            await out_of.aclose()

        try:
            await self.pump.run(out_of, self.argv, self.env, closed)
        finally:
            self.session.died(-SIGKILL)  # where the process that has the channel died first
            with trio.CancelScope(shield=True):
                await closed(0)

    def complained(self, data: bytes) -> None:
        """The program wrote on its standard error."""
        self.stage.write_bytes(self.guest.p, "stdio", "err", data, [], None)

    async def reaped(self, status: int) -> None:
        """The program has ended."""
        self.guest.died(status)
        if self.pump is not None:
            await self.pump.reaped(OTHER_END, status)


class Inside:
    """The programs of the stack's side of a virtual run, as coroutines.

    new_host: makes the host that such a program gets; its argument is the number of the process that started it. reads:
    what such a program has as its standard input, made of the real one; a broken stack's is another.
    """

    def __init__(
        self,
        stage: Stage,
        nursery: trio.Nursery,
        channels: Mapping[str, Channel],
        mains: Mapping[str, Callable[..., Any]],
        new_host: Callable[[int], Any],
        reads: Callable[[ByteReceiveStream], ByteReceiveStream] = lambda stream: stream,
    ) -> None:
        self._stage = stage
        self._nursery = nursery
        self._channels = channels
        self._mains = mains
        self._new_host = new_host
        self._reads = reads
        self._scopes: dict[int, tuple[trio.CancelScope, Mortal]] = {}

    def has(self, program: str) -> bool:
        return program in self._channels

    def spawn(self, launcher: Any, child: Session, step: Start) -> None:
        """Open the channel `child`, and start what is at its other end."""
        self._stage.open(child.program, parent=child.parent)
        channel = self._channels[child.program]
        opened = Open(self._stage, launcher, child, channel, step)
        stdin, stdout = Pipe(), Pipe()
        self._nursery.start_soon(opened.run, Writer(stdin), Reader(stdout))
        self._nursery.start_soon(self._play, opened, channel, self._mains[child.program], stdin, stdout)

    async def _play(
        self, opened: Open, channel: Channel, main: Callable[..., Any], stdin: Pipe, stdout: Pipe
    ) -> None:
        scope, host = trio.CancelScope(), Mortal(self._new_host(opened.session.parent or 0))
        self._scopes[opened.session.p] = scope, host
        status: int = -SIGKILL
        with scope:
            await trio.sleep(channel.start_ms / 1000)
            status = await main(host, opened.argv, self._reads(Reader(stdin)), Writer(stdout), Errors(opened))
            await trio.sleep(ENDING_MS / 1000)
        stdin.close_reader()
        stdout.close_writer()
        await opened.reaped(status)

    def kill(self, session: Session, number: int) -> bool:
        """Kill what is at the other end of a channel; False where the session is none. Only SIGKILL is ever sent."""
        if session.p not in self._scopes:
            return False
        scope, host = self._scopes[session.p]
        host.dead = True
        scope.cancel()
        return True


class Mortal:
    """The host of a coroutine that may be killed: what its `finally` blocks would still write is not written, since a
    process that is killed has none. Its sockets are closed all the same, as the system does."""

    def __init__(self, host: Any) -> None:
        self._host = host
        self.dead = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._host, name)

    def publish(self, name: str, data: bytes) -> None:
        if not self.dead:
            self._host.publish(name, data)

    def withdraw(self, name: str) -> None:
        if not self.dead:
            self._host.withdraw(name)

    def append_private(self, name: str, line: bytes) -> None:
        if not self.dead:
            self._host.append_private(name, line)


class Errors(ByteSendStream):
    """Standard error of a coroutine that stands for a program."""

    def __init__(self, opened: Open) -> None:
        self._opened = opened

    async def send(self, item: bytes) -> None:
        self._opened.complained(item)
        await anyio.lowlevel.checkpoint()

    async def aclose(self) -> None:
        await anyio.lowlevel.checkpoint()


LAUNCHER = """#!{python}
import sys
sys.path[:0] = [{code!r}]
from pathlib import Path
from harness.serve.dotted import resolve
host = resolve({host!r})({{}}, folder=Path({folder!r}), locks=Path({locks!r}), meeting=Path({meeting!r}))
raise SystemExit(resolve({command!r})(sys.argv[1:], host))
"""
"""The executable of a program of the stack's side in a run folder."""
