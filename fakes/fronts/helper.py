"""The Computer Use helper as an MCP server on stdio, over a desktop.

It holds the lease on each app that it has shown, asks for approval of an app by an elicitation, and acts in the world.
Source: trailcam facts on codex app-server, section 6. How the real helper carries its errors, and whether it ends a
call at `notifications/cancelled`, is not known: the first is a setting, and the second it does not do.
"""

from __future__ import annotations

from fakes.fronts.helper_errors import CARRIERS, answer, tells
from fakes.fronts.helper_tools import MEMBERS, misfit, tool
from fakes.fronts.helper_view import PICTURE, app_line, state_text
from fakes.settings import read
from fakes.worlds.desktop import Refused
from harness.faults.steps import At, Exit, Send, Until, Wait
from harness.serve.machine import Silent
from harness.wire.jsontext import dumps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator, Mapping, Sequence
    from typing import Any

    from fakes.settings import Table
    from fakes.worlds.desktop import Desktop
    from fakes.worlds.desktop_apps import App, Element
    from harness.faults.steps import Handler, Step
    from harness.serve.machine import Given
    from harness.wire.frame import Frame
    from harness.wire.jsontext import Json

KEYS: Table = {
    "carrier": ("|".join(CARRIERS), "is_error", "how error numbers reach the client"),
    "locked_in_words": ("bool", False, "whether the error for a locked screen says that it is locked"),
    "reject_experimental": ("bool", False, "initialize fails where the client has experimental capabilities"),
    "approval": ("ask|off", "ask", "whether it asks for approval of an app"),
    "form": ("empty|fields|url|openai/form|openai/elicitation", "empty", "which elicitation it asks with"),
    "drift": (
        "object",
        {},
        "tool name to members that replace those of tools/list; null drops it; a new name adds one",
    ),
    "instructions": ("text or null", None, "instructions in the answer to initialize"),
    "version": ("text", "1.0.799", "version in serverInfo"),
    "image": ("bool", True, "whether states have a picture"),
    "padding": ("int", 0, "characters added to every state, to reach size bounds"),
    "stubborn": ("bool", False, "stays alive at the end of stdin and at SIGTERM"),
    "initialize_ms": ("number", 15, "cost of initialize"),
    "call_ms": ("number", 2, "cost of a call"),
    "unresponsive_ms": ("number", 5000, "how long it waits for an app that does not answer"),
}
REVISIONS = ("2025-06-18", "2025-03-26", "2024-11-05")
VALUES = {
    "perform_secondary_action": "action",
    "set_value": "value",
    "select_text": "text",
    "scroll": "direction",
    "press_key": "key",
    "type_text": "text",
}
"""Verb -> the argument that is the `value` of its effect. A plain left click has null, a drag its four numbers."""
FIELDS: Json = {
    "type": "object",
    "properties": {"choice": {"type": "string", "enum": ["allow", "deny"]}},
    "required": ["choice"],
}


