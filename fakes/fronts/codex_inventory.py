"""`mcpServerStatus/list`: what the MCP servers offer, taken from a process that is not the one that serves calls.

Each server is started a second time, listed and ended; so a list may look healthy while every call fails. The newer
version asks the thread's own process where serverName says so, and, for tools alone, once that process is up. A full
list also asks for resources. Source: trailcam facts on codex app-server, sections 0 and 4; tapes s05, s20, s42; which
process is asked was measured again on both versions.
"""

from __future__ import annotations

from fakes.fronts.codex_server import CONNECTED, FAILED, RESOURCES, STARTING
from harness.faults.steps import Send, Signal, Until, Wait

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator
    from typing import Any

    from fakes.fronts.codex import AppServer
    from fakes.fronts.codex_server import Connection, Spec
    from fakes.fronts.codex_thread import Thread
    from harness.faults.steps import Handler, Step
    from harness.wire.jsontext import Json

SIGKILL = 9
ENDING_MS = 20
"""How long a listed server has after SIGTERM."""


class Inventory:
    """Of one process. `open`: how many lists are on their way, for which `ready` may be held."""

    __slots__ = ("_server", "open", "key")

    def __init__(self, server: AppServer) -> None:
        self._server = server
        self.open = 0
        self.key = f"codex:{server.p}:listed"

    def serve(self, id: Json, params: dict[str, Json]) -> Handler:
        server = self._server
        thread: Thread | None = None
        if params.get("threadId") is not None:
            thread = yield from server.find_thread(id, params["threadId"])
            if thread is None:
                return
        named = params.get("serverName") if server.profile.server_name else None
        specs = [spec for spec in server.specs() if named is None or spec.name == named]
        start, count, wrong = _page(params, len(specs))
        if wrong and server.profile.cursor_first:
            yield from server.output.refuse(id, -32600, wrong)
            return
        yield Wait(server.settings["list_ms"])
        self.open += 1
        server.free_turn()
        full = params.get("detail") != "toolsAndAuthOnly"
        own: list[Connection] = []
        for spec in specs if wrong else specs[start : start + count]:
            own.append((yield from self._connection(thread, spec, named is not None, full)))
        if wrong:
            yield from server.output.refuse(id, -32600, wrong)
            yield from self._done(own)
            return
        if thread is not None:
            yield from self._order(thread)
        entries = [connection.entry(self._names(connection), self._runtime(thread, connection)) for connection in own]
        end = start + count
        cursor = str(end) if end < len(specs) else None
        yield from server.output.reply(id, {"result": {"data": entries, "nextCursor": cursor}})
        yield from self._done(own)

    def _connection(
        self, thread: Thread | None, spec: Spec, named: bool, full: bool
    ) -> Generator[Step, Any, Connection]:
        """The connection to list from, when it is up or has failed and has been asked for everything."""
        server = self._server
        own = thread.connections.get(spec.name) if thread is not None else None
        ready = own is not None and own.status == CONNECTED and not own.closed
        if own is not None and (named or (ready and not full and server.profile.ready_reused)):
            connection = own
        else:
            connection = server.servers.new(spec, None)
            yield from server.servers.start(connection)
        while connection.status == STARTING:
            yield Until(connection.key)
        if full and connection.status == CONNECTED and not connection.closed:
            methods = list(RESOURCES)
            for method in reversed(methods) if server.drawn() else methods:
                yield Send(connection.list_resources(method), connection.wire)
            while len(connection.resources) < len(methods) and not connection.closed:
                yield Until(connection.key)
        return connection

    def _order(self, thread: Thread) -> Handler:
        """Where the seed has it so, the list comes after the thread's own servers were told ready or failed."""
        for connection in thread.connections.values():
            while connection.ready_first and not connection.announced:
                yield Until(connection.key)

    def _names(self, connection: Connection) -> list[str]:
        names = [str(tool["name"]) for tool in connection.tools]
        if self._server.settings["shuffle"]:
            self._server.given.rng.shuffle(names)
        return names

    def _runtime(self, thread: Thread | None, listed: Connection) -> str | None:
        if thread is None:
            return None
        own = thread.connections[listed.spec.name]
        return FAILED if own.closed and own.announced else own.status if own.announced else STARTING

    def _done(self, own: list[Connection]) -> Handler:
        """The list was answered: those who waited for it go on, and what was started for it ends."""
        self.open -= 1
        self._server.world.wake(self.key)
        listed = [connection for connection in own if connection.thread is None]
        for connection in listed:
            yield from self._server.servers.end(connection)
        if listed:
            yield Wait(ENDING_MS)
        for connection in listed:
            if not connection.reaped:
                yield Signal(connection.wire, SIGKILL)


def _page(params: dict[str, Json], total: int) -> tuple[int, int, str | None]:
    """(first, how many, what is wrong with the cursor)."""
    cursor, limit = params.get("cursor"), params.get("limit")
    text = "0" if cursor is None else str(cursor)
    if not (text.isascii() and text.isdigit()):
        return 0, 0, f"invalid cursor: {text}"
    if int(text) > total:
        return 0, 0, f"cursor {text} exceeds total MCP servers {total}"
    return int(text), max(1, limit) if isinstance(limit, int) else total, None
