"""Plays the client of a recording to a real program, and gives what drifted: the shell of `trailcam probe`.

Every wait has its bound, and so has the whole; the program runs in a session of its own, so that whatever it started
is found at the end and ended with it.
"""
from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import anyio
import trio
from anyio.abc import ByteReceiveStream, Process

from harness.problem import Problem, UsageProblem
from harness.replay.client import Client
from harness.replay.drift import Drift
from harness.replay.profiles import profile_of
from harness.replay.recording import Item, Recording
from harness.replay.settings import language_of
from harness.wire import codec

BROKEN = (anyio.BrokenResourceError, anyio.ClosedResourceError)
STDERR_KEPT = 4096
"""Bytes of stderr, its last, that a report shows."""
GRACE_MS = 2000
"""How long the program may take to end by itself, and again after SIGTERM."""
PROGRESS_MS = 2000
LOOK_MS = 20
"""Between two looks at what is left of a session."""


class Limits:
    """wait_ms: for one recorded frame, and for the end of the program; limit_ms: for everything; pace: factor on the
    recorded times between frames of the client, 0 for none."""

    __slots__ = ("wait_ms", "limit_ms", "pace")

    def __init__(self, wait_ms: float = 10_000, limit_ms: float = 120_000, pace: float = 0.0) -> None:
        self.wait_ms = wait_ms
        self.limit_ms = limit_ms
        self.pace = pace


class Report:
    """What a probe found. compared: frames that came and were recorded; status: of the program, None where it had to be
    ended; stderr: its last bytes."""

    __slots__ = ("drifts", "compared", "status", "stderr")

    def __init__(self, drifts: Sequence[Drift], compared: int, status: int | None, stderr: str) -> None:
        self.drifts = list(drifts)
        self.compared = compared
        self.status = status
        self.stderr = stderr


async def probe(
    tape: str,
    command: Sequence[str],
    *,
    process: int | str = 1,
    profile: str | None = None,
    bind: Mapping[str, str] | None = None,
    limits: Limits | None = None,
    say: Callable[[str], None] = lambda text: None,
) -> Report:
    """Send the client's side of one process of a tape to a command.

    bind: placeholder (`<ROOT>`) to what it stands for. say: told of progress. Raises Problem where the tape can't be
    read or played to a program, or the command can't be started.
    """
    with Recording(tape, process) as recording:
        items = list(recording)
        header, dialect = recording.header, recording.dialect
    for item in items:
        if item.problem is not None:
            raise item.problem
    if dialect == "raw":
        raise UsageProblem("a tape of raw bytes", "a wire with frames", "record it again with its --dialect")
    if not any(item.kind == "frame" and item.client for item in items):
        raise Problem("a recording in which the client says nothing", "a frame to send", "probe with another tape")
    language = language_of(header, bind or {})
    client = Client(items, profile_of(profile or header.profile, dialect), dialect, language, bind or {})
    return await _Session(client, dialect, limits or Limits(), say).run(command)


