"""Asking a session's server. A server that is gone is an error of its own, never a broken pipe.

Separate from the commands, which only say what is asked. A dead server's socket is recognised, said and cleared by the
next command; what was under way when a server died may have happened.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Final

import anyio

from stack.contract import Host, Json, Reply
from stack.errors import CallError, StackError
from stack.session import place
from stack.session.wire import ENDS, Lines, reply_of

Spawn = Callable[[str], Awaitable[None]]
"""Starts the server of a session of this name; it need not listen yet."""
START_MS: Final = 15_000
POLL_MS: Final = 50


class SessionOver(StackError):
    """The server of the session is gone."""


class Client:
    """A connection to one session's server. Whoever has it closes it."""

    def __init__(self, name: str, lines: Lines) -> None:
        self._name = name
        self._lines = lines

    async def ask(self, call: str, arguments: Mapping[str, Json], *, ref: bool = False) -> Reply:
        """One call. SessionOver where the server is gone: unknown for an action that was on its way. What it has left
        is cleared by the next command: by now it may be a new server's."""
        try:
            await self._lines.send({"call": call, "arguments": dict(arguments), "ref": ref})
            return reply_of(await self._lines.receive())
        except ENDS:
            seen = f"the server of the session {self._name} has ended"
            raise SessionOver("session_dead", seen, outcome="unknown" if call == "act" else "refused") from None

    async def aclose(self) -> None:
        await self._lines.aclose()


async def connect(host: Host, name: str) -> Client:
    """A connection to the session of this name. CallError `no_session`, SessionOver where its server is dead."""
    place.check_name(name)
    state, stream = await _reached(host, name)
    if state is place.State.DEAD:
        place.clear(host, name)
        raise SessionOver("session_dead", f"the server of the session {name} has ended; its socket was cleared")
    if stream is None:
        raise CallError("no_session", f"there is no session of the name {name}")
    return Client(name, stream)


async def begin(host: Host, name: str, spawn: Spawn, say: Callable[[str], None]) -> Client:
    """Start the server of a new session and connect to it. CallError where the name is taken."""
    place.check_name(name)
    state, lines = await _reached(host, name)
    if lines is not None:
        await lines.aclose()
        raise CallError("session_taken", f"a session of the name {name} is open")
    if state is place.State.DEAD:
        place.clear(host, name)
        say(f"the server of an older session {name} had died; its socket was cleared")
    await spawn(name)
    with anyio.move_on_after(START_MS / 1000):
        while True:
            if place.file_of(name) in host.published():
                state, lines = await _reached(host, name)
                if lines is not None:
                    return Client(name, lines)
            await anyio.sleep(POLL_MS / 1000)
    raise StackError("session_unreachable", f"the session's server did not listen within {START_MS} ms")


async def _reached(host: Host, name: str) -> tuple[place.State, Lines | None]:
    try:
        state, stream = await place.reach(host, name)
    except OSError as error:
        raise StackError("session_unreachable", f"the session's socket can't be used: {error.strerror}") from None
    return state, None if stream is None else Lines(stream)
