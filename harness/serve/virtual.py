"""The way out of a stack in a virtual run: programs are machines of the stage, pipes are memory, time is virtual."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from random import Random
from typing import TYPE_CHECKING

import trio
from anyio.abc import ByteReceiveStream, ByteSendStream, ByteStream, Listener, Process

from harness.serve.memory import Pipe, Reader, Writer
from harness.serve.network import Network
from harness.serve.private import PrivateState, installed
from harness.serve.pump import Pump
from harness.serve.services import Services
from harness.serve.session import Session
from harness.serve.stage import Stage

if TYPE_CHECKING:
    from harness.serve.channel import Inside
    from harness.serve.outgoing import Output

EPOCH = datetime(2026, 1, 1, tzinfo=UTC)
"""What the stack's `date` says at the start of every virtual run."""
SIGTERM, SIGKILL = 15, 9


class VirtualProcess(Process):
    """One process of the stage, as the stack sees it."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.pump: Pump | None = None
        self._pipes = (Pipe(), Pipe(), Pipe())
        self._stdin = Writer(self._pipes[0])
        self._stdout = Reader(self._pipes[1])
        self._stderr = Reader(self._pipes[2])
        self._status: int | None = None
        self._done = trio.Event()

    async def run(self, host: VirtualHost, argv: list[str], env: Mapping[str, str], start_ms: float) -> None:
        stdin, stdout, stderr = self._pipes
        self.pump = Pump(
            self.session, host, {("stdio", "out"): Writer(stdout), ("stdio", "err"): Writer(stderr)}
        )
        if start_ms:
            await self.pump.delay(start_ms)
        await self.pump.run(Reader(stdin), argv, env, self._ended)

    async def _ended(self, status: int) -> None:
        self._status = status
        stdin, stdout, stderr = self._pipes
        stdin.close_reader()
        stdout.close_writer()
        stderr.close_writer()
        self._done.set()

    async def wait(self) -> int:
        if self._done.is_set():
            await trio.lowlevel.checkpoint_if_cancelled()
        else:
            await self._done.wait()
        return self.returncode if self.returncode is not None else -SIGKILL

    def send_signal(self, signal: int) -> None:
        if self.pump is None or not self.pump.started:
            self.session.died(-signal)
        elif signal == SIGKILL:
            self.pump.kill()
        else:
            self.pump.task(self.pump.signal, int(signal))

    def terminate(self) -> None:
        self.send_signal(SIGTERM)

    def kill(self) -> None:
        self.send_signal(SIGKILL)

    async def aclose(self) -> None:
        """Close the pipes and wait for the end, as AnyIO's own: only where that is taken back the process is killed."""
        for stream in (self._stdin, self._stdout, self._stderr):
            await stream.aclose()  # in memory: nothing waits, and nothing is taken back
        try:
            await self.wait()
        except BaseException:
            self.kill()
            with trio.CancelScope(shield=True):
                await self.wait()
            raise

    @property
    def pid(self) -> int:
        return self.session.p

    @property
    def returncode(self) -> int | None:
        return self._status

    @property
    def stdin(self) -> ByteSendStream:
        return self._stdin

    @property
    def stdout(self) -> ByteReceiveStream:
        return self._stdout

    @property
    def stderr(self) -> ByteReceiveStream:
        return self._stderr


class VirtualHost(PrivateState):
    """The `Host` port over a stage (same shape as stack/contract.py; `check_host` runs on both).

    Process numbers stand for pids, and the files of the stack's private state are in memory. name, locks, meeting,
    network: of a further stack of the run, and what it shares with the first. parent: number of the process that
    started this one.
    """

    def __init__(
        self,
        stage: Stage,
        nursery: trio.Nursery,
        seed: int = 0,
        name: str = "",
        locks: set[str] | None = None,
        meeting: dict[str, bytes] | None = None,
        parent: int = 0,
        network: Network | None = None,
    ) -> None:
        super().__init__(installed(stage.world), name, locks, meeting)
        self.inside: Inside | None = None
        """The programs of the stack's own side that machines may start."""
        self._parent = parent
        self._stage = stage
        self._nursery = nursery
        self._random = Random(seed)
        self._processes: dict[int, VirtualProcess] = {}
        self._start_ms: Mapping[str, float] = stage.sheet.get("start_ms") or {}
        self.network = network or new_network(stage, nursery)

    def path(self, program: str) -> str:
        return f"/trailcam/bin/{program}"

    async def start(self, program: str, args: Sequence[str], *, env: Mapping[str, str], cwd: str) -> VirtualProcess:
        if str(program) not in self._stage.programs:
            raise FileNotFoundError(2, "no such program", self.path(program))
        session = self._stage.open(str(program))
        process = VirtualProcess(session)
        self._run(process, list(args), dict(env))
        await trio.lowlevel.checkpoint_if_cancelled()
        return process

    def _run(self, process: VirtualProcess, argv: list[str], env: Mapping[str, str]) -> None:
        self._processes[process.pid] = process
        self._nursery.start_soon(process.run, self, argv, env, self._start_ms.get(process.session.program, 0))

    def tree(self, pid: int) -> tuple[int, ...]:
        return self._stage.tree(pid)

    def signal(self, pid: int, number: int) -> None:
        process = self._processes.get(pid)
        if process is None or process.session.status is not None:
            raise ProcessLookupError(3, "no such process")
        process.send_signal(number)

    async def dial(self, address: str) -> ByteStream:
        return await self.network.dial(address)

    async def listen(self, address: str) -> Listener[ByteStream]:
        return await self.network.listen(address)

    def is_mine(self, stream: ByteStream) -> bool:
        """A virtual run has one user."""
        return True

    def parent(self) -> int:
        return self._parent

    def token(self, length: int) -> str:
        return token(self._random, length)

    def date(self) -> datetime:
        return date(self._stage)

    # Launcher: children that machines start

    async def spawn(self, pump: Pump, output: Output) -> None:
        _, wire, child, step = output
        if self.inside is not None and self.inside.has(child.program):
            self.inside.spawn(self, child, step)
            return
        process = VirtualProcess(child)
        pump.streams[wire, "out"] = process.stdin
        pump.read(wire, process.stdout)
        self._stage.open(step.program, parent=child.parent)
        self._run(process, list(step.argv), dict(step.env))
        pump.task(self._await, pump, wire, process)
        self._nursery.start_soon(_discard, process.stderr)

    async def _await(self, pump: Pump, wire: str, process: VirtualProcess) -> None:
        await pump.reaped(wire, await process.wait())

    async def kill(self, pump: Pump, wire: str, number: int) -> None:
        if self.inside is not None and self.inside.kill(pump.session, number):
            return
        child = pump.session.children.get(wire)
        if child is not None and child.status is None:
            self._processes[child.p].send_signal(number)


def new_network(stage: Stage, nursery: trio.Nursery) -> Network:
    """What the hosts of one virtual run share."""
    return Network(Services(stage, nursery, stage.sheet.get("start_ms")))


def token(random: Random, length: int) -> str:
    """What the stack gets for an unguessable word: one that repeats with the seed."""
    return f"{random.getrandbits(4 * length):0{length}x}"


def date(stage: Stage) -> datetime:
    """What the stack gets for the date: `EPOCH` and the run's own time."""
    return EPOCH + timedelta(milliseconds=stage.now_ms())


async def _discard(stream: ByteReceiveStream) -> None:
    async for _ in stream:
        pass
