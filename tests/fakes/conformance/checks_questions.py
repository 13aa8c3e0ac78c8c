"""Facts about elicitations: who answers under which policy, in which order the client is told, what answers become."""

from __future__ import annotations

from typing import Any

import trio

from harness.wire.jsontext import loads
from tests.fakes.conformance.checks_calls import CALL, failed
from tests.fakes.conformance.client import Client, Connect, Options, expect

REQUEST = "mcpServer/elicitation/request"
CAPABILITIES = {"mcpServerOpenaiFormElicitation": True, "experimentalApi": True}
GRANULAR = {"sandbox_approval": True, "rules": True, "skill_approval": True, "request_permissions": True}
POLICIES: dict[str, Any] = {
    "never": "never",
    "on-request": "on-request",
    "untrusted": "untrusted",
    "granular on": {"granular": {**GRANULAR, "mcp_elicitations": True}},
    "granular off": {"granular": {**GRANULAR, "mcp_elicitations": False}},
}
SANDBOXES = ("danger-full-access", "read-only", "workspace-write")
SCHEMA = '{"type": "object", "properties": {"x": {"type": "array"}}}'
FORM = f'{{"message": "m", "requestedSchema": {SCHEMA}, "_meta": {{"app": "C"}}}}'
ASKS = {"empty": "el:empty", "fields": "el:fields", "url": "el:url", "openai/form": f"raw:openai/form|{FORM}"}
"""Kind -> what the rig is asked for."""
AUTO = {
    ("never", "danger-full-access", "empty"): {"action": "accept", "content": {}},
    **{("never", "danger-full-access", kind): {"action": "decline"} for kind in ("fields", "url", "openai/form")},
    **{("never", box, kind): {"action": "decline"} for box in ("read-only", "workspace-write") for kind in ASKS},
    **{("granular off", box, kind): {"action": "decline"} for box in SANDBOXES for kind in ASKS},
}
"""(policy, sandbox, kind) -> the answer that the app-server gives itself. Everywhere else the client is asked."""
ANSWER = {"action": "accept", "content": {"choice": "allow"}, "_meta": {"who": "client"}}


async def check_codex_elicitation_matrix(connect: Connect) -> None:
    """Every approval policy with every sandbox and every kind: answered by the app-server, or asked of the client."""
    async with connect() as client:
        await client.initialize(CAPABILITIES)
        for policy, value in POLICIES.items():
            for sandbox in SANDBOXES:
                await client.thread(approvalPolicy=value, sandbox=sandbox)
                await client.ready()
                for kind, app in ASKS.items():
                    await _one(client, app, AUTO.get((policy, sandbox, kind)), f"{policy}, {sandbox}, {kind}")
        await client.finish()


async def check_codex_standard_form_input(connect: Connect) -> None:
    """The newer version asks for forms with fields under never, where the client takes them, for a user."""
    form = {"action": "decline"}
    for source, extensions, asked in (
        ("user", {"openai/standard-form-input": {}}, True),
        (None, {"openai/standard-form-input": {}}, False),
        ("user", {}, False),
    ):
        async with connect() as client:
            await client.initialize({"extensions": extensions})
            await client.thread(threadSource=source)
            await client.ready()
            newer = client.version == "0.171.0"
            await _one(client, ASKS["fields"], None if asked and newer else form, f"fields, {source}, {extensions}")
            await _one(client, ASKS["url"], form, f"url, {source}, {extensions}")
            await _one(client, ASKS["empty"], {"action": "accept", "content": {}}, f"empty, {source}, {extensions}")
            await client.finish()


async def _one(client: Client, app: str, auto: Any, where: str) -> None:
    before = len(client.frames)
    call = await client.ask(CALL, client.call_params("click", {"app": app}))
    if auto is None:
        asked = await _asked(client, before)
        await client.send({"id": asked["id"], "result": ANSWER})
    reply = await client.reply(call)
    given = _given(reply)
    expect(given, {"result": auto or ANSWER}, f"what the MCP server got under {where}")
    asked_for = [frame for frame in client.frames[before:] if frame.get("method") == REQUEST]
    expect(len(asked_for), 0 if auto else 1, f"requests to the client under {where}")


def _given(reply: Any) -> Any:
    text = reply["result"]["content"][0]["text"]
    return loads(text.removeprefix("elicited:").removeprefix("raw->"))


async def _asked(client: Client, after: int) -> Any:
    """The request to the client that came at or after that place."""
    seen = {id(frame) for frame in client.frames[:after]}
    return await client.frame(lambda frame: frame.get("method") == REQUEST and id(frame) not in seen, REQUEST)


