"""A native host and its two sides in virtual time: an extension by hand, and servers by hand or by the stack."""

from __future__ import annotations

import json
import struct
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeVar

import anyio
import trio
from anyio.abc import ByteStream

from harness.serve.memory import Pipe, Reader, Writer
from harness.serve.scheduler import run_virtual
from harness.serve.stage import Stage
from harness.serve.virtual import VirtualHost, new_network
from stack.chrome import ipc
from stack.chrome.endpoint import Endpoint, endpoints
from stack.chrome.process import ORIGIN, main
from stack.chrome.schema import BOUNDS, EXTENSION_ID
from stack.contract import AskFailed, Question
from tests.fakes.conformance.rig import Bare

T = TypeVar("T")
INSTANCE = "0" * 31 + "1"
DOCUMENT = "A" * 32
NONCE = "b" * 32
HELLO: dict[str, Any] = {
    "v": 1, "type": "hello", "role": "extension", "protocol": {"min": 1, "max": 1}, "version": "0.1.0",
    "id": EXTENSION_ID, "instance": INSTANCE, "browser": {"name": "chrome", "version": "156.0"},
    "capabilities": ["snapshot"], "bounds": dict(BOUNDS),
}  # fmt: skip
SERVER = "c" * 32


def snapshot(*names: str, url: str = "https://a.test/", document: str = DOCUMENT) -> dict[str, Any]:
    """A result of the verb `snapshot` with a button of each name."""
    ref = {"instance": INSTANCE, "tab_id": 1, "frame_id": 0, "document_id": document, "nonce": NONCE, "generation": 1}
    nodes = [
        {"id": f"0:{n}", "frame_id": 0, "frame_ancestry": [], "parent": None, "role": "button", "name": name,
         "description": "", "value": None, "states": {}, "actions": ["activate", "set_value"],
         "bounds": {"space": "frame_css_px", "x": 1, "y": 2, "w": 3, "h": 4}}
        for n, name in enumerate(names, 1)
    ]  # fmt: skip
    return {
        "provider": "chrome_extension", "snapshot_id": "d" * 32,
        "target": {"instance": INSTANCE, "browser": "chrome", "window_id": 1, "tab_id": 1, "frame_id": 0,
                   "document_id": document, "url": url, "title": "A"},
        "coverage": "complete", "reasons": [],
        "frames": [{"frame_id": 0, "parent_frame_id": None, "ancestry": [], "read": True, "ref": ref}], "nodes": nodes,
    }  # fmt: skip


def frame(value: Any) -> bytes:
    body = value if isinstance(value, bytes) else json.dumps(value, ensure_ascii=False).encode()
    return struct.pack("=I", len(body)) + body


class OneAtATime(ByteStream):
    """A stream that takes a moment for what is sent, and like a real one lets nobody else send meanwhile."""

    def __init__(self, stream: ByteStream) -> None:
        self._stream = stream
        self._guard = anyio.ResourceGuard("writing to")

    async def receive(self, max_bytes: int = 65536) -> bytes:
        return await self._stream.receive(max_bytes)

    async def send(self, item: bytes) -> None:
        with self._guard:
            await anyio.sleep(0.001)
            await self._stream.send(item)

    async def send_eof(self) -> None:
        await self._stream.send_eof()

    async def aclose(self) -> None:
        await self._stream.aclose()


def one_at_a_time(host: Any) -> Any:
    """A host whose connections are such streams."""
    dial, listen = host.dial, host.listen

    async def dialled(address: str) -> ByteStream:
        return OneAtATime(await dial(address))

    async def listening(address: str) -> Any:
        listener = await listen(address)
        serve = listener.serve
        listener.serve = lambda handler: serve(lambda stream: handler(OneAtATime(stream)))
        return listener

    host.dial, host.listen = dialled, listening
    return host


