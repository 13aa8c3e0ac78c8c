"""`codex app-server` on stdio, as a client sees it that never starts a model turn; versions are in `codex_profiles`.

Every frame of the client has a handler of its own. Handlers take their turn in the order of the wire for what the real
server does in order (a call waits until initialize has been answered), and then go on side by side (a call that hangs
holds no other). What the real server answers silently or leniently is answered so, and flagged as a `violation` in
the world record. Source: trailcam facts on codex app-server, all sections; its recordings.
"""

from __future__ import annotations

from fakes.fronts.codex_arguments import Refusal, parse
from fakes.fronts.codex_calls import Calls
from fakes.fronts.codex_inventory import Inventory
from fakes.fronts.codex_lines import FATAL, JUNK, NOTIFICATION, REPLY, classify
from fakes.fronts.codex_methods import METHODS
from fakes.fronts.codex_output import Output
from fakes.fronts.codex_params import check
from fakes.fronts.codex_profiles import Profile
from fakes.fronts.codex_questions import Questions
from fakes.fronts.codex_server import Spec
from fakes.fronts.codex_servers import Servers
from fakes.fronts.codex_settings import KEYS
from fakes.fronts.codex_starting import Starting
from fakes.fronts.codex_states import ARMED, CALLING, CLOSING, ELICITING, SPAWNED, after
from fakes.fronts.codex_thread import uuid7
from fakes.fronts.codex_turn import turn_frames
from fakes.settings import read
from harness.faults.steps import At, Exit, Send, Signal, Until, Wait
from harness.serve.machine import Silent
from harness.wire import codec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping, Sequence
    from typing import Any

    from fakes.fronts.codex_thread import Thread
    from fakes.worlds.desktop import Desktop
    from harness.faults.steps import Handler, Step
    from harness.serve.machine import Given
    from harness.wire.frame import Frame
    from harness.wire.jsontext import Json

WARNING = (
    "WARNING: proceeding, even though we could not create PATH aliases: Refusing to create helper binaries under "
    'temporary dir "{home}" (codex_home: AbsolutePathBuf("{home}"))\n'
)
SIGTERM, SIGKILL = 15, 9


