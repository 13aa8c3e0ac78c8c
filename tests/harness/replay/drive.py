"""Runs a client against a player: in virtual time, as a process of a stage, or alone, with one client for all three."""

from __future__ import annotations

import os
import signal
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio
import trio
import trio.testing

from harness.replay.command import NoWorld
from harness.replay.player import Player
from harness.replay.recording import Item, Recording
from harness.serve.hosted import Hosted
from harness.serve.launch import PYTHON, make_folder, remove_folder
from harness.serve.scheduler import run_real, run_virtual
from harness.serve.stage import Stage
from harness.serve.virtual import VirtualHost

PROGRAM = "played"
PLAYER = [PYTHON, "-SE", str(Path(__file__).resolve().parents[3] / "harness" / "replay" / "__main__.py")]
WAIT_S = 60
"""What no wait here comes near to unless something is broken; nothing of a virtual run."""


@dataclass
class Seen:
    """What a client saw. status: None where the program did not end."""

    out: bytes = b""
    err: bytes = b""
    status: int | None = None
    journal: list[dict[str, Any]] = field(default_factory=list)

    @property
    def lines(self) -> list[bytes]:
        return self.out.split(b"\n")[:-1]


class Client:
    """One session with a program. What it says is gathered; each wait is for a part of that."""

    def __init__(self, process: anyio.abc.Process, nursery: trio.Nursery) -> None:
        self.process = process
        self.out = bytearray()
        self.err = bytearray()
        self._came = trio.Event()
        self._open = 2
        self.out_ended = trio.Event()
        assert process.stdout
        assert process.stderr
        nursery.start_soon(self._gather, process.stdout, self.out, self.out_ended)
        nursery.start_soon(self._gather, process.stderr, self.err, trio.Event())

    async def _gather(self, stream: anyio.abc.ByteReceiveStream, into: bytearray, ended: trio.Event) -> None:
        async for data in stream:
            into += data
            self._came.set()
        ended.set()
        self._open -= 1
        self._came.set()

    async def send(self, *data: bytes | str) -> None:
        """Frames, each in a write of its own; text gets its newline. Nobody may be there to read them."""
        assert self.process.stdin
        for each in data:
            try:
                await self.process.stdin.send(each if isinstance(each, bytes) else each.encode() + b"\n")
            except (anyio.BrokenResourceError, anyio.ClosedResourceError):
                return

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait until it holds, or nothing can come any more."""
        while not holds() and self._open:
            self._came = trio.Event()
            await self._came.wait()

    async def lines(self, count: int) -> None:
        """Wait for that many lines in all."""
        await self.until(lambda: self.out.count(b"\n") >= count)

    async def close(self) -> None:
        assert self.process.stdin
        await self.process.stdin.aclose()

    def signal(self, number: int) -> None:
        self.process.send_signal(signal.Signals(number))

    async def end(self) -> int:
        """Wait for the end of the program and of what it said."""
        status = await self.process.wait()
        await self.until(lambda: False)
        return status


Play = Callable[[Client], Awaitable[None]]


async def session(process: anyio.abc.Process, play: Play, limit_s: float = WAIT_S) -> Seen:
    """Play, close stdin where it is still open, and wait for the end."""
    seen = Seen()
    async with trio.open_nursery() as nursery:
        client = Client(process, nursery)
        with trio.move_on_after(limit_s):
            await play(client)
            await client.close()
            seen.status = await client.end()
        seen.out, seen.err = bytes(client.out), bytes(client.err)
        if seen.status is None:
            process.kill()
            await process.wait()
        nursery.cancel_scope.cancel()
    return seen


def virtual(settings: Mapping[str, Any], play: Play, argv: Iterable[str] = ("serve",), **sheet: Any) -> Seen:
    """In virtual time. sheet: further keys of the run sheet."""

    async def main() -> Seen:
        made = {"programs": {PROGRAM: dict(settings)}, **sheet}
        stage = Stage(made, {PROGRAM: Player}, NoWorld, clock=trio.current_time)
        async with trio.open_nursery() as nursery:
            process = await VirtualHost(stage, nursery).start(PROGRAM, list(argv), env={}, cwd="/")
            seen = await session(process, play, limit_s=3600)
            nursery.cancel_scope.cancel()
        seen.journal = stage.journal
        return seen

    return run_virtual(main, 0)


def hosted(settings: Mapping[str, Any], play: Play, argv: Iterable[str] = ("serve",)) -> Seen:
    """As a process whose machine runs in a stage."""
    folder = make_folder([PROGRAM])

    async def main() -> Seen:
        made = {"programs": {PROGRAM: dict(settings)}}
        stage = Stage(made, {PROGRAM: Player}, NoWorld, clock=trio.current_time)
        async with trio.open_nursery() as nursery:
            await nursery.start(Hosted(stage, folder).serve)
            seen = await session(await _start([str(folder / PROGRAM), *argv]), play)
            nursery.cancel_scope.cancel()
        seen.journal = stage.journal
        return seen

    try:
        return run_real(main)
    finally:
        remove_folder(folder)


def alone(settings: Mapping[str, Any], play: Play, argv: Iterable[str] | None = None) -> Seen:
    """`trailcam replay` as a process of its own."""
    words = [str(settings["tape"])]
    for name, value in settings.items():
        if name == "bind":
            words += [word for each in value.items() for word in ("--bind", "=".join(each))]
        elif name != "tape" and value is not None:
            words += [f"--{name}", str(value)]

    async def main() -> Seen:
        return await session(await _start([*PLAYER, *words, *([] if argv is None else ["--", *argv])]), play)

    return run_real(main)


async def _start(command: list[str]) -> anyio.abc.Process:
    return await anyio.open_process(command, env=dict(os.environ), cwd="/")


MODES: dict[str, Callable[..., Seen]] = {"virtual": virtual, "process": hosted, "alone": alone}


def items(path: str | Path, process: int | str = 1) -> list[Item]:
    return list(Recording(str(path), process))


def of(recorded: Iterable[Item], stream: str) -> bytes:
    """All bytes of a stream in a recording."""
    return b"".join(item.raw for item in recorded if item.kind == "frame" and item.stream == stream)


def following(recorded: Iterable[Item]) -> Play:
    """A client that does what the recorded one did, each time after as much as that one had seen."""

    async def play(client: Client) -> None:
        seen = {"out": 0, "err": 0}
        for item in recorded:
            if item.kind == "frame" and item.client:
                await client.until(lambda: len(client.out) >= seen["out"] and len(client.err) >= seen["err"])
                await client.send(item.raw)
            elif item.kind == "frame":
                seen[item.stream] += len(item.raw)
            elif item.kind == "closed" and item.stream == "out":
                await client.out_ended.wait()
            elif item.kind == "closed" and item.client:
                await client.until(lambda: len(client.out) >= seen["out"] and len(client.err) >= seen["err"])
                await client.close()
            elif item.kind == "signalled":
                await client.until(lambda: len(client.out) >= seen["out"] and len(client.err) >= seen["err"])
                client.signal(item.number)
                await trio.testing.wait_all_tasks_blocked()

    return play
