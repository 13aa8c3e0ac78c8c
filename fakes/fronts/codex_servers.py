"""The MCP servers of one `codex app-server`: starting and ending their processes, and what their frames set off.

Source: trailcam facts on codex app-server, sections 0, 1 and 4; tapes s05, s10, s13, s52, s55.
"""

from __future__ import annotations

from fakes.fronts.codex_server import CONNECTED, FAILED, STARTING, Connection
from harness.faults.steps import Close, Send, Signal, Start, Until, Wait

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fakes.fronts.codex import AppServer
    from fakes.fronts.codex_server import Spec
    from harness.faults.steps import Handler
    from harness.wire.frame import Frame
    from harness.wire.jsontext import Json

STATUS = "mcpServer/startupStatus/updated"
ENVIRONMENT = ("HOME", "LANG", "PATH", "TMPDIR")
"""What of the environment an MCP server gets, beside what is configured for it."""
SIGTERM = 15
CLOSE_AFTER_SIGNAL_MS = 0.1
READY_GRACE_MS = 40
"""How long `ready` is held for a list that is to come first."""


class Servers:
    """Of one process. by_wire: wire `helper:N` -> connection."""

    __slots__ = ("_server", "by_wire", "_count")

    def __init__(self, server: AppServer) -> None:
        self._server = server
        self.by_wire: dict[str, Connection] = {}
        self._count = 0

    def new(self, spec: Spec, thread: str | None) -> Connection:
        """A connection that is not started yet. thread None: for an inventory alone."""
        self._count += 1
        connection = Connection(f"helper:{self._count}", spec, self._server.profile, thread)
        connection.key = f"codex:{self._server.p}:{connection.wire}"
        connection.ready_first = self._server.drawn()
        return connection

    def living(self) -> list[Connection]:
        return [each for each in self.by_wire.values() if not each.reaped]

    def start(self, connection: Connection) -> Handler:
        server, spec = self._server, connection.spec
        program = server.settings["commands"].get(spec.command.rsplit("/", 1)[-1])
        if program is None:
            connection.fail("No such file or directory (os error 2)")
            connection.reaped = True
            yield from self._up(connection)
            return
        self.by_wire[connection.wire] = connection
        env = {name: server.env[name] for name in ENVIRONMENT if name in server.env}
        yield Start(connection.wire, program, spec.args, {**env, **spec.env})

    def opened(self, wire: str) -> Handler:
        """A server is up: say hello, and watch the startup timeout."""
        connection = self.by_wire[wire]
        yield Send(connection.hello(self._server.extensions(), connection.thread is not None), wire)
        yield Wait(connection.spec.startup_ms)
        if connection.status == STARTING:
            connection.time_out()
            yield from self.end(connection)
            yield from self._up(connection)

    def end(self, connection: Connection) -> Handler:
        """SIGTERM, and right after it the end of its stdin."""
        if not connection.reaped:
            yield Signal(connection.wire, SIGTERM)
            yield Wait(CLOSE_AFTER_SIGNAL_MS)
            yield Close(connection.wire)

    def received(self, wire: str, frame: Frame) -> Handler:
        server, connection = self._server, self.by_wire[wire]
        limit = server.profile.line_limit_bytes
        if limit is not None and len(frame.raw) > limit:
            text = f"Incoming message exceeded the maximum line length, discarding it max_line_length={limit}"
            yield server.output.log("rmcp::transport::async_rw", text)
            return
        back, happened, data = connection.received(frame)
        if back:
            yield Send(back, wire)
        if happened in ("up", "failed"):
            if happened == "failed":
                yield from self.end(connection)
            yield from self._up(connection)
        elif happened == "resources":
            server.world.wake(connection.key)
        elif happened == "answered":
            number, value = data
            yield from server.calls.returned(connection, number, value)
        elif happened == "asked":
            yield from server.questions.asked(connection, data)

    def ended(self, wire: str) -> Handler:
        """A server closed its stdout: the transport is closed for good, and nobody is told."""
        connection = self.by_wire[wire]
        starting = connection.status == STARTING
        connection.end()
        if starting:
            yield from self._up(connection)
        self._server.world.wake(connection.key)
        if not connection.asking:
            yield from self._server.calls.fail_open(connection)

    def _up(self, connection: Connection) -> Handler:
        """It has started, or failed to: those who wait go on, and the client is told of a thread's own server."""
        server = self._server
        server.world.wake(connection.key)
        if connection.thread is None or connection.thread not in server.threads:
            return
        if not connection.ready_first:
            if not server.inventory.open:
                yield Wait(READY_GRACE_MS)
            while server.inventory.open:
                yield Until(server.inventory.key)
        yield from self.announce(connection)

    def announce(self, connection: Connection) -> Handler:
        """ready or failed."""
        failed = connection.status == FAILED
        error = connection.startup_error() if failed else None
        connection.announced = True
        yield from self._server.output.notify(STATUS, self.status(connection, "failed" if failed else "ready", error))
        self._server.world.wake(connection.key)

    def status(self, connection: Connection, status: str, error: str | None) -> Json:
        """The params of a startup notification."""
        environment: dict[str, Json] = {"environmentId": None} if self._server.profile.environments else {}
        return {
            "threadId": connection.thread,
            "name": connection.spec.name,
            **environment,
            "status": status,
            "error": error,
            "failureReason": None,
        }

    def connected(self) -> list[Connection]:
        """The connections of threads that are up."""
        return [each for each in self.by_wire.values() if each.thread and each.status == CONNECTED]
