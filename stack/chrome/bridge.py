"""A server's connection to one native host: greeting, requests with deadlines, cancellation, heartbeats, events.

Separate from `bridges`, which knows several of them. A failure has a reason of the registry; whether the page may have
been acted on (`dispatched`) is said with it, because nothing else decides between refused and unknown.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, Final

import anyio
from anyio.abc import ByteStream, TaskGroup

from stack.chrome import ipc
from stack.chrome.endpoint import Endpoint
from stack.chrome.framing import FramingError
from stack.chrome.ipc import TO_SERVER, kind_of
from stack.chrome.relay import ACTING
from stack.chrome.schema import PROTOCOL, Invalid, check_result
from stack.chrome.timing import HEARTBEAT_MS, HELLO_MS, SERVER_SLACK_MS, is_dead
from stack.contract import Host, Json

GONE: Final = (anyio.BrokenResourceError, anyio.ClosedResourceError, anyio.EndOfStream)
KEPT_EVENTS: Final = 256
TAKEN_BACK_MS: Final = 1_000
"""How long an answer may take after its request was taken back."""


class BridgeError(Exception):
    """A request that failed. reason: of the registry; dispatched: whether the page may have been acted on; detail: what
    the extension said besides."""

    def __init__(
        self, reason: str, message: str, *, dispatched: bool = False, detail: Mapping[str, Json] | None = None
    ) -> None:
        super().__init__(f"{reason}: {message}")
        self.reason = reason
        self.message = message
        self.dispatched = dispatched
        self.detail: Mapping[str, Json] = detail or {}


class Asked:
    """One request that waits for its answer."""

    def __init__(self, verb: str) -> None:
        self.verb = verb
        self.over = anyio.Event()
        self.answer: Mapping[str, Json] | None = None
        self.failed: BridgeError | None = None

    def fail(self, error: BridgeError) -> None:
        self.failed = error
        self.over.set()


class Bridge:
    """One open connection. told: called with each event of the extension."""

    def __init__(self, endpoint: Endpoint, stream: ByteStream, told: Callable[[str, Mapping[str, Json]], None]) -> None:
        self.endpoint = endpoint
        self.extension: Mapping[str, Any] = {}
        self.closed: BridgeError | None = None
        self.events = 0
        """How many events have come."""
        self.latest: deque[tuple[int, str, Mapping[str, Json]]] = deque(maxlen=KEPT_EVENTS)
        """The latest of them, each with its number, from 1."""
        self._stream = stream
        self._lines = ipc.Lines()
        self._told = told
        self._asked: dict[str, Asked] = {}
        self._count = 0
        self._one = anyio.Lock()
        self._heard = anyio.current_time()

    async def greet(self, server: str) -> None:
        """The first exchange. Raises BridgeError: unauthorised, protocol_mismatch or bridge_disconnected."""
        with anyio.move_on_after(HELLO_MS / 1000):
            await self._send(ipc.hello(self.endpoint.token, server))
            try:
                message = await self._first()
                kind = kind_of(message, TO_SERVER)
            except (Invalid, FramingError) as error:
                raise BridgeError("protocol_mismatch", f"the host's first message {error}") from None
            assert isinstance(message, dict)
            if kind == "refused_to_server":
                raise BridgeError(str(message["reason"]), str(message["message"]))
            if kind != "hello_to_server" or message["protocol"] != PROTOCOL:
                raise BridgeError("protocol_mismatch", "the host's first message is no greeting of this protocol")
            extension = message["extension"]
            assert isinstance(extension, dict)
            self.extension = extension
            return
        raise BridgeError("protocol_mismatch", f"no greeting of the host within {HELLO_MS} ms")

    async def _first(self) -> Json:
        while True:
            try:
                messages = list(self._lines.feed(await self._stream.receive()))
            except GONE:
                raise BridgeError("bridge_disconnected", "the host closed the connection") from None
            if messages:
                return messages[0]

    async def run(self) -> None:
        """Read and keep the heartbeat until the connection is over."""
        try:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(self._beat, tasks)
                error = await self._read()
                self._end(error)
                tasks.cancel_scope.cancel()
        finally:
            await self._stream.aclose()

    def _end(self, error: BridgeError) -> None:
        if self.closed is None:
            self.closed = error
        for asked in list(self._asked.values()):
            dispatched = asked.verb in ACTING
            asked.fail(BridgeError(self.closed.reason, self.closed.message, dispatched=dispatched))

    async def _read(self) -> BridgeError:
        while True:
            try:
                messages = list(self._lines.feed(await self._stream.receive()))
                for message in messages:
                    error = self._take(message)
                    if error is not None:
                        return error
            except GONE:
                return self.closed or BridgeError("bridge_disconnected", "the host closed the connection")
            except (Invalid, FramingError) as error:
                return BridgeError("protocol_mismatch", f"the host broke the protocol: {error}")

    def _take(self, message: Json) -> BridgeError | None:
        kind = kind_of(message, TO_SERVER)
        assert isinstance(message, dict)
        self._heard = anyio.current_time()
        if kind == "refused_to_server":
            reason = str(message["reason"])
            return (
                BridgeError("bridge_disconnected", str(message["message"]))
                if reason == "invalid_message"
                else (BridgeError(reason, str(message["message"])))
            )
        if kind == "hello_to_server":
            raise Invalid("/type", "is a second greeting")
        if kind == "event":
            data = message["data"]
            event, row = str(message["event"]), data if isinstance(data, dict) else {}
            self.events += 1
            self.latest.append((self.events, event, row))
            self._told(event, row)
        elif kind in ("response_done", "response_failed"):
            asked = self._asked.get(str(message["id"]))
            if asked is not None:
                if kind == "response_done":
                    check_result(asked.verb, message["result"])
                del self._asked[str(message["id"])]
                asked.answer = message
                asked.over.set()
        return None

    async def _beat(self, tasks: TaskGroup) -> None:
        beat = 0
        while True:
            await anyio.sleep(HEARTBEAT_MS / 1000)
            if is_dead((anyio.current_time() - self._heard) * 1000):
                self._end(BridgeError("bridge_disconnected", "the host has been silent for three heartbeats"))
                tasks.cancel_scope.cancel()
                return
            beat += 1
            await self._send({"v": 1, "type": "ping", "n": beat})

    async def _send(self, message: Json) -> None:
        async with self._one:
            try:
                await self._stream.send(ipc.line(message))
            except GONE:
                return  # the end of the stream is seen by its reader

    async def request(self, verb: str, params: Mapping[str, Json], deadline_ms: int) -> Mapping[str, Any]:
        """Ask the extension; its result. Raises BridgeError.

        Where the scope around is cancelled the request is taken back, and what came of it is raised as `cancelled`, or
        returned where it was answered nevertheless; the caller's next checkpoint raises.
        """
        if self.closed is not None:
            raise BridgeError(self.closed.reason, self.closed.message)
        self._count += 1
        id = f"r{self._count}"
        asked = self._asked[id] = Asked(verb)
        message: Json = {
            "v": 1, "type": "request", "id": id, "verb": verb, "deadline_ms": deadline_ms, "params": dict(params),
        }  # fmt: skip
        try:
            with anyio.move_on_after((deadline_ms + SERVER_SLACK_MS) / 1000) as limit:
                await self._send(message)
                await asked.over.wait()
        except anyio.get_cancelled_exc_class():
            await self._take_back(id, asked)
            if not asked.over.is_set():
                asked.fail(BridgeError("cancelled", "the caller took the request back", dispatched=verb in ACTING))
        finally:
            self._asked.pop(id, None)
        if limit.cancelled_caught and not asked.over.is_set():
            raise BridgeError("timed_out", f"no answer within {deadline_ms} ms", dispatched=verb in ACTING)
        return result_of(asked)

    async def _take_back(self, id: str, asked: Asked) -> None:
        with anyio.move_on_after(TAKEN_BACK_MS / 1000, shield=True):
            self._count += 1
            await self._send({
                "v": 1, "type": "request", "id": f"r{self._count}", "verb": "cancel", "deadline_ms": TAKEN_BACK_MS,
                "params": {"id": id},
            })  # fmt: skip
            await asked.over.wait()

    async def aclose(self) -> None:
        self._end(BridgeError("bridge_disconnected", "this server has closed the connection"))
        await self._stream.aclose()


def result_of(asked: Asked) -> Mapping[str, Any]:
    """The result of a request that is over. Raises BridgeError."""
    if asked.failed is not None:
        raise asked.failed
    answer = asked.answer
    assert answer is not None
    if answer["ok"] is True:
        result = answer["result"]
        assert isinstance(result, dict)  # as the schema has it
        return result
    error = answer["error"]
    assert isinstance(error, dict)
    detail = error.get("detail")
    detail = detail if isinstance(detail, dict) else {}
    dispatched = detail.get("dispatched") is True
    raise BridgeError(str(error["reason"]), str(error["message"]), dispatched=dispatched, detail=detail)


async def connect(
    host: Host, endpoint: Endpoint, server: str, told: Callable[[str, Mapping[str, Json]], None]
) -> Bridge:
    """Dial a host and exchange greetings. Raises BridgeError; ConnectionRefusedError or FileNotFoundError where nobody
    listens there any more."""
    stream = await host.dial(endpoint.address)
    bridge = Bridge(endpoint, stream, told)
    try:
        await bridge.greet(server)
    except BaseException:
        await stream.aclose()
        raise
    return bridge
