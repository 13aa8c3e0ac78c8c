"""An MCP server that does what its caller asks for by the `app` argument: results of every kind, errors, death.

The recordings of the real app-server were made against such a server, which is not at hand; this one is written after
what the recordings show of it. It runs as a machine of the stage, or alone as a real process behind a real codex.
"""

from __future__ import annotations

from fakes.settings import read
from harness.faults.steps import Close, Exit, Send, Until, Wait
from harness.serve.machine import Silent
from harness.wire.jsontext import dumps, encode, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping
    from typing import Any

    from fakes.settings import Table
    from harness.faults.steps import Handler, Step
    from harness.serve.machine import Given
    from harness.wire.frame import Frame
    from harness.wire.jsontext import Json

KEYS: Table = {
    "tools": ("list", [], "tools/list gives these"),
    "start": (
        "well|exit|hang|slow|exit after initialize|refuse tools|refuse experimental",
        "well",
        "how it behaves at its start",
    ),
    "initialize_ms": ("number", 0, "how long it takes to be up"),
    "stubborn": ("bool", False, "stays alive at the end of stdin and at SIGTERM"),
}
FORMS: dict[str, dict[str, Json]] = {
    "empty": {
        "mode": "form",
        "message": "Allow Codex to use Chess?",
        "requestedSchema": {"type": "object", "properties": {}},
    },
    "fields": {
        "mode": "form",
        "message": "Choose access",
        "requestedSchema": {
            "type": "object",
            "properties": {"choice": {"type": "string", "enum": ["allow", "deny"]}},
            "required": ["choice"],
        },
    },
    "url": {"mode": "url", "message": "Open this", "url": "https://example.invalid/x", "elicitationId": "el-1"},
    "oform": {"mode": "openai/form", "message": "OpenAI form", "requestedSchema": {"type": "object", "properties": {}}},
}
META: Json = {"codex_approval_kind": "mcp_tool_call", "connector_name": "Computer Use"}
REFUSED = "Internal error: The data couldn’t be read because it isn’t in the correct format."


def _text(text: str) -> dict[str, Json]:
    return {"result": {"content": [{"type": "text", "text": text}], "isError": False}}


RESULTS: dict[str, dict[str, Json]] = {
    "iserror": {"result": {"content": [{"type": "text", "text": "Computer Use approval denied"}], "isError": True}},
    "img": {
        "result": {
            "content": [
                {"type": "text", "text": "t"},
                {"type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png"},
            ],
            "structuredContent": {"a": 1},
            "isError": False,
            "_meta": {"m": 1},
        }
    },
    "noiserror": {"result": {"content": [{"type": "text", "text": "no isError key"}]}},
    "nocontent": {"result": {"structuredContent": {"a": 1}}},
    "oddblock": {
        "result": {
            "content": [
                {"type": "resource_link", "uri": "file:///x", "name": "x"},
                {"type": "audio", "data": "AA==", "mimeType": "audio/wav"},
            ]
        }
    },
    "badblock": {"result": {"content": [{"type": "hologram", "data": "x"}]}},
    "badresult": {"result": {"content": "no list"}},
    "uni": _text("\u2028\u0085 \U0001f600  lone? line\nbreak\u0000nul"),
}
"""Argument -> members of the answer."""


