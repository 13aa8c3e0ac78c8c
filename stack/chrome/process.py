"""The native host: the process that the browser starts, between the extension (standard input and output) and servers.

Standard output has messages and nothing else; what there is to say otherwise goes to standard error, without content
of any message. It ends when the browser closes its standard input, whatever else is going on (orphans that ignore that
are the largest class of public reports on native hosts).
"""

from __future__ import annotations

import hmac
import sys
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from importlib.metadata import version
from typing import Final

import anyio
from anyio.abc import ByteReceiveStream, ByteSendStream, ByteStream

from stack.chrome import endpoint as meeting
from stack.chrome import ipc
from stack.chrome.framing import Frames, FramingError, framed
from stack.chrome.ipc import FROM_SERVER, kind_of
from stack.chrome.relay import Relay, Server
from stack.chrome.schema import EXTENSION_ID, PROTOCOL, Invalid, message_of
from stack.chrome.timing import HEARTBEAT_MS, HELLO_MS, LAST_WORDS_MS, STALLED_MS, is_dead
from stack.contract import Host, Json

COMMAND: Final = "browser-host"
"""The command of `trailcam-stack` that runs it."""
ORIGIN: Final = f"chrome-extension://{EXTENSION_ID}/"
OK, REFUSED, BROKEN = 0, 2, 3
"""Exit status: the browser closed the connection; origin or version was refused; the extension broke the protocol, or
no socket could be made."""
VERSION: Final = version("trailcam")
OUR_HELLO: Final[Json] = {"v": 1, "type": "hello", "role": "host", "protocol": PROTOCOL, "version": VERSION}
GONE: Final = (anyio.BrokenResourceError, anyio.ClosedResourceError, anyio.EndOfStream)


class Refusal(Exception):
    """The connection to the extension ends for this reason, which it is told."""

    def __init__(self, status: int, reason: str, message: str) -> None:
        super().__init__(f"{reason}: {message}")
        self.status = status
        self.reason = reason
        self.message = message


def check_origin(argv: Sequence[str]) -> str:
    """The origin among the arguments that the browser gives. Raises Refusal for any but ours.

    Chrome gives the origin first; on Windows `--parent-window=` follows. Nothing else is ever given.
    """
    if not argv or argv[0] != ORIGIN:
        raise Refusal(REFUSED, "unauthorised", "this host is started by one extension alone")
    if not all(each.startswith("--parent-window=") and each[16:].isdigit() for each in argv[1:]):
        raise Refusal(REFUSED, "unauthorised", "an argument that no browser gives")
    return argv[0]


async def main(
    host: Host, argv: Sequence[str], stdin: ByteReceiveStream, stdout: ByteSendStream, stderr: ByteSendStream
) -> int:
    """Run the host to its end; its exit status."""

    async def say(text: str) -> None:
        try:
            await stderr.send(f"trailcam browser-host: {text}\n".encode("ascii", "backslashreplace"))
        except GONE:
            return  # nobody reads diagnostics

    try:
        return await NativeHost(host, stdin, stdout, say).run(argv)
    except Refusal as refusal:
        await say(str(refusal))
        if refusal.reason == "protocol_mismatch":
            try:
                meeting.post(host, meeting.Notice(host.parent(), refusal.message))
            except OSError as error:
                await say(f"servers can't be told ({type(error).__name__})")
        if refusal.reason in ("protocol_mismatch", "unauthorised"):
            await _write(stdout, framed(ipc.refusal(refusal.reason, refusal.message)))  # the first of all: it fits
        return refusal.status


async def _write(stream: ByteSendStream, data: bytes) -> None:
    try:
        await stream.send(data)
    except GONE:
        return  # the end of the stream is seen by its reader


