"""Runs fakes on a stage in virtual time: one test body starts programs of one desktop and talks to them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import anyio
import trio

from fakes.programs import PROGRAMS, WORLDS
from fakes.worlds.desktop import Desktop
from harness.serve.dotted import Resolved, resolve
from harness.serve.scheduler import run_virtual
from harness.serve.stage import Stage
from harness.serve.virtual import VirtualHost
from harness.wire.jsontext import dumps, loads


class Peer:
    """One started program: frames or text in, frames or text out."""

    def __init__(self, process: anyio.abc.Process) -> None:
        self.process = process
        self._tail = b""

    async def send(self, value: Any) -> None:
        await self.send_bytes(dumps(value).encode() + b"\n")

    async def send_bytes(self, data: bytes) -> None:
        assert self.process.stdin is not None
        await self.process.stdin.send(data)

    async def line(self) -> bytes:
        """The next line of standard output, without its newline."""
        assert self.process.stdout is not None
        while b"\n" not in self._tail:
            self._tail += await self.process.stdout.receive()
        line, _, self._tail = self._tail.partition(b"\n")
        return line

    async def frame(self) -> Any:
        return loads((await self.line()).decode())

    async def ask(self, method: str, params: Any = None, id: int = 1) -> Any:
        """An MCP request, and the next frame that comes."""
        await self.send({"jsonrpc": "2.0", "id": id, "method": method, "params": params or {}})
        return await self.frame()

    async def finish(self) -> tuple[int, str, str]:
        """Close stdin; (exit status, rest of standard output, standard error)."""
        assert self.process.stdin is not None and self.process.stdout is not None and self.process.stderr is not None
        await self.process.stdin.aclose()
        status = await self.process.wait()
        out = self._tail + b"".join([data async for data in self.process.stdout])
        errors = b"".join([data async for data in self.process.stderr])
        return status, out.decode(), errors.decode()


class Run:
    """What a test body gets. world: the desktop; events: the world record so far."""

    def __init__(self, stage: Stage, host: VirtualHost) -> None:
        self.stage = stage
        self.host = host
        world = stage.world
        assert isinstance(world, Desktop)
        self.world = world

    @property
    def events(self) -> list[dict[str, Any]]:
        return self.stage.events

    def of(self, kind: str) -> list[dict[str, Any]]:
        """The events of one kind, without their place and time."""
        return [
            {key: value for key, value in event.items() if key not in ("n", "t", "k", "e", "j")}
            for event in self.stage.events
            if event["e"] == kind
        ]

    async def start(self, program: str, *arguments: str, env: Mapping[str, str] | None = None) -> Peer:
        return Peer(await self.host.start(program, list(arguments), env=env or {}, cwd="/"))

    async def output(self, program: str, *arguments: str) -> tuple[int, str, str]:
        """Run a program that reads no input: (exit status, standard output, standard error)."""
        peer = await self.start(program, *arguments)
        status = await peer.process.wait()
        rest = await peer.finish()
        return status, rest[1], rest[2]


def run(
    body: Callable[[Run], Awaitable[None]],
    world: Mapping[str, Any] | None = None,
    programs: Mapping[str, Any] | None = None,
    seed: int = 1,
) -> Run:
    """Run a test body on a stage of the whole table of programs; the run, for what it left."""
    sheet = {"v": 1, "seed": seed, "world": dict(world or {}), "programs": dict(programs or {})}

    async def main() -> Run:
        machines: Any = Resolved(PROGRAMS)
        stage = Stage(sheet, machines, resolve(WORLDS["desktop"]), clock=trio.current_time)
        async with trio.open_nursery() as nursery:
            made = Run(stage, VirtualHost(stage, nursery, seed))
            await body(made)
            nursery.cancel_scope.cancel()
        return made

    return run_virtual(main, seed)
