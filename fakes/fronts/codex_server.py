"""One connection of `codex app-server` to an MCP server: frames in and out, and where it stands. No steps, no time.

A thread has one connection a configured server; an inventory has short-lived ones of its own. Source: trailcam facts
on codex app-server, sections 4 and 5, and the tapes of the MCP side.
"""

from __future__ import annotations

from harness.wire.jsontext import dumps, encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from fakes.fronts.codex_profiles import Profile
    from harness.wire.frame import Frame
    from harness.wire.jsontext import Json

REVISION = "2025-06-18"
STARTING, CONNECTED, FAILED = "starting", "connected", "failed"
"""Where a connection stands, in the words of runtimeStatus."""
ELICITATIONS = ("elicitation/create", "openai/form", "openai/elicitation/create")
RESOURCES = {"resources/list": "resources", "resources/templates/list": "resourceTemplates"}
"""What a full inventory asks for beside the tools -> the member of the answer, and of the entry."""
BLOCKS = ("text", "image", "audio", "resource", "resource_link")
RESULT_MEMBERS = ("content", "structuredContent", "isError", "_meta")
INFO_MEMBERS = ("name", "title", "version", "description", "icons", "websiteUrl")
HINTS = ("title", "readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")


class Spec:
    """One entry of mcp_servers. Times are milliseconds."""

    __slots__ = (
        "name",
        "command",
        "args",
        "env",
        "enabled_tools",
        "disabled_tools",
        "required",
        "startup_ms",
        "tool_ms",
    )

    def __init__(self, name: str, config: Mapping[str, Any]) -> None:
        self.name = name
        self.command = str(config["command"])
        self.args = [str(each) for each in config.get("args", [])]
        self.env = {str(key): str(value) for key, value in config.get("env", {}).items()}
        self.enabled_tools: list[str] | None = config.get("enabled_tools")
        self.disabled_tools: list[str] = config.get("disabled_tools", [])
        self.required = bool(config.get("required", False))
        self.startup_ms = float(config.get("startup_timeout_sec", 30)) * 1000
        self.tool_ms = float(config.get("tool_timeout_sec", 300)) * 1000

    def offers(self, tool: str) -> bool:
        return (self.enabled_tools is None or tool in self.enabled_tools) and tool not in self.disabled_tools


class Call:
    """One tool call on its way. id: the client's; number: the MCP request's."""

    __slots__ = ("id", "connection", "number", "tool", "done", "began_ms", "paused_before_ms")

    def __init__(self, id: Json, connection: Connection, tool: str, now_ms: float) -> None:
        self.id = id
        self.connection = connection
        self.number = -1
        self.tool = tool
        self.done = False
        self.began_ms = now_ms
        self.paused_before_ms = connection.paused_ms

    def left_ms(self, now_ms: float) -> float:
        """What is left of the tool timeout, which stands still while a user is asked."""
        spent = now_ms - self.began_ms - (self.connection.paused_ms - self.paused_before_ms)
        return self.connection.spec.tool_ms - spent


