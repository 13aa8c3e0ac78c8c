"""Elicitations: asked by an MCP server, answered by policy or by the client, and what each answer becomes.

Separate from the calls, because a question belongs to a connection and may outlive the call that it came with: a late
answer still reaches the MCP server. Source: trailcam facts on codex app-server, section 5; tapes s30 to s41, s50, s54.
"""

from __future__ import annotations

from fakes.fronts.codex_elicitation import ACCEPT, FORWARD, NO_STANDARD, kind_of, misfit, who_answers
from harness.faults.steps import Send
from harness.wire.jsontext import dumps, encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fakes.fronts.codex import AppServer
    from fakes.fronts.codex_server import Connection
    from fakes.fronts.codex_thread import Thread
    from harness.faults.steps import Handler
    from harness.wire.frame import Frame
    from harness.wire.jsontext import Json

MODES = {"empty": "form", "fields": "form", "url": "url", "openai/form": "openai/form", "openaiForm": "openaiForm"}
"""Kind -> mode in the request to the client."""
ACTIONS = ("accept", "decline", "cancel")


class Question:
    """One elicitation that waits for the client. asked: the MCP server's id of it."""

    __slots__ = ("thread", "connection", "asked", "kind", "calls")

    def __init__(self, thread: Thread, connection: Connection, asked: Json, kind: str, calls: list[Json]) -> None:
        self.thread = thread
        self.connection = connection
        self.asked = asked
        self.kind = kind
        self.calls = calls
        """The calls that were open when it was asked."""


