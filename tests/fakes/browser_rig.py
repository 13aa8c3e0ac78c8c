"""The fake browser in virtual time, with whatever a test puts at the other end of its native messaging ports."""

from __future__ import annotations

import json
import struct
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import anyio
import trio

from fakes.programs import PROGRAMS
from fakes.worlds.chrome import Chrome
from harness.serve.channel import Channel, Inside, guests
from harness.serve.dotted import Resolved
from harness.serve.scheduler import run_virtual
from harness.serve.stage import Stage
from harness.serve.virtual import VirtualHost
from harness.wire.jsontext import dumps

HELLO: dict[str, Any] = {"v": 1, "type": "hello", "role": "host", "protocol": 1, "version": "0.1.0"}
CHANNELS = {"channel": Channel("host", "", "")}


class HostEnd:
    """One native host that a test plays: what it was started with, what it is sent, what it says, and its end."""

    def __init__(self, argv: list[str], stdin: Any, stdout: Any, stderr: Any) -> None:
        self.argv, self.stdin, self.stdout, self.stderr = argv, stdin, stdout, stderr
        self._tail = b""
        self._asked = 0
        self.events: list[Any] = []

    async def say(self, value: Any) -> None:
        body = value if isinstance(value, bytes) else json.dumps(value).encode()
        await self.stdout.send(struct.pack("=I", len(body)) + body)

    async def hear(self) -> Any:
        """The next message; None at the end of input."""
        while len(self._tail) < 4 or len(self._tail) < 4 + struct.unpack("=I", self._tail[:4])[0]:
            try:
                self._tail += await self.stdin.receive()
            except anyio.EndOfStream:
                return None
        (length,) = struct.unpack("=I", self._tail[:4])
        body, self._tail = self._tail[4 : 4 + length], self._tail[4 + length :]
        return json.loads(body)

    async def greet(self) -> Any:
        """Exchange greetings; the extension's."""
        hello = await self.hear()
        await self.say(HELLO)
        return hello

    async def ask(self, verb: str, deadline_ms: int = 1000, **params: Any) -> Any:
        """A request, and its answer; events that come meanwhile are kept."""
        self._asked += 1
        id = f"t{self._asked}"
        await self.say(
            {"v": 1, "type": "request", "id": id, "verb": verb, "deadline_ms": deadline_ms, "params": params}
        )
        while True:
            message = await self.hear()
            if message is None or message.get("id") == id:
                return message
            self.events.append(message)


class Run:
    """A stage with a browser, and what it left."""

    def __init__(self, stage: Stage, host: VirtualHost) -> None:
        self.stage, self.host = stage, host
        assert isinstance(stage.world, Chrome)
        self.world = stage.world
        self.hosts: list[HostEnd] = []
        self.statuses: list[Any] = []

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [event for event in self.stage.events if event["e"] == kind]

    async def desktop(self, **request: Any) -> Any:
        """What the fake `desktop` answers."""
        process = await self.host.start("desktop", [], env={}, cwd="/")
        assert process.stdin is not None
        assert process.stdout is not None
        await process.stdin.send(dumps(request).encode() + b"\n")
        said = b"".join([data async for data in process.stdout])
        return json.loads(said)


def run(
    play: Callable[[HostEnd], Awaitable[int]] | None = None,
    body: Callable[[Run], Awaitable[None]] | None = None,
    world: Mapping[str, Any] | None = None,
    programs: Mapping[str, Any] | None = None,
    seconds: float = 60,
) -> Run:
    """Start the world's browsers, with `play` as every native host, and run a test's body beside it."""
    sheet = {
        "v": 1,
        "seed": 1,
        "world": dict(world or {}),
        "programs": dict(programs or {}),
        "start_ms": {"browser": 10},
    }

    async def main() -> Run:
        machines: Any = Resolved({**PROGRAMS, **guests(CHANNELS)})
        stage = Stage(sheet, machines, Chrome, clock=trio.current_time)
        async with trio.open_nursery() as nursery:
            made = Run(stage, VirtualHost(stage, nursery, 1))

            async def at_the_end(host: Any, argv: list[str], stdin: Any, stdout: Any, stderr: Any) -> int:
                end = HostEnd(argv, stdin, stdout, stderr)
                made.hosts.append(end)
                assert play is not None
                status = -9
                try:
                    status = await play(end)
                finally:
                    made.statuses.append((status, round(trio.current_time() - began, 3)))
                return status

            began = trio.current_time()
            made.host.inside = Inside(stage, nursery, CHANNELS, {"channel": at_the_end}, lambda parent: made.host)
            process = await made.host.start("browser", [], env={}, cwd="/")
            with trio.move_on_after(seconds):
                if body is not None:
                    await body(made)
                else:
                    await trio.sleep_forever()
            process.terminate()
            with trio.move_on_after(5):
                await process.wait()
            nursery.cancel_scope.cancel()
        return made

    return run_virtual(main, 1)


async def stay(end: HostEnd) -> int:
    """A host that greets, and stays until the end of its input."""
    await end.greet()
    while await end.hear() is not None:
        pass
    return 0
