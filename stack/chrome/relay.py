"""What goes through a native host: requests of the server that holds the claim, and the extension's answers to them.

Separate from the process around it, which knows streams and their ends. Everything is checked where it comes in; the
ids of a server and those toward the extension are two things, so that no server can answer or take back another's.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

import anyio
from anyio.abc import TaskGroup

from stack.chrome import ipc
from stack.chrome.claim import Claim
from stack.chrome.framing import FramingError, framed
from stack.chrome.schema import BOUNDS, Invalid, check_params, check_result
from stack.chrome.timing import HOST_SLACK_MS
from stack.contract import Json

ACTING: Final = frozenset({"activate", "focus", "set_value", "scroll_into_view", "select_target"})
"""Verbs after whose dispatch something may have happened."""
CANCEL_MS: Final = 1_000


@dataclass(eq=False, slots=True)
class Server:
    """One connection of a server. heard: when something last came from it (seconds of the clock)."""

    number: int
    send: Callable[[Json], Awaitable[None]]
    close: Callable[[], Awaitable[None]]
    heard: float
    names: dict[str, str] = field(default_factory=dict)
    """Id of its request -> id toward the extension."""


@dataclass(frozen=True, slots=True)
class Pending:
    """One request that is with the extension. asked: by whom, None for the host itself."""

    server: Server | None
    id: str
    verb: str
    over: anyio.Event


class Relay:
    """send: writes a frame to the extension. extension: its hello. silent: called where it did not answer in time."""

    def __init__(
        self,
        tasks: TaskGroup,
        send: Callable[[bytes], Awaitable[None]],
        extension: Json,
        silent: Callable[[], Awaitable[None]],
    ) -> None:
        self.extension = extension
        self.claim = Claim()
        self.servers: dict[int, Server] = {}
        self._tasks = tasks
        self._send = send
        self._silent = silent
        self._pending: dict[str, Pending] = {}
        self._count = 0

    # Servers

    async def request(self, server: Server, message: Mapping[str, Json]) -> None:
        """A request of a server, whose form was checked."""
        id, verb, params = str(message["id"]), str(message["verb"]), message["params"]
        deadline_ms = int(str(message["deadline_ms"]))
        try:
            check_params(verb, params)
        except Invalid as error:
            await server.send(ipc.failure(id, "invalid_message", f"params{error}"))
            return
        refused = await self._refusal(server, id)
        if refused is not None:
            await server.send(ipc.failure(id, *refused))
        elif verb == "cancel":
            await self._cancel(server, id, params)
        else:
            await self._ask(server, id, verb, params, deadline_ms)

    async def _refusal(self, server: Server, id: str) -> tuple[str, str] | None:
        holder = self.servers.get(self.claim.holder) if self.claim.holder is not None else None
        silent_ms = (anyio.current_time() - holder.heard) * 1000 if holder is not None else 0
        ruling = self.claim.ask(server.number, silent_ms)
        if ruling == "refuse":
            return "claim_held", "another server of this user is connected to this browser and lives"
        if ruling == "take over" and holder is not None:
            await self.drop(holder)
            self.claim.holder = server.number
        if id in server.names:
            return "invalid_message", "an id that is in use"
        if len(self._pending) >= BOUNDS["in_flight"]:
            return "invalid_message", f"more than {BOUNDS['in_flight']} requests at a time"
        return None

    async def _ask(self, server: Server, id: str, verb: str, params: Json, deadline_ms: int) -> None:
        ours = self._next()
        request: Json = {
            "v": 1, "type": "request", "id": ours, "verb": verb, "deadline_ms": deadline_ms, "params": params,
        }  # fmt: skip
        try:
            frame = framed(request)
        except FramingError as error:
            await server.send(ipc.failure(id, "invalid_message", str(error)))
            return
        pending = self._pending[ours] = Pending(server, id, verb, anyio.Event())
        server.names[id] = ours
        self._tasks.start_soon(self._time_out, ours, pending, deadline_ms)
        await self._send(frame)

    def _next(self) -> str:
        self._count += 1
        return f"q{self._count}"

    async def _time_out(self, ours: str, pending: Pending, deadline_ms: int) -> None:
        with anyio.move_on_after((deadline_ms + HOST_SLACK_MS) / 1000):
            await pending.over.wait()
            return
        if self._forget(ours) is not None and pending.server is not None:
            await self._take_back(ours)
            message = f"the extension has not answered {pending.verb} within {deadline_ms} ms"
            dispatched = True if pending.verb in ACTING else None
            await pending.server.send(ipc.failure(pending.id, "timed_out", message, dispatched=dispatched))
            await self._silent()

    async def _cancel(self, server: Server, id: str, params: Json) -> None:
        named = str(params["id"]) if isinstance(params, dict) else ""
        ours = server.names.get(named)
        if ours is not None:
            await self._take_back(ours)
        result: Json = {"cancelled": ours is not None}
        await server.send({"v": 1, "type": "response", "id": id, "ok": True, "result": result})

    async def _take_back(self, ours: str) -> None:
        """Tell the extension that nobody waits for an answer any more. What it says to that is nobody's."""
        id = self._next()
        self._pending[id] = pending = Pending(None, id, "cancel", anyio.Event())
        self._tasks.start_soon(self._time_out, id, pending, CANCEL_MS)
        await self._send(framed({
            "v": 1, "type": "request", "id": id, "verb": "cancel", "deadline_ms": CANCEL_MS, "params": {"id": ours},
        }))  # fmt: skip

    async def drop(self, server: Server) -> None:
        """A server is gone, or counts as dead: what it had asked is taken back."""
        if self.servers.pop(server.number, None) is None:
            return
        self.claim.gone(server.number)
        for ours in list(server.names.values()):
            if self._forget(ours) is not None:
                await self._take_back(ours)
        await server.close()

    # The extension

    async def answer(self, message: Mapping[str, Json]) -> None:
        """A response of the extension, whose form was checked. Raises Invalid where its result is none of its verb.

        An answer to what nobody waits for any more (its deadline is over, its server gone) is dropped.
        """
        ours = str(message["id"])
        pending = self._pending.get(ours)
        if pending is None:
            return
        if message["ok"] is True:
            check_result(pending.verb, message["result"])
        self._forget(ours)
        if pending.server is not None:
            await pending.server.send({**message, "id": pending.id})

    async def event(self, message: Json) -> None:
        """An event of the extension: it has numbers and no content, and goes to the holder of the claim alone."""
        holder = self.servers.get(self.claim.holder) if self.claim.holder is not None else None
        if holder is not None:
            await holder.send(message)

    def _forget(self, ours: str) -> Pending | None:
        pending = self._pending.pop(ours, None)
        if pending is not None:
            pending.over.set()
            if pending.server is not None:
                pending.server.names.pop(pending.id, None)
        return pending