class NativeHost:
    """One run of the host. say: writes a diagnostic."""

    def __init__(
        self, host: Host, stdin: ByteReceiveStream, stdout: ByteSendStream, say: Callable[[str], Awaitable[None]]
    ) -> None:
        self._host = host
        self._stdin = stdin
        self._stdout = stdout
        self._say = say
        self._frames = Frames()
        self._waiting: list[Json] = []
        self._one_frame = anyio.Lock()
        self._numbers = 0
        self._asked_to_say = False
        """Whether the extension owes a sign of life."""
        self._quiet = anyio.CancelScope()

    async def run(self, argv: Sequence[str]) -> int:
        """Raises Refusal."""
        origin = check_origin(argv)
        hello = await self._hello()
        if hello is None:
            return OK
        try:
            meeting.unpost(self._host, self._host.parent())
            await meeting.sweep(self._host)
            endpoint = meeting.make_endpoint(self._host, origin, VERSION)
            listener = await self._host.listen(endpoint.address)
        except OSError as error:
            raise Refusal(BROKEN, "bridge_disconnected", f"no local socket ({type(error).__name__})") from None
        failed: list[Refusal] = []
        try:
            meeting.publish(self._host, endpoint)  # before the extension knows of a host, so that a server finds it
            await self._send(framed(OUR_HELLO))
            async with anyio.create_task_group() as tasks:
                relay = Relay(tasks, self._send, hello, self._ask_to_say)
                tasks.start_soon(listener.serve, partial(self._greet, relay, endpoint.token))
                tasks.start_soon(self._beat, relay)
                try:
                    await self._read(relay)
                except Refusal as refusal:
                    failed.append(refusal)
                with anyio.move_on_after(LAST_WORDS_MS / 1000):
                    await self._part(relay, failed)
                tasks.cancel_scope.cancel()
        finally:
            meeting.withdraw(self._host, endpoint)
            await listener.aclose()
        if failed:
            raise failed[0]
        return OK

    # The extension

    async def _hello(self) -> Json:
        """The extension's hello; None where the browser closed the connection before it."""
        message: Json = None
        with anyio.move_on_after(HELLO_MS / 1000) as limit:
            message = await self._next()
            if message is None:
                return None
        if limit.cancelled_caught:
            raise Refusal(REFUSED, "protocol_mismatch", f"no hello within {HELLO_MS} ms")
        try:
            kind = message_of(message)
        except Invalid as error:
            raise Refusal(REFUSED, "protocol_mismatch", f"the first message {error}") from None
        if kind != "hello_extension" or not isinstance(message, dict):
            raise Refusal(REFUSED, "protocol_mismatch", "the first message is no hello")
        offered = message["protocol"]
        assert isinstance(offered, dict)  # as the schema has it
        low, high = offered["min"], offered["max"]
        if not (isinstance(low, int) and isinstance(high, int) and low <= PROTOCOL <= high):
            raise Refusal(REFUSED, "protocol_mismatch", f"protocols {low} to {high}; this host speaks {PROTOCOL}")
        if message["id"] != EXTENSION_ID:
            raise Refusal(REFUSED, "unauthorised", "the hello of another extension")
        return message

    async def _next(self) -> Json:
        """The next message; None at the end of the stream. Raises Refusal where there is none that can be read."""
        while not self._waiting:
            limit_ms = STALLED_MS if self._frames.open or self._asked_to_say else None
            try:
                data = await self._received(limit_ms)
            except GONE:
                try:
                    self._frames.end()
                except FramingError as error:
                    raise Refusal(BROKEN, "invalid_message", str(error)) from None
                return None
            try:
                self._asked_to_say = self._asked_to_say and not data
                for message in self._frames.feed(data):
                    if message is None:
                        raise FramingError("not_json", "null, which is no message")
                    self._waiting.append(message)
            except FramingError as error:
                raise Refusal(BROKEN, "invalid_message", str(error)) from None
        return self._waiting.pop(0)

    async def _received(self, limit_ms: int | None) -> bytes:
        """What comes next. Raises Refusal where the extension stops within a message, or says nothing when it is asked
        to; what GONE has at the end of the stream."""
        if limit_ms is not None:
            with anyio.move_on_after(limit_ms / 1000):
                return await self._stdin.receive()
            raise Refusal(BROKEN, "invalid_message", f"silence of {limit_ms} ms where something had to come")
        with anyio.CancelScope() as self._quiet:
            return await self._stdin.receive()
        return b""

    async def _ask_to_say(self) -> None:
        """A request was not answered in time: let the extension show that it lives."""
        self._asked_to_say = True
        await self._send(framed({"v": 1, "type": "ping", "n": 0}))
        self._quiet.cancel()

    async def _read(self, relay: Relay) -> None:
        """Read the extension until the end of the stream. Raises Refusal where it breaks the protocol."""
        while (message := await self._next()) is not None:
            try:
                kind = message_of(message)
                assert isinstance(message, dict)
                if kind in ("response_done", "response_failed"):
                    await relay.answer(message)
                elif kind == "event":
                    await relay.event(message)
                elif kind == "ping":
                    await self._send(framed({"v": 1, "type": "pong", "n": message["n"]}))
                elif kind == "hello_extension":
                    raise Invalid("/type", "is a second hello")
            except Invalid as error:
                raise Refusal(BROKEN, "invalid_message", f"a message of the extension: {error}") from None

    async def _send(self, frame: bytes) -> None:
        """One frame at a time, whole."""
        async with self._one_frame:
            await _write(self._stdout, frame)

    async def _part(self, relay: Relay, failed: Sequence[Refusal]) -> None:
        reason, why = "bridge_disconnected", "the browser has closed the connection"
        if failed:
            reason, why = failed[0].reason, failed[0].message
        for server in list(relay.servers.values()):
            await server.send(ipc.refusal(reason, why))

    # Servers

    async def _greet(self, relay: Relay, token: str, stream: ByteStream) -> None:
        """One connection of a server, from its greeting to its end."""
        async with stream:
            lines = ipc.Lines()
            reason = await self._refusal_of(stream, lines, token)
            if reason is not None:
                await self._say(f"a server was refused: {reason[0]}")
                await _write(stream, ipc.line(ipc.refusal(*reason)))
                return
            self._numbers += 1
            one = anyio.Lock()

            async def send(message: Json) -> None:
                async with one:
                    await _write(stream, ipc.line(message))

            server = Server(self._numbers, send, stream.aclose, anyio.current_time())
            relay.servers[server.number] = server
            await send({
                "v": 1, "type": "hello", "role": "host", "protocol": PROTOCOL, "version": VERSION,
                "extension": relay.extension,
            })  # fmt: skip
            try:
                await self._hear(relay, server, stream, lines)
            finally:
                await relay.drop(server)

    async def _refusal_of(self, stream: ByteStream, lines: ipc.Lines, token: str) -> tuple[str, str] | None:
        """Why a server is not let in; None where it is. The greeting is read, and nothing beyond it."""
        try:
            if not self._host.is_mine(stream):
                return "unauthorised", "a process of another user"
        except OSError:
            return "unauthorised", "nobody can say whose process this is"
        message: Json = None
        with anyio.move_on_after(HELLO_MS / 1000):
            try:
                message = await _first(stream, lines)
                kind = kind_of(message, FROM_SERVER)
            except (Invalid, FramingError) as error:
                return "protocol_mismatch", f"the greeting {error}"
            if kind != "hello_server" or not isinstance(message, dict):
                return "protocol_mismatch", "the first message is no greeting"
            if not same(str(message["token"]), token):
                return "unauthorised", "the token is another one"
            offered = message["protocol"]
            assert isinstance(offered, dict)
            low, high = offered["min"], offered["max"]
            if not (isinstance(low, int) and isinstance(high, int) and low <= PROTOCOL <= high):
                return "protocol_mismatch", f"protocols {low} to {high}; this host speaks {PROTOCOL}"
            return None
        return "protocol_mismatch", f"no greeting within {HELLO_MS} ms"

    async def _hear(self, relay: Relay, server: Server, stream: ByteStream, lines: ipc.Lines) -> None:
        while True:
            try:
                messages = list(lines.feed(await stream.receive()))
                kinds = [kind_of(message, FROM_SERVER) for message in messages]
            except GONE:
                return
            except (Invalid, FramingError) as error:
                await self._say(f"a server broke the protocol: {error}")
                await server.send(ipc.refusal("invalid_message", str(error)))
                return
            server.heard = anyio.current_time()
            for kind, message in zip(kinds, messages, strict=True):
                assert isinstance(message, dict)
                if kind == "request":
                    await relay.request(server, message)
                elif kind == "ping":
                    await server.send({"v": 1, "type": "pong", "n": message["n"]})
                elif kind == "hello_server":
                    await server.send(ipc.refusal("protocol_mismatch", "a second greeting"))
                    return

    async def _beat(self, relay: Relay) -> None:
        """Heartbeats, by which a server knows that this host lives; servers that have none are dropped."""
        beat = 0
        while True:
            await anyio.sleep(HEARTBEAT_MS / 1000)
            beat += 1
            for server in list(relay.servers.values()):
                if is_dead((anyio.current_time() - server.heard) * 1000):
                    await relay.drop(server)
                else:
                    await server.send({"v": 1, "type": "ping", "n": beat})