async def check_codex_elicitation_frame(connect: Connect) -> None:
    """What the client is asked, kind by kind, with integer ids from 0."""
    shown: dict[str, dict[str, Any]] = {
        "el:fields": {"mode": "form", "_meta": None, "message": "Choose access"},
        "el:empty,meta": {
            "mode": "form",
            "_meta": {"codex_approval_kind": "mcp_tool_call", "connector_name": "Computer Use"},
            "requestedSchema": {"type": "object", "properties": {}},
        },
        "el:url": {"mode": "url", "url": "https://example.invalid/x", "elicitationId": "el-1"},
        ASKS["openai/form"]: {"mode": "openai/form", "_meta": {"app": "C"}},
    }
    async with _asking(connect) as client:
        for number, (app, members) in enumerate(shown.items()):
            before = len(client.frames)
            call = await client.ask(CALL, client.call_params("click", {"app": app}))
            request = await _asked(client, before)
            expect(request["id"], number, "id of the request")
            expect(list(request), ["method", "id", "params"], "order of the members of a request")
            params = request["params"]
            expect({key: params[key] for key in members}, members, app)
            expect(params["turnId"], None, "turnId")
            expect(params["serverName"], "computer-use", "serverName")
            expect("environmentId" in params, client.version == "0.171.0", "whether environmentId is there")
            await client.send({"id": request["id"], "result": {"action": "cancel"}})
            expect(_given(await client.reply(call)), {"result": {"action": "cancel"}}, "what the MCP server got")
        await client.finish()


ANSWERS: tuple[tuple[Any, Any], ...] = (
    ({"result": {"action": "accept"}}, {"action": "accept", "content": {}}),
    ({"result": ANSWER}, ANSWER),
    (
        {"result": {"action": "accept", "content": {"choice": "NOPE", "extra": 1}}},
        {"action": "accept", "content": {"choice": "NOPE", "extra": 1}},
    ),
    ({"result": {"action": "decline"}}, {"action": "decline"}),
    ({"result": {"action": "cancel"}}, {"action": "cancel"}),
    ({"result": {"action": "yes"}}, {"action": "decline"}),
    ({"result": {}}, {"action": "decline"}),
    ({"error": {"code": -32601, "message": "Unsupported server request"}}, {"action": "decline"}),
)
"""What the client answers -> what the MCP server gets."""


async def check_codex_elicitation_answers(connect: Connect) -> None:
    """accept keeps content and _meta and is not checked against the schema; whatever can't be read is a decline."""
    async with _asking(connect) as client:
        for members, given in ANSWERS:
            before = len(client.frames)
            call = await client.ask(CALL, client.call_params("click", {"app": "el:fields"}))
            request = await _asked(client, before)
            await client.send({"id": request["id"], **members})
            expect(_given(await client.reply(call)), {"result": given}, f"what the MCP server got for {members}")
        await client.finish()
        logged = (
            client.errors.count(b"request failed with client error"),
            client.errors.count(b"<- error: JSONRPCError"),
        )
        expect(logged, (1, 0 if client.version == "0.171.0" else 1), "lines of the log about an error as an answer")


async def check_codex_elicitation_order(connect: Connect) -> None:
    """waitingOnApproval, the request, the answer, resolved, idle; two at once have one of the first and of the last."""
    async with _asking(connect) as client:
        calls = [await client.ask(CALL, client.call_params("click", {"app": app})) for app in ("el:fields", "el:empty")]
        for id in (0, 1):
            await client.notice_of(REQUEST, id)
        for id in (1, 0):
            await client.send({"id": id, "result": ANSWER})
        for call in calls:
            await client.reply(call)
        await client.frame(lambda frame: _status(frame) == "idle", "idle")
        order = [_status(frame) or frame["method"] for frame in client.frames if _status(frame) or _about(frame)]
        resolved = "serverRequest/resolved"
        expect(order, ["active", REQUEST, REQUEST, resolved, resolved, "idle"], "order of the frames")
        ids = [frame["params"]["requestId"] for frame in client.frames if frame.get("method") == resolved]
        expect(sorted(ids), [0, 1], "what was resolved")
        await client.finish()


def _status(frame: Any) -> str | None:
    return str(frame["params"]["status"]["type"]) if frame.get("method") == "thread/status/changed" else None


def _about(frame: Any) -> bool:
    return frame.get("method") in (REQUEST, "serverRequest/resolved")


async def check_codex_elicitation_ids(connect: Connect) -> None:
    """An answer counts by id and type; a second one, and one that nobody asked for, are ignored."""
    async with _asking(connect) as client:
        call = await client.ask(CALL, client.call_params("click", {"app": "el:fields"}))
        await _asked(client, 0)
        for id in ("0", 1, 99):
            await client.send({"id": id, "result": {"action": "accept"}})
        assert "result" in await client.call("list_apps", {}), "later calls work while one is pending"
        expect(client.replies(call), [], "replies while the question is open")
        await client.send({"id": 0, "result": ANSWER})
        await client.send({"id": 0, "result": {"action": "decline"}})
        expect(_given(await client.reply(call)), {"result": ANSWER}, "what the MCP server got")
        await client.finish()