class Started:
    """A host that was started: the extension's end of it. room: bytes that it can write before somebody reads them."""

    def __init__(self, room: int = 1 << 23) -> None:
        self._in, self._out = Pipe(1 << 23), Pipe(room)
        self.into, self._from = Writer(self._in), Reader(self._out)
        self.said = bytearray()
        self.status: int | None = None
        self.ended_s = 0.0
        self.over = trio.Event()
        self._tail = b""

    async def run(self, host: Any, argv: list[str]) -> None:
        class Errors(Writer):
            async def send(inner, item: bytes) -> None:
                self.said += item

        class Alone(Writer):
            async def send(inner, item: bytes) -> None:
                with alone:
                    await super().send(item)

        alone = anyio.ResourceGuard("writing to")
        self.status = await main(host, argv, Reader(self._in), Alone(self._out), Errors(Pipe()))
        self.ended_s = trio.current_time()
        self._out.close_writer()
        self.over.set()

    async def send(self, *values: Any) -> None:
        await self.into.send(b"".join(map(frame, values)))

    async def hear(self) -> Any:
        """The next message; None at the end."""
        while len(self._tail) < 4 or len(self._tail) < 4 + struct.unpack("=I", self._tail[:4])[0]:
            try:
                self._tail += await self._from.receive()
            except anyio.EndOfStream:
                return None
        (length,) = struct.unpack("=I", self._tail[:4])
        body, self._tail = self._tail[4 : 4 + length], self._tail[4 + length :]
        return json.loads(body)

    async def answer(self, result: Any) -> Any:
        """Answer the next request with a result; the request."""
        request = await self.hear()
        await self.send({"v": 1, "type": "response", "id": request["id"], "ok": True, "result": result})
        return request

    async def fail(self, reason: str, **detail: Any) -> Any:
        request = await self.hear()
        error: dict[str, Any] = {"reason": reason, "message": "no"}
        if detail:
            error["detail"] = detail
        await self.send({"v": 1, "type": "response", "id": request["id"], "ok": False, "error": error})
        return request


class Line:
    """A server's end of a connection, by hand."""

    def __init__(self, stream: ByteStream) -> None:
        self.stream = stream
        self._tail = b""

    async def say(self, value: Any) -> None:
        await self.stream.send(value if isinstance(value, bytes) else ipc.line(value))

    async def hear(self) -> Any:
        """The next message but heartbeats; None at the end."""
        while True:
            while b"\n" not in self._tail:
                try:
                    self._tail += await self.stream.receive()
                except (anyio.EndOfStream, anyio.BrokenResourceError):
                    return None
            line, _, self._tail = self._tail.partition(b"\n")
            value = json.loads(line)
            if value["type"] != "ping":
                return value

    async def ask(self, verb: str, params: Any, id: str = "r1", deadline_ms: int = 1000) -> None:
        await self.say(
            {"v": 1, "type": "request", "id": id, "verb": verb, "deadline_ms": deadline_ms, "params": params}
        )


class Rig:
    """One user's machine. parent: number of the browser's process for hosts that are started."""

    def __init__(self, nursery: trio.Nursery) -> None:
        self.nursery = nursery
        stage = Stage({"v": 1}, {}, Bare, clock=trio.current_time)
        self._network = new_network(stage, nursery)
        self._stage = stage
        self.meeting: dict[str, bytes] = {}
        self._hosts = 0

    def host(self, parent: int = 7) -> Any:
        """A host of this user; of the port that the stack has (`check_host`), in the harness's own types."""
        self._hosts += 1
        return VirtualHost(self._stage, self.nursery, self._hosts, "", set(), self.meeting, parent, self._network)

    async def start(self, hello: Mapping[str, Any] | None = HELLO, argv: tuple[str, ...] = (ORIGIN,), parent: int = 7,
                    host: Any = None, room: int = 1 << 23) -> Started:  # fmt: skip
        """Start a native host, and exchange greetings where `hello` is given."""
        started = Started(room)
        self.nursery.start_soon(started.run, host or self.host(parent), list(argv))
        if hello is not None:
            await started.send(hello)
            assert (await started.hear())["role"] == "host"
            await anyio.sleep(0.01)
        return started

    def endpoint(self) -> Endpoint:
        (found,) = endpoints(self.host())
        return found

    async def dial(self, *, token: str | None = None, greet: bool = True) -> Line:
        """A server by hand; its greeting is answered where greet is true."""
        endpoint = self.endpoint()
        line = Line(await self.host().dial(endpoint.address))
        await line.say(ipc.hello(endpoint.token if token is None else token, SERVER))
        if greet:
            assert (await line.hear())["role"] == "host"
        return line


def play(body: Callable[[Rig], Awaitable[T]]) -> T:
    """Run a test's body in virtual time."""

    async def main() -> T:
        async with trio.open_nursery() as nursery:
            with anyio.fail_after(3600):  # what waits for ever ends here, in no time
                result = await body(Rig(nursery))
            nursery.cancel_scope.cancel()
        return result

    return run_virtual(main, 1)


class Nobody:
    """A caller who is never asked."""

    modes: frozenset[str] = frozenset()

    async def ask(self, question: Question) -> Any:
        raise AskFailed(question.message)

    async def tools_changed(self) -> None:
        raise AskFailed("nobody")
