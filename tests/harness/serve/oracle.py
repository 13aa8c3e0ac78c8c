"""A service for the tests of connections, and the two kinds of host that reach it."""
from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import anyio
import trio

from harness.faults.census import Census
from harness.faults.steps import At, Exit, Send, Start, Wait
from harness.serve.launch import make_folder, remove_folder
from harness.serve.machine import Silent
from harness.serve.scheduler import run_real, run_virtual
from harness.serve.services import Services
from harness.serve.sockets import SocketNetwork
from harness.serve.stage import Stage
from harness.serve.virtual import VirtualHost
from harness.wire.frame import Frame
from harness.wire.http_text import reply
from harness.wire.jsontext import dumps, loads
from tests.harness.serve.machines import Counter

if TYPE_CHECKING:
    from harness.faults.steps import Handler

ADDRESS = "tcp:127.0.0.1:8791"
LINES_ADDRESS = "unix:/trailcam/lines.sock"


class Oracle(Silent):
    """Adds what it is sent to the world's number, and answers with it; `/stay` keeps the connection, `/slow` waits."""

    wires: Mapping[str, str] = {"stdio": "http"}
    moments = ("before_effect", "after_effect")

    def received(self, wire: str, frame: Frame) -> Handler:
        if frame.problem is not None or not isinstance(frame.value, dict):
            yield Send(reply(400, dumps({"error": frame.problem.code if frame.problem else "no value"})))
            yield Exit(0)
            return
        if frame.method == "POST /slow":
            yield Wait(20_000)
        if frame.method == "POST /child":
            yield Start("kid", "echo", [])
        if frame.method == "POST /loud":
            yield Send(b"loud\n", stream="err")
        asked: Any = loads(str(frame.value["body"] or "{}"))
        yield At("before_effect", {"verb": "add"})
        self.world.add(self.given.p, asked.get("amount", 0))
        yield At("after_effect", {"verb": "add"})
        text = dumps({"number": self.world.number})
        if frame.method == "POST /stay":
            yield Send(reply(200, text, [("Connection", "keep-alive")]))
        else:
            yield Send(reply(200, text))
            yield Exit(0)


class Stubborn(Silent):
    """Lines; takes no notice of the end of its connection."""

    def received(self, wire: str, frame: Frame) -> Handler:
        yield Send(b"heard " + frame.raw)

    def ended(self, wire: str) -> Handler:
        yield from ()


MACHINES = {"oracle": Oracle, "stubborn": Stubborn}
SERVICES = {"oracle": ADDRESS, "stubborn": LINES_ADDRESS}
Client = Callable[[Any, list[Any]], Awaitable[None]]


class Ran(NamedTuple):
    """What a client noted, the world record, the journal, the stage, and the census."""

    noted: list[Any]
    world: list[dict[str, Any]]
    journal: list[dict[str, Any]]
    stage: Stage
    census: list[dict[str, Any]]


class PlainHost:
    """The smallest host of process runs: it opens real sockets."""

    async def dial(self, address: str) -> anyio.abc.ByteStream:
        scheme, _, rest = address.partition(":")
        if scheme == "unix":
            return await anyio.connect_unix(rest)
        host, _, port = rest.rpartition(":")
        return await anyio.connect_tcp(host, int(port))

    async def listen(self, address: str) -> Any:
        scheme, _, rest = address.partition(":")
        if scheme == "unix":
            return await anyio.create_unix_listener(rest)
        host, _, port = rest.rpartition(":")
        return await anyio.create_tcp_listener(local_host=host, local_port=int(port))


class SocketHost:
    """What a run makes of it."""

    def __init__(self, network: SocketNetwork) -> None:
        self.network = network

    async def dial(self, address: str) -> anyio.abc.ByteStream:
        return await self.network.dial(PlainHost(), address)

    async def listen(self, address: str) -> Any:
        return await self.network.listen(PlainHost(), address)


def sheet_of(plan: Any = None, **more: Any) -> dict[str, Any]:
    return {"v": 1, "seed": 3, "world": {"number": 1}, "services": SERVICES, "plan": plan, **more}


def play(mode: str, client: Client, plan: Any = None, **more: Any) -> Ran:
    """Run a client in `virtual` or `process` mode."""
    noted: list[Any] = []
    folder: Path | None = make_folder(()) if mode == "process" else None

    async def main() -> Stage:
        stage = Stage(sheet_of(plan, **more), MACHINES, Counter, clock=trio.current_time)
        stage.plan.census = Census()
        async with trio.open_nursery() as nursery:
            host: Any
            if folder is None:
                host = VirtualHost(stage, nursery, 3)
            else:
                host = SocketHost(SocketNetwork(Services(stage, nursery), folder))
            await client(host, noted)
            while stage.living():
                await trio.sleep(0.01)
            nursery.cancel_scope.cancel()
        return stage

    try:
        stage = run_virtual(main, 3) if folder is None else run_real(main)
        left = [] if folder is None else list(folder.iterdir())
    finally:
        if folder is not None:
            remove_folder(folder)
    assert left == [], "no socket stays in the run folder"
    assert stage.plan.census is not None
    return Ran(noted, stage.events, stage.journal, stage, stage.plan.census.places())


def post(path: str, body: str = '{"amount":2}') -> bytes:
    return f"POST {path} HTTP/1.1\r\nHost: oracle\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode()


async def read_all(stream: Any) -> bytes:
    """All up to the end, however that comes."""
    data = b""
    try:
        while True:
            data += await stream.receive()
    except (anyio.EndOfStream, anyio.BrokenResourceError, anyio.ClosedResourceError):
        return data


async def ask(host: Any, path: str = "/add", body: str = '{"amount":2}', address: str = ADDRESS) -> bytes:
    """One request on a connection of its own; all that comes back."""
    stream = await host.dial(address)
    try:
        await stream.send(post(path, body))
        return await read_all(stream)
    finally:
        await stream.aclose()


def fault(name: str, args: Any = None, **at: Any) -> dict[str, Any]:
    entry = {"id": "f1", "fault": name, "at": {"program": "oracle", **at}, "args": args or {}}
    return {"v": 1, "faults": [entry]}