async def check_codex_elicitation_stops_the_clock(connect: Connect) -> None:
    """The tool timeout stands still while a client is asked, for every call of that server."""
    async with _asking(connect, server={"tool_timeout_sec": 2}) as client:
        asking = await client.ask(CALL, client.call_params("click", {"app": "el:fields"}))
        await _asked(client, 0)
        other = await client.ask(CALL, client.call_params("get_app_state", {"app": "slow:4"}))
        await client.reply(other)
        assert "result" in (await client.reply(other)), "a call whose time is up while somebody is asked"
        await client.send({"id": 0, "result": ANSWER})
        expect(_given(await client.reply(asking)), {"result": ANSWER}, "what the MCP server got")
        await client.finish()


async def check_codex_elicitation_of_a_dead_server(connect: Connect) -> None:
    """Where the MCP server dies while the client is asked, every call fails only after the answer."""
    async with _asking(connect) as client:
        asking = await client.ask(CALL, client.call_params("click", {"app": "el:fields"}))
        await _asked(client, 0)
        crash = await client.ask(CALL, client.call_params("get_app_state", {"app": "crash"}))
        await _until_dead(client)
        later = await client.ask(CALL, client.call_params("list_apps", {}))
        await client.request("thread/loaded/list", {})
        expect([client.replies(call) for call in (asking, crash, later)], [[], [], []], "replies before the answer")
        await client.send({"id": 0, "result": ANSWER})
        for call, tool in ((asking, "click"), (crash, "get_app_state"), (later, "list_apps")):
            reply = await client.reply(call)
            expect(reply.get("error"), {"code": -32603, "message": failed(tool, "Transport closed")}, tool)
        await client.finish()


async def _until_dead(client: Client) -> None:
    with trio.fail_after(5):
        while client.helpers.alive():
            await trio.sleep(0.01)


BAD_FORMS = (
    ('elicitation/create|{"message":"m","requestedSchema":{"type":"object"}}', "standard"),
    ('elicitation/create|{"message":"m"}', "standard"),
    ('elicitation/create|{"mode":"url","message":"m"}', "standard"),
    (
        'elicitation/create|{"message":"m","requestedSchema":{"type":"object","properties":{"a":{"type":"array"}}}}',
        "standard",
    ),
    ('elicitation/create|{"requestedSchema":{"type":"object","properties":{}}}', "standard"),
    ('openai/form|{"message":"m"}', "missing field `requestedSchema`"),
)


async def check_codex_bad_elicitations(connect: Connect) -> None:
    """An elicitation that can't be read is refused to the MCP server, and no client sees it."""
    wire = "data did not match any variant of untagged enum ElicitRequestParamsWire"
    async with _asking(connect) as client:
        for app, why in BAD_FORMS:
            reply = await client.call("click", {"app": f"raw:{app}"})
            wanted: Any = {"code": -32602, "message": wire if why == "standard" else why}
            if why == "standard" and client.version == "0.144.2":
                wanted = {"code": -32601, "message": "elicitation/create"}
            expect(_given(reply), {"error": wanted}, f"what the MCP server got for {app}")
        expect([frame for frame in client.frames if frame.get("method") == REQUEST], [], "requests to the client")
        await client.finish()


async def check_codex_openai_forms(connect: Connect) -> None:
    """The two kinds of OpenAI forms are offered to MCP servers only where the client announced them."""
    other = '{"mode": "form", "message": "m", "requestedSchema": {"type": "object", "properties": {}}}'
    async with connect() as client:
        await client.start({"mcpServerOpenaiFormElicitation": False}, approvalPolicy="on-request")
        await client.ready()
        reply = await client.call("click", {"app": ASKS["openai/form"]})
        expect(_given(reply), {"error": {"code": -32601, "message": "openai/form"}}, "without the capability")
        await _one(client, ASKS["fields"], None, "fields, which need no capability")
        await client.finish()
    async with connect() as client:
        await client.start({"extensions": {"openai/elicitation": {"form": {}}}}, approvalPolicy="on-request")
        await client.ready()
        call = await client.ask(CALL, client.call_params("click", {"app": f"raw:openai/elicitation/create|{other}"}))
        if client.version == "0.144.2":
            error = {"code": -32601, "message": "openai/elicitation/create"}
            expect(_given(await client.reply(call)), {"error": error}, "on the older version")
        else:
            request = await _asked(client, 0)
            expect(request["params"]["mode"], "openaiForm", "mode")
            await client.send({"id": request["id"], "result": ANSWER})
            expect(_given(await client.reply(call)), {"result": ANSWER}, "what the MCP server got")
        await client.finish()


class _asking:
    """A session whose policy asks the client, with a thread whose MCP server is ready."""

    def __init__(self, connect: Connect, **options: Any) -> None:
        self._session = connect(Options(**options))

    async def __aenter__(self) -> Client:
        client = await self._session.__aenter__()
        await client.start(CAPABILITIES, approvalPolicy="on-request", sandbox="read-only")
        await client.ready()
        return client

    async def __aexit__(self, *exception: Any) -> None:
        await self._session.__aexit__(*exception)