class _Session:
    """One run of the program."""

    def __init__(self, client: Client, dialect: str, limits: Limits, say: Callable[[str], None]) -> None:
        self._client = client
        self._dialect = dialect
        self._limits = limits
        self._say = say
        self._stderr = bytearray()
        self._came = trio.Event()
        self._silent = trio.Event()

    async def run(self, command: Sequence[str]) -> Report:
        process = await start(command)
        status: int | None = None
        try:
            async with trio.open_nursery() as nursery:
                assert process.stdout
                assert process.stderr
                nursery.start_soon(self._read, process.stdout)
                nursery.start_soon(self._read_errors, process.stderr)
                nursery.start_soon(self._tell)
                with trio.move_on_after(self._limits.limit_ms / 1000) as limit:
                    problem = await self._play(process)
                    if problem is None:
                        status = await self._end(process)
                nursery.cancel_scope.cancel()
        finally:
            with trio.CancelScope(shield=True):
                await end_all(process)
        if limit.cancelled_caught:
            raise Problem(
                f"no end of the session within {self._limits.limit_ms:g} ms", "one that ends", "give it more --limit-ms"
            )
        if problem is not None:
            raise problem
        self._client.ended(status)
        text = bytes(self._stderr).decode("utf-8", "replace")
        return Report(self._client.drifts, self._client.compared, status, text)

    async def _read(self, stream: ByteReceiveStream) -> None:
        reader = codec(self._dialect, "<<")
        async for data in stream:
            for frame in reader.feed(data):
                self._client.came(frame)
            self._wake()
        for frame in reader.end():
            self._client.came(frame)
        self._silent.set()
        self._wake()

    async def _read_errors(self, stream: ByteReceiveStream) -> None:
        async for data in stream:
            self._stderr += data
            del self._stderr[:-STDERR_KEPT]

    def _wake(self) -> None:
        self._came.set()
        self._came = trio.Event()

    async def _tell(self) -> None:
        while True:
            await trio.sleep(PROGRESS_MS / 1000)
            self._say(f"{self._client.compared} frames compared")

    async def _play(self, process: Process) -> Problem | None:
        """Everything that the recorded client did, each after what it had seen, and then what it saw at last; or why it
        can't be done."""
        t: float | None = None
        for item in self._client.items:
            if item.client:
                if t is not None and self._limits.pace:
                    await trio.sleep(max(0.0, item.t - t) / 1000 * self._limits.pace)
                t = item.t
                try:
                    await self._do(item, process)
                except Problem as problem:
                    return problem
            elif item.kind == "frame" and item.stream == "out":
                await self._await(item)
        return None

    async def _await(self, item: Item) -> None:
        """Wait for a recorded frame of the program, as long as one may be waited for."""
        if self._client.has_come(item):
            return
        with trio.move_on_after(self._limits.wait_ms / 1000):
            while not self._client.has_come(item) and not self._silent.is_set():
                await self._came.wait()
        self._client.missed(item, "the program said no more" if self._silent.is_set() else "it did not come in time")

    async def _do(self, item: Item, process: Process) -> None:
        assert process.stdin
        if item.kind == "signalled":
            if process.returncode is None:
                process.send_signal(signal.Signals(item.number))
            return
        try:
            if item.kind == "closed":
                await process.stdin.aclose()
            elif (data := self._client.frame_to_send(item)) is not None:
                await process.stdin.send(data)
        except BROKEN:
            pass  # it has ended, or closed its stdin: what is missing then tells

    async def _end(self, process: Process) -> int | None:
        """Close stdin, if the recorded client did not, and wait. The status, None where the program did not end."""
        assert process.stdin
        await process.stdin.aclose()
        with trio.move_on_after(self._limits.wait_ms / 1000):
            status = await process.wait()
            await self._drained()
            return status
        return None

    async def _drained(self) -> None:
        """The program is gone; its last words may still be in the pipe, unless a child of its own holds that open."""
        with trio.move_on_after(GRACE_MS / 1000):
            await self._silent.wait()


async def start(command: Sequence[str]) -> Process:
    """The command, in a session of its own. Raises Problem where it can't be started."""
    pipe = subprocess.PIPE
    try:
        return await anyio.open_process(command, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True)
    except (OSError, ValueError) as error:
        raise Problem(
            f"{command[0]}: {getattr(error, 'strerror', None) or error}", "a program that can be started",
            "correct the command, or PATH",
        ) from None


async def end_all(process: Process) -> None:
    """End a program and everything that it started and left: stdin closed, SIGTERM, SIGKILL, each given its time."""
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream is not None:
            await stream.aclose()
    if process.returncode is None:
        with trio.move_on_after(GRACE_MS / 1000):
            await process.wait()
    for number in (signal.SIGTERM, signal.SIGKILL):
        left = in_session(process.pid)
        if process.returncode is not None and not left:
            return
        for pid in left or [process.pid]:
            send(pid, number)
        with trio.move_on_after(GRACE_MS / 1000):
            await all_gone(process)
    await process.wait()


async def all_gone(process: Process) -> None:
    """Wait until the program and everything in its session has ended."""
    await process.wait()
    while in_session(process.pid):
        await trio.sleep(LOOK_MS / 1000)


def send(pid: int, number: int) -> None:
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        pass


def in_session(leader: int) -> list[int]:
    """The living processes of the session that a process began, itself among them; none where the system can't tell."""
    if sys.platform != "linux":
        return []
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[3]) == leader and fields[0] != "Z":
                found.append(int(entry.name))
    return found