class AppServer(Silent):
    """See the module."""

    wires: Mapping[str, str] = {"stdio": "jsonrpc"}
    moments: Sequence[str] = ("received", "calling", "answering", "closing")

    def __init__(self, given: Given) -> None:
        super().__init__(given)
        self.world: Desktop = given.world
        self.p = given.p
        self.settings = read(dict(given.settings), KEYS, "programs.codex")
        self.profile = Profile(self.settings["profile"])
        self.methods = METHODS[self.profile.version]
        self.config: Mapping[str, Any] = {}
        self.unknown_keys: list[str] = []
        self.env: Mapping[str, str] = {}
        self.home = ""
        self.state = SPAWNED
        self.closing = False
        self.client: dict[str, Json] = {}
        self.capabilities: dict[str, Json] = {}
        self.threads: dict[str, Thread] = {}
        self.open: set[str] = set()
        """Requests that were not answered yet."""
        self.open_calls: list[Json] = []
        self.output = Output(self)
        self.starting = Starting(self)
        self.servers = Servers(self)
        self.inventory = Inventory(self)
        self.calls = Calls(self)
        self.questions = Questions(self)
        self._used: set[str] = set()
        self._tickets = 0
        self._serving = 0
        self._turn_key = f"codex:{self.p}:turn"

    # The process

    def started(self, argv: list[str], env: Mapping[str, str]) -> Handler:
        self.env = env
        self.home = env.get("CODEX_HOME") or self.settings["home"]
        if self.settings["warns"]:
            yield Send(WARNING.format(home=self.home).encode(), stream="err")
        try:
            arguments = parse(argv, self.profile, self.settings["config"])
        except Refusal as refusal:
            yield Send(refusal.text.encode(), stream="err")
            yield Exit(refusal.status)
            return
        if arguments.version:
            yield Send(f"codex-cli {self.profile.version}\n".encode())
            yield Exit(0)
        self.config = arguments.config
        self.unknown_keys = arguments.unknown

    def opened(self, wire: str) -> Handler:
        return self.servers.opened(wire)

    def reaped(self, wire: str, status: int) -> Handler:
        self.servers.by_wire[wire].reaped = True
        yield from ()

    def ended(self, wire: str) -> Handler:
        if wire != "stdio":
            yield from self.servers.ended(wire)
            return
        yield from self._wait_for_turn(self._ticket())
        self.move("eof", None)
        yield from self._close(0)

    def signalled(self, number: int) -> Handler | None:
        if number == SIGTERM and self.profile.terminate_reaps:
            return self._close(0)
        return None

    def _close(self, status: int) -> Handler:
        """End every MCP server, and then this process. Nothing is answered any more."""
        yield At("closing")
        if self.settings["stray_turn"] == "close":
            yield from self.stray_turn()
        self.closing = True
        self.state = CLOSING
        for connection in self.servers.living():
            yield from self.servers.end(connection)
        yield Wait(self.settings["close_ms"])
        for connection in self.servers.living():
            yield Signal(connection.wire, SIGKILL)
        yield Exit(status)

    # Frames

    def received(self, wire: str, frame: Frame) -> Handler:
        if wire != "stdio":
            yield from self.servers.received(wire, frame)
            return
        ticket = self._ticket()
        yield from self._wait_for_turn(ticket)
        yield At("received", {"method": frame.method})
        yield from self._client(frame)
        if self._serving == ticket:
            self.free_turn()

    def _ticket(self) -> int:
        ticket, self._tickets = self._tickets, self._tickets + 1
        return ticket

    def _wait_for_turn(self, ticket: int) -> Handler:
        while self._serving != ticket:
            yield Until(self._turn_key)

    def free_turn(self) -> None:
        """What the handler whose turn it is does from here on needs no order any more."""
        self._serving += 1
        self.world.wake(self._turn_key)

    def crowded(self) -> bool:
        """Further frames have come that have not had their turn."""
        return self._tickets > self._serving

    def _client(self, frame: Frame) -> Handler:
        if self.closing:
            return
        if frame.problem is not None and frame.problem.code == "half_frame":
            self.output.violation("unterminated last line", frame)
            frame = codec("jsonrpc", ">>").feed(frame.raw + b"\n")[0]
            if not self.drawn():
                return  # the real server reads it as a line, and answers it or not, as the end of stdin leaves it time
        line = classify(frame, self.methods)
        for violation in line.violations:
            self.output.violation(violation, frame)
        if line.says:
            text = f"Failed to deserialize JSONRPCMessage: {line.says}"
            yield self.output.log("codex_app_server_transport::transport", text)
        if line.kind == FATAL:
            text = "Failed reading stdin: stream did not contain valid UTF-8"
            yield self.output.log("codex_app_server_transport::transport::stdio", text)
            yield from self._close(0)
        if line.kind in (JUNK, FATAL):
            return
        value = frame.value
        assert isinstance(value, dict)
        if line.kind == REPLY:
            yield from self.questions.answered(value, frame)
        elif line.kind == NOTIFICATION:
            self.move("initialized" if value["method"] == "initialized" else "other notification", frame)
        else:
            yield from self._request(str(value["method"]), value, frame)

    def _request(self, method: str, value: dict[str, Json], frame: Frame) -> Handler:
        id = value["id"]
        if repr(id) in self._used:
            self.output.violation("id used again", frame)
        self._used.add(repr(id))
        refusal = self._refusal(method, value, frame)
        if refusal is not None:
            self.move(method, frame, carried_out=False)
            yield from self.output.refuse(id, *refusal)
            return
        self.move(method, frame)
        self.open.add(repr(id))
        params = value.get("params")
        yield from self._methods[method](self, id, params if isinstance(params, dict) else {}, frame)

    def _refusal(self, method: str, value: dict[str, Json], frame: Frame) -> tuple[int, str] | None:
        """(code, message) where the request is refused before its method is looked at."""
        if method not in self.methods:
            known = ", ".join(f"`{name}`" for name in self.methods)
            return -32600, f"Invalid request: unknown variant `{method}`, expected one of {known}"
        checked = check(method, value, self.profile)
        for name in checked.unknown:
            self.output.violation(f"unknown member {name}", frame)
        if checked.error is not None:
            self.output.violation("bad params", frame)
            return -32600, f"Invalid request: {checked.error}"
        if method != "initialize" and not self.client:
            return -32600, "Not initialized"
        if checked.gated is not None and self.capabilities.get("experimentalApi") is not True:
            self.output.violation("experimental member", frame)
            return -32600, f"{checked.gated} requires experimentalApi capability"
        if len(self.open) >= self.settings["queue"]:
            return -32001, "Server overloaded; retry later."
        if method not in self._methods:
            return -32603, f"the fake does not serve {method}"
        return None

    def move(self, event: str, frame: Frame | None, carried_out: bool = True) -> None:
        """The client did something: the conversation's next state, and a violation where the table has none."""
        state, why = after(self.state, event)
        if why is not None and frame is not None:
            self.output.violation(why, frame)
        if carried_out:
            self.state = state

    def settle(self) -> None:
        """The state after the server itself did something: asked, or answered a call."""
        if self.state in (ARMED, CALLING, ELICITING):
            self.state = ELICITING if self.questions.pending else CALLING if self.open_calls else ARMED

    # What the methods share

    def drawn(self) -> bool:
        """One way or the other by the seed, where the real server has no fixed order. Without shuffling the first."""
        return bool(self.settings["shuffle"]) and self.given.rng.random() < 0.5

    def specs(self) -> list[Spec]:
        servers = self.config.get("mcp_servers", {})
        return [Spec(name, servers[name]) for name in sorted(servers) if servers[name].get("enabled", True)]

    def extensions(self) -> dict[str, Json]:
        """Extensions that MCP servers are told of: what the client said in either of the two ways."""
        found: dict[str, Json] = {}
        if self.capabilities.get("mcpServerOpenaiFormElicitation") is True:
            found["openai/form"] = {}
        own = self.capabilities.get("extensions")
        if self.profile.extensions and isinstance(own, dict):
            found.update((name, own[name]) for name in ("openai/form", "openai/elicitation") if name in own)
        return found

    def standard_form_input(self) -> bool:
        own = self.capabilities.get("extensions")
        return self.profile.standard_form_input and isinstance(own, dict) and "openai/standard-form-input" in own

    def find_thread(self, id: Json, name: Json) -> Generator[Step, Any, Thread | None]:
        """The thread with that name; None where the request was refused."""
        text = str(name)
        thread = self.threads.get(text.lower())
        if thread is None:
            why = _no_uuid(text)
            message = f"invalid thread id: {why}" if why else f"thread not found: {text}"
            yield from self.output.refuse(id, -32600, message)
        return thread

    def stray_turn(self) -> Handler:
        """Frames of a model turn that nobody asked for."""
        thread = next(iter(self.threads), "")
        for method, params in self._turn_frames(thread):
            if method:
                yield from self.output.notify(method, params)

    def _turn_frames(self, thread: str) -> list[tuple[str, Json]]:
        rng = self.given.rng
        model = str(self.config.get("model") or self.profile.model)
        return turn_frames(self.profile, thread, uuid7(rng, 1), uuid7(rng, 2), model)

    # Small methods

    def _turn(self, id: Json, params: dict[str, Json], frame: Frame) -> Handler:
        thread = yield from self.find_thread(id, params.get("threadId"))
        if thread is not None:
            for method, members in self._turn_frames(thread.id):
                if method:
                    yield from self.output.notify(method, members)
                else:
                    yield from self.output.reply(id, {"result": members})

    def _loaded(self, id: Json, params: dict[str, Json], frame: Frame) -> Handler:
        yield from self.output.reply(id, {"result": {"data": list(self.threads), "nextCursor": None}})

    def _unsubscribe(self, id: Json, params: dict[str, Json], frame: Frame) -> Handler:
        yield from self.output.reply(id, {"result": {"status": "unsubscribed"}})

    def _reload(self, id: Json, params: dict[str, Json], frame: Frame) -> Handler:
        for connection in self.servers.connected() if self.profile.reload_announces else []:
            yield from self.servers.announce(connection)
        yield from self.output.reply(id, {"result": {}})

    _methods: dict[str, Callable[[AppServer, Json, dict[str, Json], Frame], Handler]] = {
        "initialize": lambda self, id, params, frame: self.starting.initialize(id, params),
        "thread/start": lambda self, id, params, frame: self.starting.thread(id, params),
        "mcpServerStatus/list": lambda self, id, params, frame: self.inventory.serve(id, params),
        "mcpServer/tool/call": lambda self, id, params, frame: self.calls.call(id, params, frame),
        "thread/loaded/list": _loaded,
        "thread/unsubscribe": _unsubscribe,
        "config/mcpServer/reload": _reload,
        "turn/start": _turn,
    }


def _no_uuid(text: str) -> str | None:
    """Why the text is no id of a thread, as the real server says it; None where it is one."""
    for place, letter in enumerate(text):
        if letter not in "0123456789abcdefABCDEF-":
            expected = "expected an optional prefix of `urn:uuid:` followed by [0-9a-fA-F-]"
            return f"invalid character: {expected}, found `{letter}` at {place + 1}"
    digits = text.replace("-", "")
    if len(digits) != 32:
        return f"invalid length: expected length 32 for simple format, found {len(text)}"
    return None
