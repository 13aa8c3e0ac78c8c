"""`initialize` and `thread/start`: the handshake, and the thread with its MCP servers.

Source: trailcam facts on codex app-server, sections 0, 2, 4 and 5; tapes s01, s11, s13, s15, s16, s18, s58.
"""

from __future__ import annotations

from fakes.fronts.codex_server import CONNECTED, FAILED, STARTING
from fakes.fronts.codex_servers import STATUS
from fakes.fronts.codex_states import SPAWNED
from fakes.fronts.codex_thread import Refused, Thread, policy, result, uuid4, uuid7
from harness.faults.steps import Until, Wait

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from fakes.fronts.codex import AppServer
    from fakes.fronts.codex_server import Connection
    from harness.faults.steps import Handler
    from harness.wire.jsontext import Json


class Starting:
    """Of one process."""

    __slots__ = ("_server",)

    def __init__(self, server: AppServer) -> None:
        self._server = server

    def initialize(self, id: Json, params: dict[str, Json]) -> Handler:
        server, output = self._server, self._server.output
        if server.client:
            yield from output.refuse(id, -32600, "Already initialized")
            return
        client = params["clientInfo"]
        assert isinstance(client, dict)
        name = str(client["name"])
        if not all(" " <= letter <= "~" for letter in name):
            server.state = SPAWNED
            yield from output.refuse(
                id, -32600, f"Invalid clientInfo.name: '{name}'. Must be a valid HTTP header value."
            )
            return
        yield Wait(server.settings["initialize_ms"])
        server.client = client
        capabilities = params.get("capabilities")
        server.capabilities = capabilities if isinstance(capabilities, dict) else {}
        version = server.profile.version
        agent = f"{name}/{version} ({server.settings['system']}) unknown ({name}; {client['version']})"
        answer: Json = {
            "userAgent": agent,
            "codexHome": server.home,
            "platformFamily": "unix",
            "platformOs": server.settings["platform"],
        }
        yield from output.reply(id, {"result": answer})
        for warning in self._ignored(server.unknown_keys):
            yield from output.notify("configWarning", {"summary": warning, "details": None})
        status: Json = {
            "status": "disabled",
            "serverName": server.settings["host"],
            "installationId": uuid4(server.given.rng),
            "environmentId": None,
        }
        yield from output.notify("remoteControl/status/changed", status)

    def thread(self, id: Json, params: dict[str, Json]) -> Handler:
        server, output = self._server, self._server.output
        yield Wait(server.settings["thread_ms"])
        try:
            held = policy(params, server.config, server.settings["requirements"], server.profile)
        except Refused as refused:
            yield from output.refuse(id, -32600, str(refused))
            return
        name = uuid7(server.given.rng, len(server.threads))
        thread = Thread(name, held, params.get("threadSource") == "user")
        thread.connections = {spec.name: server.servers.new(spec, name) for spec in server.specs()}
        for connection in thread.connections.values():
            yield from self._start_required(connection)
            if connection.spec.required and connection.status == FAILED:
                yield from self._refuse_required(id, connection)
                return
        config = params.get("config")
        told_before = self._ignored(server.unknown_keys)
        new = [*held.warnings, *self._ignored([str(key) for key in config] if isinstance(config, dict) else [])]
        for warning in new if server.profile.warns_of_config else []:
            yield from output.notify("configWarning", {"summary": warning, "details": None})
        server.threads[name] = thread
        told = result(
            server.profile, name, params, server.config, held,
            home=server.home, cwd=server.settings["cwd"], client=str(server.client["name"]),
        )  # fmt: skip
        told = _over(told, server.settings["echo"])
        yield from output.reply(id, {"result": told})
        yield from self._tell(thread, told["thread"], [*told_before, *new])
        if server.settings["stray_turn"] == "thread":
            yield from server.stray_turn()

    def _tell(self, thread: Thread, told: Json, warnings: list[str]) -> Handler:
        """thread/started and starting, in either order; then the servers that were not needed before."""
        server = self._server
        connections = list(thread.connections.values())
        started: list[tuple[str, Json]] = [("thread/started", {"thread": told})]
        starting: list[tuple[str, Json]] = [
            (STATUS, server.servers.status(each, "starting", None)) for each in connections
        ]
        for method, params in [*starting, *started] if server.drawn() else [*started, *starting]:
            yield from server.output.notify(method, params)
        for warning in warnings:
            yield from server.output.notify("warning", {"threadId": thread.id, "message": warning})
        for connection in connections:
            if connection.status == CONNECTED:
                yield from server.servers.announce(connection)
            else:
                yield from server.servers.start(connection)

    def _start_required(self, connection: Connection) -> Handler:
        if connection.spec.required:
            yield from self._server.servers.start(connection)
            while connection.status == STARTING:
                yield Until(connection.key)

    def _refuse_required(self, id: Json, connection: Connection) -> Handler:
        why = f"required MCP servers failed to initialize: {connection.spec.name}: {connection.reason}"
        yield self._server.output.log("codex_core::session", f"Failed to create session: {why}")
        message = f"error creating thread: Fatal error: Failed to initialize session: {why}"
        yield from self._server.output.refuse(id, -32603, message)

    def _ignored(self, unknown: list[str]) -> list[str]:
        """What the newer version says of keys that nobody knows."""
        if not unknown or not self._server.profile.warns_of_config:
            return []
        many = "s" if len(unknown) > 1 else ""
        lines = "".join(f"\n  session-flags: `{key}` is ignored." for key in unknown)
        head = f"Codex is ignoring {len(unknown)} unrecognized configuration setting{many}."
        return [f"{head} Check for typos or deprecated settings.{lines}"]


def _over(below: dict[str, Json], above: Mapping[str, Any]) -> dict[str, Json]:
    """`above` put over `below`, member by member."""
    merged = dict(below)
    for key, value in above.items():
        old = merged.get(key)
        merged[key] = _over(old, value) if isinstance(old, dict) and isinstance(value, dict) else value
    return merged
