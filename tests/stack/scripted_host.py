"""A Host in memory whose programs are played from scripts: every refusal and deadline without a fake or a process.

A script is an async function of the process that returns its exit status. `AppServer` is the script of `codex`:
rows of steps by method, each of which a test can replace. Time is trio's mock clock, so nothing here waits.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import anyio
from anyio.abc import ByteReceiveStream, ByteSendStream, ByteStream, Listener, Process, TaskGroup
from trio.testing import MockClock

from stack.computer_use import ComputerUse
from stack.computer_use import open as open_stack
from stack.computer_use.pinned import PINNED
from stack.computer_use.settings import LINUX, Settings
from stack.contract import Answer, Application, Json, Lease, Program, Question

T = TypeVar("T")
Stage: TypeAlias = "tuple[ScriptedHost, ComputerUse]"
CHESS = Application("com.apple.Chess", "/Applications/Chess.app", ("Chess",))
TEXTEDIT = Application("com.apple.TextEdit", "/System/Applications/TextEdit.app", ("TextEdit",))
DEADLY = (9, 15)


def play(main: Callable[[], Awaitable[T]]) -> T:
    """Run in virtual time."""
    clock = MockClock(autojump_threshold=0)
    return anyio.run(main, backend="trio", backend_options={"clock": clock})


class Pipe(ByteReceiveStream, ByteSendStream):
    """One way in memory. broken: the reader has gone; full: whoever sends waits for ever."""

    def __init__(self) -> None:
        self.data = bytearray()
        self.ended = self.broken = self.full = False
        self._moved = anyio.Event()

    def _move(self) -> None:
        self._moved.set()
        self._moved = anyio.Event()

    async def send(self, item: bytes) -> None:
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


# The app-server

ID = "$id"
THREAD = "01999999-0000-7000-8000-000000000001"
Step: TypeAlias = "dict[str, Any] | bytes | float | Callable[[ScriptedProcess], Awaitable[object]]"


def reply(result: Any) -> dict[str, Any]:
    return {"id": ID, "result": result}


def refusal(code: int, message: str, **more: Any) -> dict[str, Any]:
    return {"error": {"code": code, "message": message, **more}, "id": ID}


def notice(method: str, **params: Any) -> dict[str, Any]:
    return {"method": method, "params": params}


def status(word: str) -> dict[str, Any]:
    return notice("mcpServer/startupStatus/updated", threadId=THREAD, name="computer-use", status=word, error=None)


def text(words: str) -> list[Json]:
    return [{"type": "text", "text": words}]


def thread_result(folder: str, **changes: Any) -> dict[str, Any]:
    """What thread/start answers; `thread_` before a name changes it inside the thread."""
    thread = {"id": THREAD, "ephemeral": True, "status": {"type": "idle"}, "path": None, "turns": []}
    result: dict[str, Any] = {
        "thread": thread,
        "approvalPolicy": "never",
        "sandbox": {"type": "dangerFullAccess"},
        "modelProvider": "direct_disabled",
        "cwd": folder,
        "instructionSources": [],
    }
    for name, value in changes.items():
        if name.startswith("thread_"):
            thread[name.removeprefix("thread_")] = value
        else:
            result[name] = value
    return result


def listed_tools() -> dict[str, Any]:
    return {
        name: {
            "name": name,
            "description": f"official {name}",
            "inputSchema": json.loads(json.dumps(row.input_schema)),
            "annotations": dict(row.annotations),
        }
        for name, row in PINNED.items()
    }


def inventory(**changes: Any) -> dict[str, Any]:
    """What mcpServerStatus/list answers; changes are members of the one server."""
    server = {
        "name": "computer-use",
        "serverInfo": {"name": "x", "version": "26.1"},
        "tools": listed_tools(),
        **changes,
    }
    return {"data": [server], "nextCursor": None}


def asks(identifier: Any, mode: str = "form", **more: Any) -> dict[str, Any]:
    params = {"threadId": THREAD, "serverName": "computer-use", "turnId": None, "mode": mode, "message": "Allow it?"}
    schema = {"requestedSchema": {"type": "object", "properties": {}}}
    return {"method": "mcpServer/elicitation/request", "id": identifier, "params": {**params, **schema, **more}}


WAITING = notice(
    "thread/status/changed", threadId=THREAD, status={"type": "active", "activeFlags": ["waitingOnApproval"]}
)
IDLE = notice("thread/status/changed", threadId=THREAD, status={"type": "idle"})
DONE = reply({"content": text("done"), "isError": False})


def resolved(identifier: Any) -> dict[str, Any]:
    return notice("serverRequest/resolved", threadId=THREAD, requestId=identifier)


async def hear(process: ScriptedProcess) -> None:
    """A step that waits for one frame of the client, and keeps it in `heard`."""
    line = await process.line()
    if line is None:
        await anyio.sleep_forever()  # the client ended instead: the script's reader sees it
    else:
        process.host.heard.append(json.loads(line))


def exits(code: int) -> Callable[[ScriptedProcess], Awaitable[object]]:
    async def step(process: ScriptedProcess) -> None:
        process.exit(code)
        await anyio.sleep_forever()

    return step


class AppServer:
    """The script of `codex`. rows: steps by method, or by `(method, n)` for the nth of it from 1.

    A dict is sent as a frame with its request's id, bytes are sent as they are, a number waits so many milliseconds,
    and a function is awaited. helper: whether a child stands for the helper; it ends with the app-server unless
    `orphans`.
    """

    def __init__(self, rows: Mapping[Any, Sequence[Step]] | None = None, *, version: str = "0.171.0") -> None:
        self.rows = dict(rows or {})
        self.version = version
        self.heard: list[dict[str, Any]] = []
        self.at_end: Sequence[Step] = ()
        self.at_start: Sequence[Step] = ()
        self.orphans = False
        self.helper: ScriptedProcess | None = None
        self._counts: Counter[str] = Counter()

    async def __call__(self, process: ScriptedProcess) -> int:
        self._counts.clear()
        process.host.heard = self.heard
        helper = process.host.spawn("helper", ["mcp"], _stay, parent=process.pid)
        helper.ignores = {15, 9} if self.orphans else set()
        self.helper = helper
        try:
            await self._steps(process, self.at_start, None)
            while (line := await process.line()) is not None:
                message = json.loads(line)
                self.heard.append(message)
                await self._answer(process, message)
            await self._steps(process, self.at_end, None)
        finally:
            if not self.orphans and helper.returncode is None:
                helper.exit(0)
        return 0

    async def _answer(self, process: ScriptedProcess, message: dict[str, Any]) -> None:
        method = message.get("method")
        if method is None:
            return
        self._counts[method] += 1
        steps = self.rows.get((method, self._counts[method]), self.rows.get(method))
        if steps is None:
            steps = self.usual(method, process.cwd)
        await self._steps(process, steps, message.get("id"))

    def usual(self, method: str, cwd: str) -> Sequence[Step]:
        """The steps of a healthy app-server."""
        agent = f"trailcam_stack/{self.version} (Debian 12.0.0; x86_64) unknown (trailcam_stack; 0.1.0)"
        started = notice("thread/started", thread={"id": THREAD})
        usual: dict[str, Sequence[Step]] = {
            "initialize": [reply({"userAgent": agent}), notice("remoteControl/status/changed", status="disabled")],
            "initialized": [],
            "thread/start": [reply(thread_result(cwd)), started, status("starting"), status("ready")],
            "mcpServerStatus/list": [reply(inventory())],
            "mcpServer/tool/call": [DONE],
        }
        return usual[method]

    async def _steps(self, process: ScriptedProcess, steps: Sequence[Step], identifier: Any) -> None:
        for step in steps:
            if isinstance(step, dict):
                frame = {key: identifier if value == ID else value for key, value in step.items()}
                await process.say(json.dumps(frame).encode() + b"\n")
            elif isinstance(step, bytes):
                await process.say(step)
            elif isinstance(step, int | float):
                await anyio.sleep(step / 1000 if step < math.inf else math.inf)
            else:
                await step(process)

    def calls(self) -> list[dict[str, Any]]:
        """The tool calls that reached it."""
        return [message["params"] for message in self.heard if message.get("method") == "mcpServer/tool/call"]

    def answers(self) -> list[dict[str, Any]]:
        """What reached it that is no request or notice of the client."""
        return [message for message in self.heard if "method" not in message]


async def _stay(process: ScriptedProcess) -> int:
    await anyio.sleep_forever()
    return 0


# codesign and lsappinfo

IDENTIFIERS = {"codex": "com.openai.codex", "helper": "com.openai.sky.CUAService.cli"}
FRONT = "ASN:0x0-0x39039:"
OTHER = "ASN:0x0-0xa40a4:"
BUNDLES = {FRONT: "com.apple.finder", OTHER: "com.apple.TextEdit"}


def codesign(details: bytes | None = None, *, verify: int = 0, show: int = 0, wait_s: float = 0) -> Script:
    async def script(process: ScriptedProcess) -> int:
        await anyio.sleep(wait_s)
        if "--verify" in process.args:
            return verify
        identifier = IDENTIFIERS[process.args[-1].rsplit("/", 1)[1]]
        usual = f"Executable={process.args[-1]}\nIdentifier={identifier}\nTeamIdentifier=2DC432GLL2\n".encode()
        await process.complain(usual if details is None else details)
        return show

    return script


def event_line(asn: str, bundle: str | None, other: str = FRONT) -> bytes:
    named = f', "CFBundleIdentifier"="{bundle}"' if bundle else ""
    return (
        f'Notification: kLSNotifyBecameFrontmost time=1 dataRef={{ "LSOtherASN"={other}, "LSMenuBarOwnerASN"={asn}, '
        f'"LSASN"={asn}, "LSFrontApplicationSeed"=495{named} }} affectedASN="X" {asn}  context=0x0 sessionID=1\n'
    ).encode()


class LsAppInfo:
    """The script of `lsappinfo`. fronts: what `front` prints, the last one from then on; events: what the listener
    says: (milliseconds to wait, bytes); dies: the listener ends after them."""

    def __init__(self, fronts: Sequence[str] = (FRONT,), events: Sequence[tuple[float, bytes]] = ()) -> None:
        self.fronts = list(fronts)
        self.events = list(events)
        self.bundles = dict(BUNDLES)
        self.macos = 26
        self.dies = False
        self.stubborn: set[int] = set()

    async def __call__(self, process: ScriptedProcess) -> int:
        if process.args[0] == "listen":
            process.ignores = self.stubborn
            for wait_ms, line in self.events:
                await anyio.sleep(wait_ms / 1000)
                await process.say(line)
            if not self.dies:
                await anyio.sleep_forever()
            return 0
        if process.args[0] == "front":
            front = self.fronts.pop(0) if len(self.fronts) > 1 else self.fronts[0]
            if front == "hang":
                await anyio.sleep_forever()
            await process.say(front.encode() + b"\n")
            return 0 if front else 1
        bundle = self.bundles.get(process.args[-1])
        if bundle is not None and self.macos >= 27:
            await process.say(f'[ NULL ]  {process.args[-1]} (in front) \n\tbundleID="{bundle}"\n'.encode())
        elif bundle is not None:
            await process.say(f'"CFBundleIdentifier"="{bundle}"\n'.encode())
        return 0


@asynccontextmanager
async def staged(
    server: AppServer | None = None,
    *,
    settings: Settings | None = None,
    signs: Script | None = None,
    fronts: LsAppInfo | None = None,
) -> AsyncIterator[Stage]:
    """A stack on a scripted host. After the stack was closed nothing of it may be left; see `check_clean`."""
    async with anyio.create_task_group() as tasks:
        scripts: dict[Program, Script] = {
            Program.CODEX: server or AppServer(),
            Program.HELPER: _stay,
            Program.CODESIGN: signs or codesign(),
            Program.LSAPPINFO: fronts or LsAppInfo(),
        }
        host = ScriptedHost(tasks, scripts)
        async with open_stack(host, settings or Settings(platform=LINUX)) as stack:
            yield host, stack
        tasks.cancel_scope.cancel()


def check_clean(host: ScriptedHost) -> None:
    """Nothing of a stack is left: processes, folders, locks."""
    assert host.running() == []
    assert host.folders == set()
    assert host.locks == set()