class Rig(Silent):
    """See the module."""

    wires: Mapping[str, str] = {"stdio": "mcp"}

    def __init__(self, given: Given) -> None:
        super().__init__(given)
        self.p = given.p
        self.settings = read(dict(given.settings), KEYS, "the rig's settings")
        self._asked = 0
        self._answers: dict[int, dict[str, Json]] = {}
        self._cancelled: set[Json] = set()

    def started(self, argv: list[str], env: Mapping[str, str]) -> Handler:
        if self.settings["start"] == "exit":
            yield Exit(3)

    def ended(self, wire: str) -> Handler:
        if not self.settings["stubborn"]:
            yield Exit(0)

    def signalled(self, number: int) -> Handler | None:
        return self._nothing() if self.settings["stubborn"] else None

    def _nothing(self) -> Handler:
        yield from ()

    def received(self, wire: str, frame: Frame) -> Handler:
        value = frame.value
        if not isinstance(value, dict):
            return
        params = value.get("params")
        params = params if isinstance(params, dict) else {}
        if frame.kind == "reply" and isinstance(frame.id, int):
            self._answers[frame.id] = value
            self.world.wake(f"rig:{self.p}:{frame.id}")
        elif frame.method == "notifications/cancelled":
            self._cancelled.add(params.get("requestId"))
        elif frame.method == "initialize":
            yield from self._initialize(frame.id, params)
        elif frame.method == "tools/list":
            if self.settings["start"] == "exit after initialize":
                yield Exit(3)
            if self.settings["start"] == "refuse tools":
                yield self._reply(frame.id, {"error": {"code": -32603, "message": "no tools for you"}})
            else:
                yield self._reply(frame.id, {"result": {"tools": self.settings["tools"]}})
        elif frame.method == "tools/call":
            yield from self._call(frame.id, params)
        elif frame.kind == "request":
            yield self._reply(frame.id, {"error": {"code": -32601, "message": f"Method not found: {frame.method}"}})

    def _initialize(self, id: Json, params: dict[str, Json]) -> Handler:
        start = self.settings["start"]
        yield Wait(self.settings["initialize_ms"])
        if start == "hang":
            return
        if start == "slow":
            yield Wait(3000)
        capabilities = params.get("capabilities")
        if start == "refuse experimental" and isinstance(capabilities, dict) and "experimental" in capabilities:
            yield self._reply(id, {"error": {"code": -32603, "message": REFUSED}})
            return
        result: Json = {
            "protocolVersion": params.get("protocolVersion"),
            "capabilities": {"tools": {"listChanged": True}},
            "serverInfo": {"name": "stub-computer-use", "version": "1.0.0"},
        }
        yield self._reply(id, {"result": result})

    def _call(self, id: Json, params: dict[str, Json]) -> Handler:
        arguments = params.get("arguments")
        arguments = arguments if isinstance(arguments, dict) else {}
        name, app = params.get("name"), str(arguments.get("app", "ok"))
        if name not in [tool["name"] for tool in self.settings["tools"]]:
            yield self._reply(id, {"error": {"code": -32602, "message": f"Unknown tool: {name}"}})
        elif name == "list_apps":
            yield self._reply(id, _text("Chess - com.apple.Chess [running]"))
        elif app in RESULTS:
            yield self._reply(id, RESULTS[app])
        else:
            word, _, rest = app.partition(":")
            act = ACTS.get(word)
            yield from act(self, id, rest, params) if act else self._plain(id, app)

    def _plain(self, id: Json, app: str) -> Handler:
        yield self._reply(id, _text(f"state of {app}"))

    def _reply(self, id: Json, members: dict[str, Json]) -> Send:
        return Send(encode({"jsonrpc": "2.0", "id": id, **members}) + b"\n")

    def _notify(self, method: str, params: Json) -> Send:
        return Send(encode({"jsonrpc": "2.0", "method": method, "params": params}) + b"\n")

    # What `app` may ask for

    def _error(self, id: Json, rest: str, params: Json) -> Handler:
        error: Json = {"code": int(rest), "message": "The computer is locked", "data": {"why": "locked"}}
        yield self._reply(id, {"error": error})

    def _meta(self, id: Json, rest: str, params: Any) -> Handler:
        shown = {"_meta": dict(sorted(params["_meta"].items())), "args": params["arguments"]}
        yield self._reply(id, _text(spaced(shown)))

    def _slow(self, id: Json, rest: str, params: Json) -> Handler:
        yield Wait(float(rest) * 1000)
        yield self._reply(id, _text(f"slow done cancelled={id in self._cancelled}"))

    def _was_cancelled(self, id: Json, rest: str, params: Json) -> Handler:
        yield self._reply(id, _text(repr(list(self._cancelled))))

    def _big(self, id: Json, rest: str, params: Json) -> Handler:
        yield self._reply(id, _text("x" * int(rest)))

    def _crash(self, id: Json, rest: str, params: Json) -> Handler:
        yield Exit(3)

    def _closeout(self, id: Json, rest: str, params: Json) -> Handler:
        yield Close("stdio", "out")

    def _progress(self, id: Json, rest: str, params: Any) -> Handler:
        token = params["_meta"]["progressToken"]
        yield self._notify("notifications/progress", {"progressToken": token, "progress": 1, "total": 2})
        yield self._reply(id, _text(f"progress token={token}"))

    def _logged(self, id: Json, rest: str, params: Json) -> Handler:
        yield self._notify("notifications/message", {"level": "info", "data": "hello"})
        yield self._reply(id, _text("logged"))

    def _list_changed(self, id: Json, rest: str, params: Json) -> Handler:
        yield self._notify("notifications/tools/list_changed", {})
        yield Wait(300)
        yield self._reply(id, _text("changed"))

    def _garbage(self, id: Json, rest: str, params: Json) -> Handler:
        yield Send(b"this is no JSON\n")
        yield self._reply(id, _text("after garbage"))

    def _wrong_id(self, id: Json, rest: str, params: Json) -> Handler:
        yield self._reply(987654, _text("to nobody"))
        yield self._reply(id, _text("after wrong id"))

    def _twice(self, id: Json, rest: str, params: Json) -> Handler:
        yield self._reply(id, _text("first"))
        yield self._reply(id, _text("second"))

    def _ping(self, id: Json, rest: str, params: Json) -> Handler:
        yield from self._told(id, "ping->", "ping", {})

    def _roots(self, id: Json, rest: str, params: Json) -> Handler:
        yield from self._told(id, "roots->", "roots/list", {})

    def _sampling(self, id: Json, rest: str, params: Json) -> Handler:
        yield from self._told(id, "sampling->", "sampling/createMessage", {"messages": [], "maxTokens": 1})

    def _raw(self, id: Json, rest: str, params: Json) -> Handler:
        method, _, text = rest.partition("|")
        yield from self._told(id, "raw->", method, loads(text))

    def _told(self, id: Json, prefix: str, method: str, params: Json) -> Handler:
        answer = yield from self._ask(method, params)
        yield self._reply(id, _text(prefix + spaced(answer)))

    def _elicit(self, id: Json, rest: str, params: Json) -> Handler:
        kind, *options = rest.split(",")
        request: Any = {**FORMS[kind]}
        if "meta" in options:
            request["_meta"] = META
        count = next((int(each[2:]) for each in options if each.startswith("n=")), 1)
        if "nowait" in options:
            self._asked += 1
            yield self._question("elicitation/create", request)
            yield Wait(1000)
            yield self._reply(id, _text("did not wait"))
            return
        answers = []
        for _ in range(count):
            answers.append((yield from self._ask("elicitation/create", request)))
        yield self._reply(id, _text(f"elicited:{spaced(answers[0] if count == 1 else answers)}"))

    def _ask(self, method: str, params: Json) -> Generator[Step, Any, Json]:
        self._asked += 1
        asked = self._asked
        yield self._question(method, params)
        while asked not in self._answers:
            yield Until(f"rig:{self.p}:{asked}")
        answer = self._answers.pop(asked)
        members = {key: value for key, value in answer.items() if key in ("result", "error")}
        return members

    def _question(self, method: str, params: Json) -> Send:
        return Send(encode({"jsonrpc": "2.0", "id": self._asked, "method": method, "params": params}) + b"\n")


