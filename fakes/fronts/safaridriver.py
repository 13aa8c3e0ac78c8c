"""Apple's safaridriver: its command line, and with `--mcp` an MCP server on stdio over the Safari of the run.

Source: trailcam facts on Safari MCP, 1.1 to 1.6. Nothing here was compared with the real program: no recording of it
exists. What no source says is a setting, or said to be ours where it stands.

The handshake works without any permission; the first tool that needs the browser is what fails. The end of stdin ends
the session and its window, and then the process, after 20 ms. A signal ends the process alone, and leaves the window.
"""

from __future__ import annotations

from fakes.fronts.safaridriver_arguments import help_text, read_arguments
from fakes.fronts.safaridriver_session import DriverSession, ToolError
from fakes.fronts.safaridriver_settings import says_of, settings_of
from harness.faults.steps import At, Exit, Send, Wait
from harness.serve.machine import Silent
from harness.wire.jsontext import encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from fakes.fronts.safaridriver_arguments import Wanted
    from fakes.worlds.safari import Safari
    from harness.faults.steps import Handler
    from harness.serve.machine import Given
    from harness.wire.frame import Frame
    from harness.wire.jsontext import Json

USAGE = 64
NO_PERMISSION = (
    'Error Domain=WebDriverErrorDomain Code=6 "Could not create a session: You must enable \'Allow remote automation\' '
    'in the Developer section of Safari Settings to control Safari via WebDriver."'
)