class Questions:
    """Of one process. `pending`: id of the server's request -> question; `told`: ids that were answered before."""

    __slots__ = ("_server", "pending", "_told", "_late")

    def __init__(self, server: AppServer) -> None:
        self._server = server
        self.pending: dict[int, Question] = {}
        self._told: set[int] = set()
        self._late: list[tuple[str, Json]] = []

    def asked(self, connection: Connection, request: dict[str, Json]) -> Handler:
        """An MCP server asks."""
        server = self._server
        thread = server.threads.get(str(connection.thread))
        method, params = str(request["method"]), request.get("params")
        refusal = self._refusal(method, params, thread)
        if refusal is not None or thread is None:
            yield Send(connection.refusal(request.get("id"), *(refusal or (-32601, method))), connection.wire)
            return
        assert isinstance(params, dict)
        kind = kind_of(method, params)
        answer = who_answers(thread.policy, thread.sandbox, kind, thread.user and server.standard_form_input())
        if server.settings["surfaces"]:
            answer = FORWARD
        if answer == FORWARD:
            yield from self._forward(thread, connection, request.get("id"), kind, params)
            return
        reply: dict[str, Json] = {"action": answer}
        if answer == ACCEPT:
            reply["content"] = {}
        yield Send(_reply(request.get("id"), reply), connection.wire)

    def _refusal(self, method: str, params: Json, thread: Thread | None) -> tuple[int, str] | None:
        """(code, message) for what the app-server itself refuses; None where the policy decides."""
        server = self._server
        if method == "openai/form" and "openai/form" not in server.extensions():
            return -32601, method
        wrong = misfit(method, params)
        if wrong == NO_STANDARD and not server.profile.bad_forms_named:
            return -32601, method
        return None if wrong is None else (-32602, wrong)

    def _forward(
        self, thread: Thread, connection: Connection, asked: Json, kind: str, params: dict[str, Json]
    ) -> Handler:
        server = self._server
        yield from self.tell_late()
        if not any(question.thread is thread for question in self.pending.values()):
            status: Json = {"type": "active", "activeFlags": ["waitingOnApproval"]}
            yield from server.output.notify("thread/status/changed", {"threadId": thread.id, "status": status})
        connection.pause(server.world.now_ms())
        members: dict[str, Json] = {"threadId": thread.id, "turnId": None, "serverName": connection.spec.name}
        if server.profile.environments:
            members["environmentId"] = None
        members.update(mode=MODES[kind], _meta=params.get("_meta"), message=params.get("message"))
        for name in ("url", "elicitationId") if kind == "url" else ("requestedSchema",):
            members[name] = params.get(name)
        id = yield from server.output.ask("mcpServer/elicitation/request", members)
        open_calls = [call.id for call in connection.calls.values()]
        self.pending[id] = Question(thread, connection, asked, kind, open_calls)
        server.settle()

    def answered(self, value: dict[str, Json], frame: Frame) -> Handler:
        """The client answers a request of ours, or one that we never asked: that is ignored."""
        server = self._server
        id = value["id"]
        if "error" in value and server.profile.logs_error_replies:
            kind = "Integer" if isinstance(id, int) else "String"
            shown = f"JSONRPCError {{ error: {_shown_error(value)}, id: {kind}({dumps(id)}) }}"
            yield server.output.log("codex_app_server::message_processor", f"<- error: {shown}")
        if not isinstance(id, int) or id not in self.pending:
            known = isinstance(id, int) and id in self._told
            server.output.violation(
                f"answer to {id!r}, which " + ("was answered before" if known else "nobody asked"), frame
            )
            return
        server.move("answer", frame)
        question = self.pending.pop(id)
        self._told.add(id)
        if question.calls and not any(call in server.open_calls for call in question.calls):
            server.output.violation("answer after the call was given up", frame)
        reply, said = _answer(value)
        if said:
            yield server.output.log("codex_app_server::bespoke_event_handling", said)
        if (
            reply["action"] == "accept"
            and question.kind != "empty"
            and question.kind != "url"
            and not reply.get("content")
        ):
            server.output.violation("accept without content to a form with fields", frame)
        connection = question.connection
        connection.go_on(server.world.now_ms())
        if not connection.closed:
            yield Send(_reply(question.asked, reply), connection.wire)
        else:
            text = "failed to send pending response during drain error=Broken pipe (os error 32)"
            yield server.output.log("rmcp::service", text)
        yield from self._resolve(question, id)
        server.world.wake(connection.key)
        if connection.closed and not connection.asking:
            yield from server.calls.fail_open(connection)
        server.settle()

    def _resolve(self, question: Question, id: int) -> Handler:
        thread = question.thread.id
        notices: list[tuple[str, Json]] = [("serverRequest/resolved", {"threadId": thread, "requestId": id})]
        if not any(other.thread is question.thread for other in self.pending.values()):
            notices.append(("thread/status/changed", {"threadId": thread, "status": {"type": "idle"}}))
        self._late += notices
        if not (question.connection.calls and not question.connection.closed and self._server.drawn()):
            yield from self.tell_late()

    def tell_late(self) -> Handler:
        """Notices that may come after the result of the call, and that were held for it."""
        late, self._late = self._late, []
        for method, params in late:
            yield from self._server.output.notify(method, params)


def _answer(value: dict[str, Json]) -> tuple[dict[str, Json], str | None]:
    """(what the MCP server gets, what the log says). Whatever can't be read is a decline."""
    decline: dict[str, Json] = {"action": "decline"}
    if "error" in value:
        return decline, f"request failed with client error: {_shown_error(value)}"
    result = value.get("result")
    action = result.get("action") if isinstance(result, dict) else None
    if action not in ACTIONS:
        missing = not isinstance(result, dict) or "action" not in result
        why = (
            "missing field `action`"
            if missing
            else f"unknown variant `{action}`, expected one of " + ", ".join(f"`{each}`" for each in ACTIONS)
        )
        return decline, f"failed to deserialize McpServerElicitationRequestResponse: {why}"
    assert isinstance(result, dict)
    reply: dict[str, Json] = {"action": action}
    if action == "accept":
        reply["content"] = {} if result.get("content") is None else result["content"]
    if result.get("_meta") is not None:
        reply["_meta"] = result["_meta"]
    return reply, None


def _shown_error(value: dict[str, Json]) -> str:
    error = value["error"]
    assert isinstance(error, dict)
    message = dumps(str(error.get("message")), ascii_only=False)
    return f"JSONRPCErrorError {{ code: {error.get('code')}, data: None, message: {message} }}"


def _reply(id: Json, result: dict[str, Json]) -> bytes:
    return encode({"jsonrpc": "2.0", "id": id, "result": result}) + b"\n"