ACTS: dict[str, Callable[[Rig, Json, str, Any], Handler]] = {
    "rpcerr": Rig._error,
    "meta": Rig._meta,
    "slow": Rig._slow,
    "cancelled": Rig._was_cancelled,
    "big": Rig._big,
    "crash": Rig._crash,
    "closeout": Rig._closeout,
    "progress": Rig._progress,
    "logmsg": Rig._logged,
    "listchanged": Rig._list_changed,
    "garbage": Rig._garbage,
    "wrongid": Rig._wrong_id,
    "dup": Rig._twice,
    "ping": Rig._ping,
    "roots": Rig._roots,
    "sampling": Rig._sampling,
    "raw": Rig._raw,
    "el": Rig._elicit,
}


def spaced(value: Json) -> str:
    """JSON text as the recordings have it: sorted members, a space after each comma and colon."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{dumps(key)}: {spaced(value[key])}" for key in sorted(value)) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(spaced(each) for each in value) + "]"
    return dumps(value)


class Bare:
    """A world with nothing in it: the rig needs one that wakes handlers."""

    def __init__(self, record: Any, settings: Mapping[str, Json]) -> None:
        self._record = record

    def wake(self, key: str) -> None:
        self._record.wake(key)

    def now_ms(self) -> float:
        return float(self._record.now_ms())

    def note(self, e: str, **fields: Json) -> int:
        return int(self._record.record(e, **fields))

    def change(self, by: str, **what: Json) -> None:
        raise ValueError("nothing changes in a bare world")

    def process_ended(self, p: int) -> None:
        """Nothing was held."""
