"""Process mode: real children hand over their pipes, and their machines run here, in the stage's one process and order.

Protocol of the socket: harness/serve/stub.py. A machine takes no step after its process has died: on Linux a pidfd
tells, elsewhere the closed control socket.
"""
from __future__ import annotations

import array
import os
import select
import socket
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio
import trio
from anyio.abc import ByteReceiveStream, ByteSendStream

from harness.faults.steps import Start
from harness.serve.channel import Open
from harness.serve.pump import Pump
from harness.serve.services import Services
from harness.serve.session import Session
from harness.serve.sockets import Socket
from harness.serve.stage import Stage
from harness.serve.stub import SOCKET
from harness.tape.event import line
from harness.wire.jsontext import loads

if TYPE_CHECKING:
    from harness.serve.channel import Channel
    from harness.serve.outgoing import Output

READ = 65536
LOOPBACK = "127.0.0.1"
ORPHAN = 255
"""What stands for the exit status of a process whose parent ended before it: nobody can know it."""
HELD_MS = 1000
"""How long a real program's stderr may be held open after its end."""


class Descriptor(ByteSendStream, ByteReceiveStream):
    """One end of a real pipe as a stream."""

    def __init__(self, descriptor: int) -> None:
        self._stream = trio.lowlevel.FdStream(descriptor)

    async def send(self, item: bytes) -> None:
        await self._stream.send_all(item)

    async def receive(self, max_bytes: int = READ) -> bytes:
        data = await self._stream.receive_some(max_bytes)
        if not data:
            raise anyio.EndOfStream
        return data

    async def aclose(self) -> None:
        await self._stream.aclose()


class Control:
    """The control socket of one stub: messages with the descriptors that came with them."""

    def __init__(self, connection: trio.socket.SocketType) -> None:
        self._connection = connection
        self._tail = b""
        self._descriptors: list[int] = []
        self._lines: list[bytes] = []

    async def receive(self) -> tuple[dict[str, Any], list[int]] | None:
        """The next message; None where the stub is gone."""
        while not self._lines:
            try:
                data, ancillary, _, _ = await self._connection.recvmsg(READ, socket.CMSG_SPACE(4 * 8))
            except OSError:
                data, ancillary = b"", []
            for level, kind, rights in ancillary:
                if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS):
                    numbers = array.array("i")
                    numbers.frombytes(rights[: len(rights) - len(rights) % numbers.itemsize])
                    self._descriptors += numbers
            if not data:
                return None
            *self._lines, self._tail = (self._tail + data).split(b"\n")
        message: Any = loads(self._lines.pop(0).decode())
        count = message.get("fds", 0)
        taken, self._descriptors = self._descriptors[:count], self._descriptors[count:]
        return message, taken

    async def send(self, message: dict[str, Any]) -> None:
        data = line(message).encode() + b"\n"
        try:
            while data:
                data = data[await self._connection.send(data) :]
        except OSError:
            return

    def close(self) -> None:
        for descriptor in self._descriptors:
            os.close(descriptor)
        self._connection.close()


class Child:
    """One stub: its session, its pump, and what the pump asks of it."""

    def __init__(self, hosted: Hosted, control: Control) -> None:
        self.hosted = hosted
        self.control = control
        self.spawned: dict[str, trio.Event] = {}
        self.channels: dict[str, Open] = {}
        self.silent = trio.Event()
        self.silent.set()

    async def serve(self) -> None:
        first = await self.control.receive()
        if first is None:
            return
        hello, (stdin, stdout, stderr) = first
        stage = self.hosted.stage
        parent = self.hosted.by_pid.get(hello["ppid"])
        session = stage.open(hello["hello"], parent=parent.p if parent else None)
        self.hosted.by_pid[hello["pid"]] = session
        stage.pids[session.p] = hello["pid"]
        streams = [Descriptor(number) for number in (stdin, stdout, stderr)]
        died = _death_of(hello["pid"])
        self.pump = Pump(
            session, self, {("stdio", "out"): streams[1], ("stdio", "err"): streams[2]}, dead=died.known
        )
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._listen)
                await self.pump.run(streams[0], hello["argv"], hello["env"], self._ended)
                nursery.cancel_scope.cancel()
        finally:
            with trio.CancelScope(shield=True):
                for stream in streams:
                    await stream.aclose()
            died.close()
            self.hosted.close_door(session.p)
            self.hosted.by_pid.pop(hello["pid"], None)

    async def _ended(self, status: int) -> None:
        self.hosted.close_door(self.pump.session.p)  # before anybody can know of the end
        await self.control.send({"exit": status})

    async def _listen(self) -> None:
        while (got := await self.control.receive()) is not None:
            message, descriptors = got
            if "signal" in message:
                self.pump.task(self.pump.signal, message["signal"])
            elif "spawned" in message:
                self._linked(message["spawned"], message["pid"], descriptors)
            elif "reaped" in message:
                self.pump.task(self._reaped, message["reaped"], message["status"])
        self.pump.kill()

    def _linked(self, wire: str, pid: int, descriptors: list[int]) -> None:
        stdin, stdout, *rest = map(Descriptor, descriptors)
        channel = self.channels.get(wire)
        if channel is not None:
            self.pump.task(channel.run, stdin, stdout)
            self.pump.task(self._complain, channel, rest[0])
            self.hosted.watch(pid, self.pump.session, channel)
            self.spawned.pop(wire).set()
            return
        self.pump.streams[wire, "out"] = stdin
        self.pump.read(wire, stdout)
        if rest:
            self.silent = trio.Event()
            self.pump.task(self._copy_errors, rest[0])
        self.spawned.pop(wire).set()

    async def _copy_errors(self, stream: Descriptor) -> None:
        async for data in stream:
            await self.pump.errors(data)
        self.silent.set()

    async def _complain(self, channel: Open, stream: Descriptor) -> None:
        async for data in stream:
            channel.complained(data)

    async def _reaped(self, wire: str, status: int) -> None:
        """A real program's last words on stderr come before its end, unless a child of its own holds the pipe."""
        if wire in self.channels:
            await self.channels[wire].reaped(status)
            return
        with trio.move_on_after(HELD_MS / 1000):
            await self.silent.wait()
        await self.pump.reaped(wire, status)

    # Launcher

    async def spawn(self, pump: Pump, output: Output) -> None:
        _, wire, child, step = output
        channel = self.hosted.channels.get(child.program) if child is not None else None
        if channel is not None:
            self.hosted.stage.open(child.program, parent=child.parent)
            self.channels[wire] = Open(self.hosted.stage, self, child, channel, step)
            path = str(self.hosted.folder / channel.program)
            await self._spawn(wire, path, Start(wire, step.program, step.argv), real=True)
            return
        real = child is None
        await self._spawn(wire, step.program if real else str(self.hosted.folder / step.program), step, real=real)

    async def _spawn(self, wire: str, path: str, step: Start, *, real: bool) -> None:
        self.spawned[wire] = event = trio.Event()
        environment = dict(step.env) or None
        await self.control.send(
            {"spawn": wire, "path": path, "argv": list(step.argv), "env": environment, "errors": real}
        )
        await event.wait()

    async def kill(self, pump: Pump, wire: str, number: int) -> None:
        for name, channel in self.channels.items():
            if channel.session is pump.session:
                wire = name
        await self.control.send({"kill": wire, "number": number})