async def _first(stream: ByteStream, lines: ipc.Lines) -> Json:
    """The first message. Raises FramingError where the stream ends before it, or says more than it."""
    while True:
        try:
            messages = list(lines.feed(await stream.receive()))
        except GONE:
            raise FramingError("half_frame", "the end before a greeting") from None
        if messages:
            if len(messages) > 1:
                raise FramingError("not_json", "more than a greeting before the answer to it")
            return messages[0]


def same(given: str, wanted: str) -> bool:
    """Whether two tokens are the same, in a time that does not tell where they differ."""
    return hmac.compare_digest(given.encode(), wanted.encode())


def command(argv: Sequence[str], host: Host) -> int:
    """Run the host on this process's own standard streams; its exit status."""
    return anyio.run(_on_standard_streams, host, tuple(argv), backend="trio")


async def _on_standard_streams(host: Host, argv: Sequence[str]) -> int:
    from stack.serving.stdio import standard_streams

    async with standard_streams() as (stdin, stdout):
        return await main(host, argv, stdin, stdout, Diagnostics())


class Diagnostics(ByteSendStream):
    """Standard error of this process, which the browser's other children share: written to, and not changed."""

    async def send(self, item: bytes) -> None:
        sys.stderr.write(item.decode("ascii"))
        sys.stderr.flush()
        await anyio.lowlevel.checkpoint()

    async def aclose(self) -> None:
        await anyio.lowlevel.checkpoint()
