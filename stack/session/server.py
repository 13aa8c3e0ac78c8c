"""The server of one session: it holds a stack with one window, and answers whoever reaches its socket and is its user.

Separate from the process that it runs in, which a run in virtual time does not have. It ends with its window: after
`close`, where none could be opened, where none was asked for in time, and when it is told to. Leaving it, by an error
too, ends the session.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Final

import anyio
from anyio.abc import ByteStream, Listener

from stack import safari_jxa
from stack.contract import AskFailed, Host, Json, Lease, Question, Reply
from stack.errors import CallError, ProtocolError, StackError
from stack.safari_jxa.driver import SafariJxa
from stack.session import place
from stack.session.wire import ENDS, Lines, answer, failed

OPENS: Final = frozenset({"open", "attach"})
CALLS: Final = frozenset({*OPENS, "observe", "act", "fresh", "text", "status", "close"})
LOCK_TRIES, LOCK_PAUSE_MS = 100, 100
FIRST_MS: Final = 30_000
"""How long a server waits for the window that it is to hold."""


class Nobody:
    """The caller of a server's calls: this driver asks nothing."""

    modes: frozenset[str] = frozenset()

    async def ask(self, question: Question) -> object:
        raise AskFailed("a session's server has nobody to ask")

    async def tools_changed(self) -> None:
        return


class Server:
    """One session. newest: the latest observation that anybody was given; what `act` by a ref is compared with."""

    def __init__(self, host: Host, stack: SafariJxa, leave: Callable[[], Awaitable[None]]) -> None:
        self._leave = leave
        self.newest: Mapping[str, Json] = {}
        self.begun = anyio.Event()
        self.ended = anyio.Event()
        self._host = host
        self._stack = stack

    async def serve(self, stream: ByteStream) -> None:
        """One connection, until its client has gone."""
        lines = Lines(stream)
        try:
            if not self._host.is_mine(stream):
                return
            while True:
                await self._answer(lines)
        except (ProtocolError, *ENDS):
            return
        finally:
            await lines.aclose()

    async def _answer(self, lines: Lines) -> None:
        request = await lines.receive()
        call, arguments = request.get("call"), request.get("arguments")
        if not isinstance(call, str) or not isinstance(arguments, dict):
            raise ProtocolError("not_a_frame", "a line of the session's socket that is no request")
        try:
            reply = await self._run(call, arguments, request.get("ref") is True)
        except StackError as error:
            reply = failed(error)
        ends = call == "close" or (call in OPENS and self._stack.session is None)
        try:
            if ends:
                await self._leave()  # before the answer, so that whoever has it finds no session
            await lines.send(answer(reply))
        finally:
            if ends:
                self.ended.set()

    async def _run(self, call: str, arguments: Mapping[str, Json], by_ref: bool) -> Reply:
        if call not in CALLS:
            raise CallError("unknown_tool", f"a session has no {call[:40]!r}")
        self.begun.set()
        newest = self.newest
        if by_ref and arguments.get("observation") != newest.get("observation"):
            raise CallError("stale_ref", f"a ref of another observation than {newest.get('observation')}, the latest")
        reply = await self._stack.call(call, arguments, Nobody())  # type: ignore[arg-type]
        if reply.code is not None or not isinstance(reply.structured, dict):
            return reply
        if call == "observe":
            self.newest = reply.structured
        if by_ref:
            return replace(reply, structured={**reply.structured, "page": dict(newest)})
        return reply


async def serve(host: Host, settings: safari_jxa.Settings, name: str, stop: anyio.Event | None = None) -> None:
    """Hold a session of this name until it ends. stop: ends it. CallError where the name stays taken, OSError where the
    machine gives it no lock or no socket. What a dead server left is taken over, as listening and publishing do."""
    lease = await _lease(host, name)
    try:
        async with safari_jxa.open(host, settings) as stack:
            await _serve(host, stack, name, stop)
    finally:
        lease.release()


async def _serve(host: Host, stack: SafariJxa, name: str, stop: anyio.Event | None) -> None:
    listener = await host.listen(place.address(host, name))

    async def leave() -> None:
        await listener.aclose()
        place.clear(host, name)

    server = Server(host, stack, leave)
    try:
        host.publish(place.file_of(name), json.dumps({"session": name}).encode())
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_listen, listener, server)
            tasks.start_soon(_first, server)
            if stop is not None:
                tasks.start_soon(_stopped, stop, server)
            await server.ended.wait()
            tasks.cancel_scope.cancel()
    finally:
        with anyio.CancelScope(shield=True):
            await leave()


async def _lease(host: Host, name: str) -> Lease:
    """The lock of the name; an older server of it that is ending is waited for."""
    for _ in range(LOCK_TRIES):
        lease = host.try_lock(place.lock_of(name))
        if lease is not None:
            return lease
        await anyio.sleep(LOCK_PAUSE_MS / 1000)
    raise CallError("session_taken", f"a session of the name {name} is open")


async def _listen(listener: Listener[ByteStream], server: Server) -> None:
    async with anyio.create_task_group() as connections:
        with suppress(anyio.ClosedResourceError):  # it is closed where the session ends
            await listener.serve(server.serve, connections)


async def _first(server: Server) -> None:
    """End a server that nobody has asked for anything."""
    with anyio.move_on_after(FIRST_MS / 1000):
        await server.begun.wait()
    if not server.begun.is_set():
        server.ended.set()


async def _stopped(stop: anyio.Event, server: Server) -> None:
    await stop.wait()
    server.ended.set()
