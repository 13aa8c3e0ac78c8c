"""A Host in memory whose programs are played from scripts: every refusal and deadline without a fake or a process.

A script is an async function of the process that returns its exit status. `AppServer` is the script of `codex`:
rows of steps by method, each of which a test can replace. Time is trio's mock clock, so nothing here waits.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import anyio
from anyio.abc import ByteReceiveStream, ByteSendStream, ByteStream, Listener, Process, TaskGroup

from stack.computer_use import ComputerUse
from stack.contract import Answer, Application, Lease, Program, Question

T = TypeVar("T")
Stage: TypeAlias = "tuple[ScriptedHost, ComputerUse]"
CHESS = Application("com.apple.Chess", "/Applications/Chess.app", ("Chess",))
TEXTEDIT = Application("com.apple.TextEdit", "/System/Applications/TextEdit.app", ("TextEdit",))
DEADLY = (9, 15)


class Pipe(ByteReceiveStream, ByteSendStream):
    """One way in memory, which one task may send into at a time. broken: the reader has gone; full: whoever sends waits
    for ever."""

    def __init__(self) -> None:
        self.data = bytearray()
        self.ended = self.broken = self.full = False
        self._moved = anyio.Event()
        self._guard = anyio.ResourceGuard("writing to")

    def _move(self) -> None:
        self._moved.set()
        self._moved = anyio.Event()

    async def send(self, item: bytes) -> None:
        with self._guard:
            await anyio.lowlevel.checkpoint()
            if self.full:
                await anyio.sleep_forever()
        if self.broken:
            raise anyio.BrokenResourceError
        if self.ended:
            raise anyio.ClosedResourceError
        self.data += item
        self._move()

    async def receive(self, max_bytes: int = 65536) -> bytes:
        await anyio.lowlevel.checkpoint()
        while not self.data:
            if self.ended:
                raise anyio.EndOfStream
            await self._moved.wait()
        taken = bytes(self.data[:max_bytes])
        del self.data[:max_bytes]
        return taken

    def end(self) -> None:
        self.ended = True
        self._move()

    async def aclose(self) -> None:
        self.end()


class ScriptedProcess(Process):
    """One played process. ignores: signals that do not end it, 9 among them if need be."""

    def __init__(self, host: ScriptedHost, program: str, args: Sequence[str], env: Mapping[str, str], cwd: str) -> None:
        self.host, self.program, self.args, self.env, self.cwd = host, program, list(args), dict(env), cwd
        self.ignores: set[int] = set()
        self.signals: list[int] = []
        self.parent: int | None = None
        self.closed = False
        self._pid = host.next_pid()
        self._status: int | None = None
        self._over = anyio.Event()
        self._in, self._out, self._err = Pipe(), Pipe(), Pipe()
        self._scope = anyio.CancelScope()
        self._rest = bytearray()

    # What a script does

    async def line(self) -> bytes | None:
        """The next line of its input, None at the end of it."""
        while b"\n" not in self._rest:
            try:
                self._rest += await self._in.receive()
            except anyio.EndOfStream:
                return None
        found, _, rest = bytes(self._rest).partition(b"\n")
        self._rest[:] = rest
        return found

    async def say(self, data: bytes) -> None:
        await self._out.send(data)

    async def complain(self, data: bytes) -> None:
        await self._err.send(data)

    # What the stack does

    async def play(self, script: Script) -> None:
        status = -9
        with self._scope:
            status = await script(self)
        if self._status is None:
            self.exit(status)

    def exit(self, status: int) -> None:
        self._status = status
        self._in.broken = True
        self._out.end()
        self._err.end()
        self._over.set()
        self._scope.cancel()

    async def wait(self) -> int:
        await self._over.wait()
        return self._status if self._status is not None else -9

    def send_signal(self, signal: int) -> None:
        self.signals.append(int(signal))
        if self._status is None and signal not in self.ignores and signal in DEADLY:
            self.exit(-int(signal))

    def terminate(self) -> None:
        self.send_signal(15)

    def kill(self) -> None:
        self.send_signal(9)

    async def aclose(self) -> None:
        assert self._status is not None, f"{self.program} is closed while it runs"
        self.closed = True
        await anyio.lowlevel.checkpoint()

    @property
    def pid(self) -> int:
        return self._pid

    @property
    def returncode(self) -> int | None:
        return self._status

    @property
    def stdin(self) -> Pipe:
        return self._in

    @property
    def stdout(self) -> Pipe:
        return self._out

    @property
    def stderr(self) -> Pipe:
        return self._err


Script: TypeAlias = Callable[[ScriptedProcess], Awaitable[int]]


@dataclass
class HeldLease:
    locks: set[str]
    name: str
    fails: bool

    def release(self) -> None:
        if self.fails:
            raise OSError(5, "Input/output error")
        self.locks.discard(self.name)


class ScriptedHost:
    """scripts: by program. installed: the applications. fails: names of methods here that raise OSError."""

    def __init__(self, tasks: TaskGroup, scripts: Mapping[Program, Script]) -> None:
        self.folder = Path("/scripted")
        self.scripts = dict(scripts)
        self.installed: tuple[Application, ...] = (CHESS, TEXTEDIT)
        self.fails: set[str] = set()
        self.processes: list[ScriptedProcess] = []
        self.folders: set[str] = set()
        self.audit: list[dict[str, Any]] = []
        self.locks: set[str] = set()
        self.heard: list[dict[str, Any]] = []
        self._tasks = tasks
        self._pid = 100
        self._tokens = 0

    def next_pid(self) -> int:
        self._pid += 1
        return self._pid

    def of(self, program: Program, *first: str) -> list[ScriptedProcess]:
        """The processes of a program, those whose arguments begin so."""
        return [p for p in self.processes if p.program == program and p.args[: len(first)] == [*first]]

    def running(self) -> list[str]:
        return [process.program for process in self.processes if process.returncode is None]

    def _may(self, name: str) -> None:
        if name in self.fails:
            raise OSError(5, "Input/output error")

    def path(self, program: Program) -> str:
        if program not in self.scripts:
            raise LookupError(program)
        return f"/scripted/bin/{program}"

    async def start(
        self, program: Program, args: Sequence[str], *, env: Mapping[str, str], cwd: str
    ) -> ScriptedProcess:
        await anyio.lowlevel.checkpoint()
        self._may(f"start {program}")
        if f"missing {program}" in self.fails:
            raise FileNotFoundError(2, "No such file or directory")
        script = self.scripts[program]
        return self.spawn(program, args, script, env=env, cwd=cwd)

    def spawn(
        self,
        program: str,
        args: Sequence[str],
        script: Script,
        *,
        env: Mapping[str, str] | None = None,
        cwd: str = "/",
        parent: int | None = None,
    ) -> ScriptedProcess:
        """Also for what a script starts as a child."""
        process = ScriptedProcess(self, str(program), args, env or {}, cwd)
        process.parent = parent
        self.processes.append(process)
        self._tasks.start_soon(process.play, script)
        return process

    def tree(self, pid: int) -> tuple[int, ...]:
        self._may("tree")
        found = {pid}
        for process in self.processes:
            if process.parent in found:
                found.add(process.pid)
        return tuple(p.pid for p in self.processes if p.pid in found and p.returncode is None)

    def signal(self, pid: int, number: int) -> None:
        self._may("signal")
        (process,) = [p for p in self.processes if p.pid == pid]
        if process.returncode is not None:
            raise ProcessLookupError(3, "No such process")
        process.send_signal(number)

    async def dial(self, address: str) -> ByteStream:
        raise PermissionError(13, "nothing is dialled here", address)

    async def listen(self, address: str) -> Listener[ByteStream]:
        raise PermissionError(13, "nothing is listened on here", address)

    def token(self, length: int) -> str:
        self._tokens += 1
        return f"{self._tokens:0{length}x}"

    def date(self) -> datetime:
        return datetime(2026, 1, 1, tzinfo=UTC)

    def make_folder(self, name: str) -> str:
        self._may("make_folder")
        path = str(self.folder / name)
        self.folders.add(path)
        return path

    def remove_folder(self, path: str) -> None:
        self._may("remove_folder")
        self.folders.remove(path)

    def append_private(self, name: str, line: bytes) -> None:
        self._may("append_private")
        assert line.endswith(b"\n")
        assert line.count(b"\n") == 1
        self.audit.append(json.loads(line))

    def try_lock(self, name: str) -> Lease | None:
        self._may("try_lock")
        if name in self.locks:
            return None
        self.locks.add(name)
        return HeldLease(self.locks, name, "release" in self.fails)

    meeting = Path("/scripted/meeting")

    def publish(self, name: str, data: bytes) -> None:
        raise PermissionError(13, "nothing is published here", name)

    def published(self) -> Mapping[str, bytes]:
        return {}

    def withdraw(self, name: str) -> None:
        raise PermissionError(13, "nothing is published here", name)

    def is_mine(self, stream: ByteStream) -> bool:
        return False

    def parent(self) -> int:
        return 1

    def applications(self, path: str | None = None) -> Sequence[Application]:
        self._may("applications")
        return tuple(app for app in self.installed if path is None or app.path == path)


@dataclass
class ScriptedCaller:
    """modes and answers as given; an exception among the answers is raised. asked: what it was asked."""

    modes: frozenset[str] = frozenset()
    answers: list[Any] = field(default_factory=list)
    asked: list[Question] = field(default_factory=list)
    changed: int = 0
    thinks_s: float = 0
    tells: BaseException | None = None

    async def ask(self, question: Question) -> Answer:
        self.asked.append(question)
        await anyio.sleep(self.thinks_s)
        answer = self.answers.pop(0)
        if isinstance(answer, BaseException):
            raise answer
        return answer  # type: ignore[no-any-return]

    async def tools_changed(self) -> None:
        self.changed += 1
        if self.tells is not None:
            raise self.tells


async def stay(process: ScriptedProcess) -> int:
    await anyio.sleep_forever()
    return 0
