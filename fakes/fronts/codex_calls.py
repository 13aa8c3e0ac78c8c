"""`mcpServer/tool/call`: checks, the way to the MCP server and back, the tool timeout, and a transport that closed.

Source: trailcam facts on codex app-server, sections 4 and 5; tapes s02, s03, s05 to s10, s48.
"""

from __future__ import annotations

from fakes.fronts.codex_server import STARTING, Call, failure, outcome, seconds
from harness.faults.steps import At, Send, Until, Wait
from harness.wire.jsontext import encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fakes.fronts.codex import AppServer
    from fakes.fronts.codex_server import Connection
    from harness.faults.steps import Handler
    from harness.wire.frame import Frame
    from harness.wire.jsontext import Json

CLOSED = "Transport closed"
CROWDED_MS = 3
"""How far a call falls back behind the next one, where two are on their way at once and the seed has it so."""
TICK_MS = 0.0005
"""Half a microsecond: what the clock may be off by rounding."""


class Calls:
    """Of one process."""

    __slots__ = ("_server",)

    def __init__(self, server: AppServer) -> None:
        self._server = server

    def call(self, id: Json, params: dict[str, Json], frame: Frame) -> Handler:
        server = self._server
        thread = yield from server.find_thread(id, params.get("threadId"))
        if thread is None:
            return
        name, tool = str(params["server"]), str(params["tool"])
        connection = thread.connections.get(name)
        if connection is None:
            yield from server.output.refuse(id, -32603, f"unknown MCP server '{name}'")
            return
        if not connection.spec.offers(tool):
            message = f"tool '{tool}' is disabled for MCP server '{name}'"
            yield from server.output.refuse(id, -32603, message)
            return
        server.open_calls.append(id)
        yield Wait(server.settings["call_ms"])
        server.free_turn()
        if server.crowded() and server.drawn():
            yield Wait(CROWDED_MS)
        while connection.status == STARTING:
            yield Until(connection.key)
        if connection.reason:
            message = f"failed to get client: MCP startup failed: {connection.reason}"
            yield from self._answer(id, tool, {"error": {"code": -32603, "message": message}})
            return
        yield from self._forward(Call(id, connection, tool, server.world.now_ms()), params, frame)

    def _forward(self, call: Call, params: dict[str, Json], frame: Frame) -> Handler:
        server, connection = self._server, call.connection
        arguments = params.get("arguments")
        if arguments is not None and not isinstance(arguments, dict):
            server.output.violation("arguments are no object", frame)
            why = f"MCP tool arguments must be a JSON object, got {encode(arguments).decode()}"
            yield from self._answer(call.id, call.tool, failure(call, why))
            return
        if connection.closed and not connection.asking:
            yield from self._answer(call.id, call.tool, failure(call, CLOSED))
            return
        if call.tool not in [each.get("name") for each in connection.tools]:
            server.output.violation(f"unknown tool {call.tool}", frame)
        if server.settings["stray_turn"] == "call":
            yield from server.stray_turn()
        yield At("calling", {"verb": call.tool})
        number, raw = connection.call(call.tool, arguments, params.get("_meta"), str(connection.thread))
        call.number = number
        connection.calls[number] = call
        if not connection.closed:
            yield Send(raw, connection.wire)
        yield from self._watch(call)

    def _watch(self, call: Call) -> Handler:
        """The tool timeout, which stands still while a user is asked."""
        connection = call.connection
        left_ms = connection.spec.tool_ms
        while left_ms > TICK_MS:
            yield Wait(left_ms)
            while connection.asking and not call.done:
                yield Until(connection.key)
            if call.done:
                return
            left_ms = call.left_ms(self._server.world.now_ms())
        del connection.calls[call.number]
        why = f"timed out awaiting tools/call after {seconds(connection.spec.tool_ms)}"
        self._server.world.note("unsaid", p=self._server.p, why=why)
        yield from self._end(call, failure(call, why))
        if not connection.closed and self._server.profile.cancels:
            yield Send(connection.cancelled(call.number), connection.wire)

    def returned(self, connection: Connection, number: int, value: dict[str, Json]) -> Handler:
        """The MCP server answered a call."""
        call = connection.calls.pop(number, None)
        if call is not None:
            call.done = True
            if len(self._server.open_calls) > 1 and self._server.drawn():
                yield Wait(CROWDED_MS)
            yield from self._end(call, outcome(call, value))

    def fail_open(self, connection: Connection) -> Handler:
        """The transport is closed: every open call fails. Where a user is being asked, only when that is over."""
        while connection.calls:
            call = connection.calls.pop(next(iter(connection.calls)))
            yield from self._end(call, failure(call, CLOSED))

    def _end(self, call: Call, members: dict[str, Json]) -> Handler:
        call.done = True
        yield from self._answer(call.id, call.tool, members)
        yield from self._server.questions.tell_late()

    def _answer(self, id: Json, tool: str, members: dict[str, Json]) -> Handler:
        server = self._server
        yield At("answering", {"verb": tool})
        yield from server.output.reply(id, members)
        server.open_calls.remove(id)
        server.settle()