class Connection:
    """See the module. key: what handlers wait for with Until while it starts; announced: ready or failed was told;
    ready_first: that comes before the answer to an inventory that is on its way, where both could come."""

    __slots__ = (
        "wire",
        "spec",
        "profile",
        "thread",
        "key",
        "ready_first",
        "status",
        "reason",
        "timed_out",
        "announced",
        "closed",
        "reaped",
        "info",
        "capabilities",
        "tools",
        "resources",
        "calls",
        "asking",
        "asking_since_ms",
        "paused_ms",
        "_next",
        "_token",
        "_waits",
    )

    def __init__(self, wire: str, spec: Spec, profile: Profile, thread: str | None) -> None:
        self.wire = wire
        self.spec = spec
        self.profile = profile
        self.thread = thread
        self.key = wire
        self.ready_first = True
        self.status = STARTING
        self.reason = ""
        self.timed_out = False
        self.announced = False
        self.closed = False
        self.reaped = False
        self.info: dict[str, Json] | None = None
        self.capabilities: Json = None
        self.tools: list[dict[str, Json]] = []
        self.resources: dict[str, list[Json]] = {}
        self.calls: dict[int, Call] = {}
        self.asking = 0
        self.asking_since_ms = 0.0
        self.paused_ms = 0.0
        self._next = 0
        self._token = 0
        self._waits: dict[int, str] = {}

    # Out

    def hello(self, extensions: Mapping[str, Json], for_thread: bool) -> bytes:
        """initialize. extensions: what the app-server's own client announced; an inventory passes none of it on."""
        capabilities: dict[str, Json] = {}
        if for_thread and self.profile.auth_change:
            capabilities["experimental"] = {"codex/auth-change": {}}
        if for_thread and extensions:
            capabilities["extensions"] = dict(extensions)
        capabilities["elicitation"] = {"form": {}, "url": {}}
        client = {"name": "codex-mcp-client", "title": "Codex", "version": self.profile.version}
        params: Json = {"protocolVersion": REVISION, "capabilities": capabilities, "clientInfo": client}
        return self._request("initialize", params)[1]

    def call(self, tool: str, arguments: Json, meta: Json, thread: str) -> tuple[int, bytes]:
        """(number, bytes) of tools/call. The client's `_meta` is kept, but for the members that codex sets itself."""
        merged = {**(meta if isinstance(meta, dict) else {}), "threadId": thread, "progressToken": self._progress()}
        params: dict[str, Json] = {"_meta": merged, "name": tool}
        if arguments is not None:
            params["arguments"] = arguments
        return self._request("tools/call", params)

    def list_resources(self, method: str) -> bytes:
        """A request of `RESOURCES`: its answer is kept in `resources`."""
        self.resources.pop(method, None)
        return self._request(method, {"_meta": {"progressToken": self._progress()}})[1]

    def cancelled(self, number: int) -> bytes:
        params: Json = {"requestId": number, "reason": "MCP request cancelled by caller"}
        return _line({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params})

    def _request(self, method: str, params: Json) -> tuple[int, bytes]:
        number, self._next = self._next, self._next + 1
        self._waits[number] = method
        return number, _line({"jsonrpc": "2.0", "id": number, "method": method, "params": params})

    def _progress(self) -> int:
        token, self._token = self._token, self._token + 1
        return token

    # In

    def received(self, frame: Frame) -> tuple[bytes, str, Any]:
        """(bytes to send back, what happened, its data).

        What happened is "" for nothing, `up`, `failed`, `resources`, `answered` (data: number and
        frame), `asked` (data: the request).
        """
        value = frame.value
        if frame.kind == "request" and isinstance(value, dict):
            return self._asked(frame.method or "", value)
        if frame.kind != "reply" or not isinstance(value, dict) or not isinstance(frame.id, int):
            return b"", "", None
        method = self._waits.pop(frame.id, None)
        if method == "initialize":
            return self._initialized(value)
        if method == "tools/list":
            return self._listed(value)
        if method == "tools/call":
            return b"", "answered", [frame.id, value]
        if method in RESOURCES:
            result = value.get("result")
            found = result.get(RESOURCES[method]) if isinstance(result, dict) else None
            self.resources[method] = found if isinstance(found, list) else []
            return b"", "resources", None
        return b"", "", None

    def _asked(self, method: str, value: dict[str, Json]) -> tuple[bytes, str, Json]:
        id = value.get("id")
        known = method in ELICITATIONS and (method != "openai/elicitation/create" or self.profile.openai_elicitation)
        if known:
            return b"", "asked", value
        if method in ("ping", "roots/list"):
            result: Json = {} if method == "ping" else {"roots": []}
            return _line({"jsonrpc": "2.0", "id": id, "result": result}), "", None
        return self.refusal(id, -32601, method), "", None

    def refusal(self, id: Json, code: int, message: str) -> bytes:
        return _line({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}})

    def _initialized(self, value: dict[str, Json]) -> tuple[bytes, str, Json]:
        result = value.get("result")
        if not isinstance(result, dict):
            error = value.get("error")
            error = error if isinstance(error, dict) else {}
            self._handshake_failed(f"JSON-RPC error: {error.get('code')}: {error.get('message')}")
            return b"", "failed", None
        self.capabilities = result.get("capabilities")
        info = result.get("serverInfo")
        self.info = info if isinstance(info, dict) else {}
        ready = _line({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return ready + self._request("tools/list", {"_meta": {"progressToken": self._progress()}})[1], "", None

    def _listed(self, value: dict[str, Json]) -> tuple[bytes, str, Json]:
        result = value.get("result")
        tools = result.get("tools") if isinstance(result, dict) else None
        if not isinstance(tools, list):
            self.fail(mcp_error_text(value.get("error")))
            return b"", "failed", None
        self.tools = [each for each in tools if isinstance(each, dict) and self.spec.offers(str(each.get("name")))]
        self.status = CONNECTED
        return b"", "up", None

    # Ends

    def fail(self, reason: str) -> None:
        self.status = FAILED
        self.reason = reason

    def _handshake_failed(self, why: str) -> None:
        self.fail(f"handshaking with MCP server failed: {why}" + (f": {why}" if self.profile.handshake_repeats else ""))

    def time_out(self) -> None:
        """The startup timeout ran out."""
        self.timed_out = True
        elapsed = ": deadline has elapsed" if self.profile.handshake_repeats else ""
        self.fail(f"timed out handshaking with MCP server after {self.spec.startup_ms / 1000:g}s{elapsed}")

    def end(self) -> None:
        """The server closed its stdout."""
        self.closed = True
        if self.status == STARTING:
            if self.info is None:
                self._handshake_failed("connection closed: initialize response")
            else:
                self.fail("Transport closed")

    def pause(self, now_ms: float) -> None:
        if not self.asking:
            self.asking_since_ms = now_ms
        self.asking += 1

    def go_on(self, now_ms: float) -> None:
        self.asking -= 1
        if not self.asking:
            self.paused_ms += now_ms - self.asking_since_ms

    def startup_error(self) -> str:
        """What mcpServer/startupStatus/updated says of a failure."""
        if self.timed_out:
            name = self.spec.name
            return (
                f"MCP client for `{name}` timed out after {int(self.spec.startup_ms // 1000)} seconds. Add or adjust "
                f"`startup_timeout_sec` in your config.toml:\n[mcp_servers.{name}]\nstartup_timeout_sec = XX"
            )
        return f"MCP client for `{self.spec.name}` failed to start: MCP startup failed: {self.reason}"

    def entry(self, names: list[str], runtime: str | None) -> dict[str, Json]:
        """One entry of the inventory. names: the tools in the order to give them; runtime: runtimeStatus."""
        up = self.status == CONNECTED
        info: Json = {key: (self.info or {}).get(key) for key in INFO_MEMBERS} if up else None
        by_name = {str(tool["name"]): tool for tool in self.tools} if up else {}
        tools: Json = {name: _tool(by_name[name]) for name in names if name in by_name}
        tail: dict[str, Json] = {member: self.resources.get(method, []) for method, member in RESOURCES.items()}
        tail["authStatus"] = "unsupported"
        if not self.profile.status_members:
            return {"name": self.spec.name, "serverInfo": info, "tools": tools, **tail}
        return {
            "name": self.spec.name,
            "environmentId": None,
            "runtimeStatus": runtime,
            "pluginId": None,
            "httpOrigin": None,
            "serverInfo": info,
            "serverCapabilities": self.capabilities,
            "toolListMeta": None,
            "tools": tools,
            "toolsError": None if up else f"MCP startup failed: {self.reason}",
            **tail,
        }


def outcome(call: Call, value: Mapping[str, Json]) -> dict[str, Json]:
    """What the client gets for the MCP server's answer: `{"result": …}` or `{"error": …}`."""
    result = value.get("result")
    if isinstance(result, dict):
        if not _good(result):
            return failure(call, "Unexpected response type")
        members: dict[str, Json] = {"content": [], **{key: result[key] for key in RESULT_MEMBERS if key in result}}
        return {"result": members}
    error = value.get("error")
    if isinstance(error, dict) and call.connection.profile.errors_pass:
        ordered: Json = {key: error[key] for key in ("code", "data", "message") if key in error}
        return {"error": ordered}
    return failure(call, mcp_error_text(error))


def failure(call: Call, why: str) -> dict[str, Json]:
    """A call that failed for a reason of the app-server's own."""
    return {
        "error": {"code": -32603, "message": f"tool call failed for `{call.connection.spec.name}/{call.tool}`: {why}"}
    }


def mcp_error_text(error: Json) -> str:
    error = error if isinstance(error, dict) else {}
    data = f"({dumps(error['data'], ascii_only=False)})" if error.get("data") is not None else ""
    return f"Mcp error: {error.get('code')}: {error.get('message')}{data}"


def _good(result: Mapping[str, Json]) -> bool:
    if "content" not in result:
        return "structuredContent" in result
    content = result["content"]
    return isinstance(content, list) and all(isinstance(each, dict) and each.get("type") in BLOCKS for each in content)


def _tool(tool: Mapping[str, Json]) -> Json:
    annotations = tool.get("annotations")
    if not isinstance(annotations, dict):
        return dict(tool)
    ordered = {key: annotations[key] for key in (*HINTS, *annotations) if key in annotations}
    return {key: ordered if key == "annotations" else value for key, value in tool.items()}


def seconds(duration_ms: float) -> str:
    """A duration as the real server prints it: whole seconds above one second, else milliseconds."""
    return f"{int(duration_ms // 1000)}s" if duration_ms > 1000 else f"{duration_ms:g}ms"


def _line(value: Json) -> bytes:
    return encode(value) + b"\n"