class SafariDriver(Silent):
    """See the module."""

    wires: Mapping[str, str] = {"stdio": "mcp"}
    moments: Sequence[str] = ("received", "before_effect", "after_effect")

    def __init__(self, given: Given) -> None:
        super().__init__(given)
        self.world: Safari = given.world
        self.p = given.p
        self.settings = settings_of(given.settings)
        self.session = DriverSession(self.world, self.p, self.settings)
        self.serving = False
        self.says = says_of(self.settings)
        self._began = False
        """Whether the browser has let this session in: later changes of the permission do not end it."""
        self._greeted = False
        self._calls: dict[str, int] = {}
        """Tool -> how often it was called."""
        self._parted = False
        """Whether it should have ended by itself: what it leaves then is nobody's doing but its own."""

    # The process

    def started(self, argv: list[str], env: Mapping[str, str]) -> Handler:
        wanted = read_arguments(argv, self.settings["mcp"])
        if wanted.does == "mcp":
            self.serving = True
            if self.settings["banner"] is not None:
                yield Send(f"{self.settings['banner']}\n".encode())
        else:
            yield from self._other(wanted)

    def _other(self, wanted: Wanted) -> Handler:
        """Everything but --mcp: said, and done with."""
        if wanted.does == "usage":
            usage = wanted.problem + help_text(self.settings["mcp"])
            yield Send(usage.encode(), stream="err")
            yield Exit(USAGE)
        elif wanted.does == "help":
            yield Send(help_text(self.settings["mcp"]).encode())
            yield Exit(0)
        elif wanted.does == "version":
            yield Send(f"{self.settings['version']}\n".encode())
            yield Exit(0)
        elif wanted.does == "enable":
            self.world.permit("remote_automation", True)
            self.world.changed(f"driver:{self.p}", permission="remote_automation", value=True)
            yield Exit(0)
        else:
            yield from self.webdriver(wanted)

    def webdriver(self, wanted: Wanted) -> Handler:
        """`-p PORT`. A machine opens no socket: what serves WebDriver stands over this one and overrides this."""
        text = f"safaridriver: port {wanted.port}: this program has no network; WebDriver is served by another\n"
        yield Send(text.encode(), stream="err")
        yield Exit(1)

    def ended(self, wire: str) -> Handler:
        yield Wait(self.settings["exit_ms"])
        self._parted = True
        if not self.settings["stubborn"]:
            self.world.end_session(self.p)
            yield Exit(0)

    def unheard(self) -> None:
        """The end of its input came, and a fault makes it take no notice."""
        self._parted = True

    def signalled(self, number: int) -> Handler | None:
        """SIGTERM and SIGINT kill it as it stands, window and all left behind."""
        if self.settings["stubborn"] and number == 15:
            return self._deaf()
        if not self._parted:
            self.world.signalled(self.p)
        return None

    def _deaf(self) -> Handler:
        yield from ()

    # The protocol

    def received(self, wire: str, frame: Frame) -> Handler:
        value = frame.value
        if not self.serving or not isinstance(value, dict):
            return
        if frame.kind == "notice":
            self._greeted = self._greeted or frame.method == "notifications/initialized"
        elif frame.kind == "request":
            params = value.get("params")
            params = params if isinstance(params, dict) else {}
            yield from self._request(frame, params)

    def _request(self, frame: Frame, params: dict[str, Any]) -> Handler:
        if frame.method == "tools/call":
            yield from self._call(frame.id, params)
        elif frame.method == "initialize":
            yield Wait(self.settings["initialize_ms"])
            yield self._reply(frame.id, self._initialize(params))
        elif frame.method == "tools/list":
            from fakes.fronts.safaridriver_tools import tools  # not before the handshake is answered

            self._in_order("tools/list")
            listed = tools(self.settings["profile"], self.settings["drift"])
            yield self._reply(frame.id, {"result": {"tools": listed}})
        elif frame.method == "ping":
            yield self._reply(frame.id, {"result": {}})
        elif frame.method != "server/discover" or self.settings["discover"] == "error":
            yield self._reply(frame.id, _error(-32601, f"Method not found: {frame.method}"))

    def _initialize(self, params: dict[str, Any]) -> dict[str, Json]:
        if self.settings["refuses"] is not None:
            return _error(-32603, str(self.settings["refuses"]))
        client = params.get("clientInfo")
        self.session.name = str(client.get("name", "")) if isinstance(client, dict) else ""
        revision = params.get("protocolVersion")
        spoken = self.settings["revisions"]
        return {
            "result": {
                "protocolVersion": revision if revision in spoken else spoken[0],
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "Safari", "version": self.settings["server_version"]},
            }
        }

    def _in_order(self, method: str) -> None:
        """The client's own mistakes are answered all the same, and written down."""
        if not self._greeted:
            self.world.note("violation", p=self.p, why=f"{method} before notifications/initialized")

    def _call(self, id: Json, params: dict[str, Any]) -> Handler:
        name = str(params.get("name"))
        self._in_order("tools/call")
        yield At("received", {"verb": name})
        yield Wait(self.settings["call_ms"])
        self.world.advance()
        from fakes.fronts.safaridriver_table import HANDLERS  # not before the handshake is answered
        from fakes.fronts.safaridriver_tools import BadArguments

        if name not in HANDLERS or self.settings["drift"].get(name, self) is None:
            yield self._reply(id, _error(-32602, f"Unknown tool: {name}"))
            return
        try:
            text = yield from self._answer(name, params.get("arguments"))
        except (ToolError, BadArguments) as problem:
            yield self._reply(id, _result(f"{self.settings['error_prefix']}{problem.text}", True))
        else:
            yield self._reply(id, _result(text, False))

    def _answer(self, name: str, arguments: Any) -> Any:
        """The text of a result: its own, or the one that the settings have in its place."""
        self._calls[name] = nth = self._calls.get(name, 0) + 1
        said = next((each for each in self.says if each["tool"] == name and each["nth"] in (0, nth)), None)
        if said is None:
            return (yield from self._carry_out(name, arguments))
        if said["does"]:
            yield from self._carry_out(name, arguments)
        if said["does"] or not said["fails"]:
            self.world.note("unsaid", p=self.p, why=f"{name} answers otherwise")
        if said["fails"]:
            raise ToolError(str(said["text"]))
        return str(said["text"])

    def _carry_out(self, name: str, arguments: Any) -> Any:
        from fakes.fronts.safaridriver_calls import Call
        from fakes.fronts.safaridriver_table import HANDLERS
        from fakes.fronts.safaridriver_tools import arguments_of, schema_of

        schema = schema_of(name, self.settings["profile"])
        given = arguments_of(schema, arguments if isinstance(arguments, dict) else {})
        if not self._began and not (
            self.world.permissions["remote_automation"] and self.world.permissions["developer_features"]
        ):
            self.world.refused(self.p, name, "remote_automation")
            raise ToolError(NO_PERMISSION)
        self._began = True
        return (yield from HANDLERS[name](Call(self.session, name, given)))

    def _reply(self, id: Json, members: dict[str, Json]) -> Send:
        return Send(encode({"jsonrpc": "2.0", "id": id, **members}) + b"\n")


def _error(code: int, message: str) -> dict[str, Json]:
    return {"error": {"code": code, "message": message}}


def _result(text: str, is_error: bool) -> dict[str, Json]:
    return {"result": {"content": [{"type": "text", "text": text}], "isError": is_error}}