class Helper(Silent):
    """See the module."""

    wires: Mapping[str, str] = {"stdio": "mcp"}
    moments: Sequence[str] = ("received", "before_effect", "after_effect", "asked")

    def __init__(self, given: Given) -> None:
        super().__init__(given)
        self.world: Desktop = given.world
        self.p = given.p
        self.settings = read(dict(given.settings), KEYS, "programs.helper")
        self.client: dict[str, Json] = {}
        """The capabilities that the client has told."""
        self._asked = 0
        self._answers: dict[int, dict[str, Json]] = {}

    def ended(self, wire: str) -> Handler:
        if not self.settings["stubborn"]:
            self.world.release(self.p)
            yield Exit(0)

    def signalled(self, number: int) -> Handler | None:
        if number == 15:
            return self._terminated()
        return None

    def _terminated(self) -> Handler:
        if not self.settings["stubborn"]:
            self.world.release(self.p)
            yield Exit(-15)

    def received(self, wire: str, frame: Frame) -> Handler:
        value = frame.value
        if not isinstance(value, dict):
            return
        if frame.kind == "reply":
            if isinstance(frame.id, int) and not isinstance(frame.id, bool):
                self._answers[frame.id] = value
                self.world.wake(self._key(frame.id))
        elif frame.kind == "request":
            params = value.get("params")
            params = params if isinstance(params, dict) else {}
            if frame.method == "initialize":
                yield from self._initialize(frame.id, params)
            elif frame.method == "tools/list":
                yield self._reply(frame.id, {"result": {"tools": self._tools()}})
            elif frame.method == "tools/call":
                yield from self._call(frame.id, params)
            elif frame.method == "ping":
                yield self._reply(frame.id, {"result": {}})
            else:
                error = {"code": -32601, "message": f"Method not found: {frame.method}"}
                yield self._reply(frame.id, {"error": error})

    def _reply(self, id: Json, members: dict[str, Json]) -> Send:
        return self._send({"jsonrpc": "2.0", "id": id, **members})

    def _send(self, value: dict[str, Json]) -> Send:
        return Send(dumps(value, ascii_only=False).encode() + b"\n")

    def _key(self, id: int) -> str:
        return f"helper:{self.p}:answer:{id}"

    # Handshake

    def _initialize(self, id: Json, params: Mapping[str, Json]) -> Handler:
        yield Wait(self.settings["initialize_ms"])
        capabilities = params.get("capabilities")
        self.client = capabilities if isinstance(capabilities, dict) else {}
        if self.settings["reject_experimental"] and "experimental" in self.client:
            message = "Internal error: The data couldn’t be read because it isn’t in the correct format."
            yield self._reply(id, {"error": {"code": -32603, "message": message}})
            return
        revision = params.get("protocolVersion")
        result: dict[str, Json] = {
            "protocolVersion": revision if revision in REVISIONS else REVISIONS[0],
            "capabilities": {"tools": {"listChanged": True}},
            "serverInfo": {"name": "computer-use", "version": self.settings["version"]},
        }
        if self.settings["instructions"] is not None:
            result["instructions"] = self.settings["instructions"]
        yield self._reply(id, {"result": result})

    def _tools(self) -> list[Json]:
        drift = self.settings["drift"]
        assert isinstance(drift, dict)
        tools: list[Json] = []
        for name in MEMBERS:
            if name not in drift:
                tools.append(tool(name))
            elif drift[name] is not None:
                tools.append({**tool(name), **drift[name]})
        tools += [{"name": name, **members} for name, members in drift.items() if name not in MEMBERS]
        return tools

    # Calls

    def _call(self, id: Json, params: Mapping[str, Json]) -> Handler:
        name = str(params.get("name"))
        arguments = params.get("arguments")
        arguments = arguments if isinstance(arguments, dict) else {}
        yield At("received", {"verb": name, "app": arguments.get("app")})
        yield Wait(self.settings["call_ms"])
        if name not in MEMBERS:
            yield self._reply(id, {"error": {"code": -32602, "message": f"Unknown tool: {name}"}})
            return
        wrong = misfit(name, arguments)
        if wrong:
            yield self._reply(id, {"error": {"code": -32602, "message": f"Invalid arguments for {name}: {wrong}"}})
            return
        try:
            content = yield from self._carry_out(name, arguments, f"{self.p}:{id}")
        except Refused as refused:
            self.world.refused(self.p, name, refused.reason, refused.facts.get("bundle") or refused.facts.get("app"))
            reason = refused.reason
            if reason == "unresponsive":
                yield Wait(self.settings["unresponsive_ms"])
            if reason == "locked" and self.settings["locked_in_words"]:
                reason = "locked_in_words"
            if not tells(reason):
                self.world.note("unsaid", p=self.p, why=reason)
            yield self._reply(id, answer(reason, refused.facts, str(self.settings["carrier"])))
            return
        yield self._reply(id, {"result": {"content": content, "isError": False}})

    def _carry_out(self, name: str, arguments: Mapping[str, Json], call: str) -> Generator[Step, Any, list[Json]]:
        if name == "list_apps":
            found = self.world.list_apps(self.p)
            text = "\n".join(app_line(app, app is self.world.front) for app in found)
            return [{"type": "text", "text": text}]
        app = self.world.resolve(str(arguments["app"]))
        self.world.refuse_unready(app)
        if self.settings["approval"] == "ask" and self.world.grant(app, self.p, call) is None:
            yield from self._approve(app, call)
        if name != "get_app_state":
            yield from self._act(app, name, arguments, call)
        return self._state(app, may_be_gone=name != "get_app_state")

    def _state(self, app: App, may_be_gone: bool) -> list[Json]:
        try:
            view = self.world.look(self.p, app)
        except Refused:
            if not may_be_gone:
                raise
            return [{"type": "text", "text": f"App={app.bundle} (pid {app.pid})\nNo window is on the screen.\n"}]
        text = state_text(app, view) + " " * int(self.settings["padding"])
        content: list[Json] = [{"type": "text", "text": text}]
        if self.settings["image"]:
            content.append({"type": "image", "data": PICTURE, "mimeType": "image/png"})
        return content

    def _act(self, app: App, verb: str, arguments: Mapping[str, Json], call: str) -> Handler:
        element: Element | None = None
        point: tuple[float, float] | None = None
        if "element_index" in arguments:
            element = self.world.node(self.p, app, str(arguments["element_index"]))
        elif verb == "click":
            if "x" not in arguments or "y" not in arguments:
                raise Refused("no_place", app=app.name)
            point = (float(str(arguments["x"])), float(str(arguments["y"])))
        where: dict[str, Json] = {"verb": verb, "app": app.key}
        yield At("before_effect", where)
        self.world.act(
            self.p,
            app,
            verb,
            element=element,
            point=point,
            value=_value(verb, arguments),
            needs=self.settings["approval"] == "ask",
            call=call,
        )
        yield At("after_effect", where)

    # Approval

    def _approve(self, app: App, call: str) -> Handler:
        denied = Refused("denied", app=app.name, bundle=app.bundle)
        request = self._form(app)
        if app.key in self.world.denied or request is None:
            raise denied
        self._asked += 1
        id = self._asked
        yield At("asked", {"app": app.key})
        yield self._send({"jsonrpc": "2.0", "id": id, **request})
        if id not in self._answers:
            yield Until(self._key(id))
        reply = self._answers.pop(id).get("result")
        reply = reply if isinstance(reply, dict) else {}
        if reply.get("action") != "accept":
            raise denied
        meta = reply.get("_meta")
        persist = meta.get("persist") if isinstance(meta, dict) else None
        self.world.approve(self.p, app, str(persist) if persist in ("session", "always") else "once", call)

    def _form(self, app: App) -> dict[str, Json] | None:
        """The elicitation to ask with; None where the client takes none of that kind."""
        form = self.settings["form"]
        meta: Json = {
            "codex_approval_kind": "mcp_tool_call",
            "connector_id": "computer-use",
            "persist": ["session", "always"],
            "tool_params": {"app": app.bundle},
        }
        message = f"Allow Codex to use {app.name}?"
        extensions = self.client.get("extensions")
        extensions = extensions if isinstance(extensions, dict) else {}
        if form == "openai/form":
            params: dict[str, Json] = {"message": message, "requestedSchema": FIELDS, "_meta": meta}
            return {"method": "openai/form", "params": params} if "openai/form" in extensions else None
        if form == "openai/elicitation":
            params = {"mode": "form", "message": message, "requestedSchema": FIELDS, "_meta": meta}
            wanted = "openai/elicitation" in extensions
            return {"method": "openai/elicitation/create", "params": params} if wanted else None
        if "elicitation" not in self.client:
            return None
        params = {"mode": "form", "message": message, "_meta": meta}
        if form == "url":
            params.update(mode="url", url="https://example.invalid/approve", elicitationId=f"approve-{app.bundle}")
        else:
            params["requestedSchema"] = FIELDS if form == "fields" else {"type": "object", "properties": {}}
        return {"method": "elicitation/create", "params": params}


def _value(verb: str, arguments: Mapping[str, Json]) -> Json:
    if verb == "drag":
        return [arguments[name] for name in ("from_x", "from_y", "to_x", "to_y")]
    if verb == "click":
        button, count = arguments.get("mouse_button", "left"), arguments.get("click_count", 1)
        return None if (button, count) == ("left", 1) else f"{button} x{count}"
    return arguments[VALUES[verb]]