class Hosted:
    """The stage's side of a run folder."""

    def __init__(
        self,
        stage: Stage,
        folder: Path,
        channels: Mapping[str, Channel] | None = None,
        services: Services | None = None,
    ) -> None:
        self.stage = stage
        self.services = services
        self.folder = folder
        self.channels: Mapping[str, Channel] = channels or {}
        self.by_pid: dict[int, Session] = {}
        self._nursery: trio.Nursery | None = None
        self._doors: dict[int, tuple[trio.socket.SocketType, trio.CancelScope]] = {}
        if services is not None:
            stage.open_door = self._open_door

    def _open_door(self, p: int, program: str, port: int) -> None:
        """Take connections for process `p` from now on; the port is taken before this returns. Raises OSError."""
        assert self._nursery is not None, "a stub has connected, so the stage serves"
        door = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        try:
            door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            door.bind((LOOPBACK, port))
            door.listen(64)
        except OSError:
            door.close()
            raise
        listener, scope = self._doors[p] = trio.socket.from_stdlib_socket(door), trio.CancelScope()
        self._nursery.start_soon(self._let_in, listener, program, scope)

    async def _let_in(self, door: trio.socket.SocketType, program: str, scope: trio.CancelScope) -> None:
        with door, scope:
            async with trio.open_nursery() as nursery:
                while True:
                    connection, _ = await door.accept()
                    nursery.start_soon(self._connected, connection, program)

    async def _connected(self, connection: trio.socket.SocketType, program: str) -> None:
        """One connection: a fault may refuse it, or keep it waiting, and the others come in all the same."""
        assert self.services is not None
        try:
            session = await self.services.connect(self.services.address(program))
        except (ConnectionRefusedError, trio.Cancelled) as gone:
            connection.close()
            if isinstance(gone, trio.Cancelled):
                raise
            return
        self.services.serve(session, Socket(connection))

    def close_door(self, p: int) -> None:
        """Process `p` has ended: nobody listens for it any more."""
        if p in self._doors:
            listener, scope = self._doors.pop(p)
            scope.cancel()
            listener.close()

    def watch(self, pid: int, parent: Session, channel: Open) -> None:
        """See the end of a program of the stack's side also where the process that started it ended first; where the
        system can't tell (all but Linux), it then counts as still running."""
        if sys.platform == "linux" and self._nursery is not None:
            self._nursery.start_soon(self._see_end, pid, parent, channel)

    async def _see_end(self, pid: int, parent: Session, channel: Open) -> None:
        try:
            descriptor = os.pidfd_open(pid)
        except ProcessLookupError:
            descriptor = None
        if descriptor is not None:
            try:
                await trio.lowlevel.wait_readable(descriptor)
            finally:
                os.close(descriptor)
        if parent.status is not None:  # else the stub that is its parent tells, with the status
            channel.guest.died(ORPHAN)

    async def serve(self, *, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Serve stubs until cancelled. The socket is the owner's alone, since its folder is."""
        listener = trio.socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        path = self.folder / SOCKET
        await listener.bind(str(path))
        listener.listen(64)
        task_status.started()
        try:
            async with trio.open_nursery() as nursery:
                self._nursery = nursery
                while True:
                    connection, _ = await listener.accept()
                    nursery.start_soon(self._one, connection)
        finally:
            listener.close()
            path.unlink(missing_ok=True)

    async def _one(self, connection: trio.socket.SocketType) -> None:
        control = Control(connection)
        try:
            await Child(self, control).serve()
        finally:
            control.close()


class _Death:
    def __init__(self, known: Callable[[], bool], close: Callable[[], None]) -> None:
        self.known = known
        self.close = close


def _death_of(pid: int) -> _Death:
    """Tells at once whether process `pid` has ended, where the system can tell (Linux); else never."""
    if sys.platform != "linux":
        return _Death(lambda: False, lambda: None)
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return _Death(lambda: True, lambda: None)
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return _Death(lambda: bool(poll.poll(0)), lambda: os.close(descriptor))


