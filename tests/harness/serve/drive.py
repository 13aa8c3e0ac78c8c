"""Runs a client against the small machines in each mode, so that one test body serves all three."""
from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

import anyio
import trio

from harness.serve.hosted import Hosted
from harness.serve.launch import make_folder, remove_folder
from harness.serve.scheduler import run_real, run_virtual
from harness.serve.stage import Stage
from harness.serve.virtual import VirtualHost
from tests.harness.serve.machines import MACHINES, NAMES, WORLD, Counter

Client = Callable[[Any, list[dict[str, Any]]], Awaitable[None]]


class FolderHost:
    """The smallest host of process runs: it starts what stands in a run folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def start(self, program: str, args: list[str], *, env: Mapping[str, str], cwd: str) -> anyio.abc.Process:
        return await anyio.open_process([str(self._folder / program), *args], env=dict(env), cwd=cwd)


def virtual(sheet: Mapping[str, Any], client: Client, tmp: Path) -> tuple[Any, Any, Any]:
    history: list[dict[str, Any]] = []

    async def main() -> Stage:
        stage = Stage(sheet, MACHINES, Counter, clock=trio.current_time)
        async with trio.open_nursery() as nursery:
            await client(VirtualHost(stage, nursery), history)
            while stage.living():
                await trio.sleep(0.01)
            nursery.cancel_scope.cancel()
        return stage

    stage = run_virtual(main, sheet.get("seed", 0))
    return history, stage.events, stage.journal


def process(sheet: Mapping[str, Any], client: Client, tmp: Path) -> tuple[Any, Any, Any]:
    history: list[dict[str, Any]] = []
    folder = make_folder(MACHINES)

    async def main() -> Stage:
        stage = Stage(sheet, MACHINES, Counter, clock=trio.current_time, may_block=True)
        async with trio.open_nursery() as nursery:
            await nursery.start(Hosted(stage, folder).serve)
            await client(FolderHost(folder), history)
            while stage.living():
                await trio.sleep(0.01)
            nursery.cancel_scope.cancel()
        return stage

    try:
        stage = run_real(main)
    finally:
        remove_folder(folder)
    return history, stage.events, stage.journal


def alone(sheet: Mapping[str, Any], client: Client, tmp: Path) -> tuple[Any, Any, Any]:
    history: list[dict[str, Any]] = []
    folder = make_folder(MACHINES, {**sheet, "machines": NAMES, "world_factory": WORLD})

    async def main() -> None:
        await client(FolderHost(folder), history)

    try:
        run_real(main)
        world, journal = (
            [json.loads(text) for text in (folder / f"{book}.jsonl").read_bytes().split(b"\n")[:-1]]
            for book in ("world", "journal")
        )
    finally:
        remove_folder(folder)
    return history, world, journal


MODES = {"virtual": virtual, "process": process, "alone": alone}


async def ask(program: Any, id: int, method: str, **params: Any) -> list[bytes]:
    """Send one request and read lines up to its answer, which is the last of them. Ends early where the stream ends."""
    await program.stdin.send(json.dumps({"id": id, "method": method, "params": params}).encode() + b"\n")
    return await lines_until(program, lambda value: value.get("id") == id)


async def lines_until(program: Any, found: Callable[[Any], bool]) -> list[bytes]:
    """Lines up to the first that is found; what was read beyond it waits for the next call."""
    lines: list[bytes] = []
    tail: bytes = getattr(program, "unread", b"")
    while True:
        line, newline, rest = tail.partition(b"\n")
        if newline:
            lines.append(line)
            tail = program.unread = rest
            if found(json.loads(line)):
                return lines
            continue
        try:
            tail += await program.stdout.receive()
        except (anyio.EndOfStream, anyio.ClosedResourceError):
            program.unread = b""
            return [*lines, tail] if tail else lines


async def leave(program: Any) -> int:
    """Close stdin, wait for the end, and give the status."""
    await program.stdin.aclose()
    status: int = await program.wait()
    await program.aclose()
    return status
