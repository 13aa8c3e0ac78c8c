"""Facts about tool calls: results, errors in each version's mapping, deadlines, a transport that closed."""

from __future__ import annotations

from typing import Any

from tests.fakes.conformance.checks_thread import MADE_UP, TOOLS
from tests.fakes.conformance.checks_wire import refused
from tests.fakes.conformance.client import Client, Connect, Options, expect

CALL = "mcpServer/tool/call"


def failed(tool: str, why: str) -> str:
    return f"tool call failed for `computer-use/{tool}`: {why}"


RESULTS: dict[str, Any] = {
    "iserror": {"content": [{"type": "text", "text": "Computer Use approval denied"}], "isError": True},
    "noiserror": {"content": [{"type": "text", "text": "no isError key"}]},
    "nocontent": {"content": [], "structuredContent": {"a": 1}},
    "img": {
        "content": [{"type": "text", "text": "t"}, {"type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png"}],
        "structuredContent": {"a": 1},
        "isError": False,
        "_meta": {"m": 1},
    },
    "oddblock": {
        "content": [
            {"type": "resource_link", "uri": "file:///x", "name": "x"},
            {"type": "audio", "data": "AA==", "mimeType": "audio/wav"},
        ]
    },
}


async def check_codex_results_pass(connect: Connect) -> None:
    """A result passes as it is, errors of the tool and odd blocks included; what is no result is an error."""
    async with _called(connect) as client:
        for app, result in RESULTS.items():
            expect((await client.call("get_app_state", {"app": app}))["result"], result, app)
        for app in ("badblock", "badresult"):
            message = failed("get_app_state", "Unexpected response type")
            await refused(client, CALL, client.call_params("get_app_state", {"app": app}), -32603, message)
        await client.finish()


async def check_codex_arguments(connect: Connect) -> None:
    """Arguments may be left out or null; anything but an object is refused; the MCP server checks their members."""
    async with _called(connect) as client:
        taken: tuple[dict[str, Any], ...] = ({"arguments": None}, {"arguments": {}}, {"arguments": {}, "unknown": 1})
        for members in taken:
            params = {**client.call_params("list_apps"), **members}
            assert "result" in await client.request(CALL, params), members
        params = client.call_params("list_apps")
        del params["arguments"]
        assert "result" in await client.request(CALL, params)
        for arguments, shown in (([1, 2], "[1,2]"), ("str", '"str"'), (5, "5")):
            message = failed("list_apps", f"MCP tool arguments must be a JSON object, got {shown}")
            await refused(client, CALL, client.call_params("list_apps", arguments), -32603, message)
        assert "result" in await client.call("get_app_state", {"wrong": 1})
        await client.finish()


async def check_codex_meta(connect: Connect) -> None:
    """The client's _meta reaches the MCP server, with the thread's id and a progress token of the app-server's own."""
    async with _called(connect) as client:
        reply = await client.call("get_app_state", {"app": "meta"}, _meta={"x": 1, "progressToken": "abc"})
        shown = reply["result"]["content"][0]["text"]
        wanted = (
            f'{{"_meta": {{"progressToken": 1, "threadId": "{client.thread_id}", "x": 1}}, "args": {{"app": "meta"}}}}'
        )
        expect(shown, wanted, "what the MCP server got")
        await client.finish()


async def check_codex_unknown_names(connect: Connect) -> None:
    """Unknown servers and threads are refused by the app-server, unknown tools by the MCP server."""
    async with _called(connect) as client:
        params = client.call_params("list_apps", {})
        await refused(client, CALL, {**params, "server": "nope"}, -32603, "unknown MCP server 'nope'")
        await refused(client, CALL, {**params, "threadId": MADE_UP}, -32600, f"thread not found: {MADE_UP}")
        why = "invalid character: expected an optional prefix of `urn:uuid:` followed by [0-9a-fA-F-], found `n` at 1"
        await refused(client, CALL, {**params, "threadId": "not-a-uuid"}, -32600, f"invalid thread id: {why}")
        reply = await client.call("no_such_tool", {})
        older = {"code": -32603, "message": failed("no_such_tool", "Mcp error: -32602: Unknown tool: no_such_tool")}
        newer = {"code": -32602, "message": "Unknown tool: no_such_tool"}
        expect(reply["error"], newer if _newer(client) else older, "error for an unknown tool")
        await client.finish()


async def check_codex_error_mapping(connect: Connect) -> None:
    """An MCP error keeps code and data on the newer version, and becomes text in -32603 on the older."""
    async with _called(connect) as client:
        for code in (-10005, -32602):
            reply = await client.call("get_app_state", {"app": f"rpcerr:{code}"})
            text = f'Mcp error: {code}: The computer is locked({{"why":"locked"}})'
            newer = {"code": code, "data": {"why": "locked"}, "message": "The computer is locked"}
            older = {"code": -32603, "message": failed("get_app_state", text)}
            expect(reply["error"], newer if _newer(client) else older, f"error {code}")
        await client.finish()


async def check_codex_misbehaving_server(connect: Connect) -> None:
    """Garbage, answers to nobody and second answers are ignored; the server's own requests are answered or refused;
    its notifications reach no client."""
    async with _called(connect) as client:
        before = len(client.frames)
        for app, text in (
            ("progress", "progress token=1"),
            ("logmsg", "logged"),
            ("listchanged", "changed"),
            ("garbage", "after garbage"),
            ("wrongid", "after wrong id"),
            ("dup", "first"),
            ("ping", 'ping->{"result": {}}'),
            ("roots", 'roots->{"result": {"roots": []}}'),
            ("sampling", 'sampling->{"error": {"code": -32601, "message": "sampling/createMessage"}}'),
        ):
            reply = await client.call("get_app_state", {"app": app})
            expect(reply["result"]["content"][0]["text"], text, app)
        notices = [frame["method"] for frame in client.frames[before:] if "method" in frame]
        expect(notices, [], "notifications during calls without a turn")
        await client.finish()


async def check_codex_transport_closed(connect: Connect) -> None:
    """Where the MCP server dies, its call and all later ones fail, nobody is told, and the inventory looks healthy."""
    for app in ("crash", "closeout"):
        async with _called(connect) as client:
            before = len(client.frames)
            params = client.call_params("get_app_state", {"app": app})
            await refused(client, CALL, params, -32603, failed("get_app_state", "Transport closed"))
            for _ in range(2):
                params = client.call_params("list_apps", {})
                await refused(client, CALL, params, -32603, failed("list_apps", "Transport closed"))
            entry = (await client.list())["result"]["data"][0]
            expect(len(entry["tools"]), TOOLS, "tools of a server that is gone")
            expect(entry.get("runtimeStatus"), "failed" if _newer(client) else None, "runtimeStatus")
            expect([frame for frame in client.frames[before:] if "method" in frame], [], "notifications")
            expect(await client.finish(), 0, "exit status")


async def check_codex_tool_timeout(connect: Connect) -> None:
    """The tool timeout fails the call and not the connection; it is said in whole seconds above one second."""
    for configured, said in ((0.25, "250ms"), (1, "1000ms"), (1.5, "1s")):
        async with _called(connect, server={"tool_timeout_sec": configured}) as client:
            params = client.call_params("get_app_state", {"app": "slow:6"})
            message = failed("get_app_state", f"timed out awaiting tools/call after {said}")
            await refused(client, CALL, params, -32603, message)
            if configured >= 1:  # less is too little for a second call on a busy machine
                told = await client.call("get_app_state", {"app": "cancelled:"})
                cancelled = told["result"]["content"][0]["text"]
                expect(cancelled, "[2]" if _newer(client) else "[]", "requests of which the MCP server was told")
            await client.finish()


async def check_codex_slow_call_holds_nobody(connect: Connect) -> None:
    """A later call is answered first, the late answer comes when it is there, and none after the end of stdin."""
    async with _called(connect) as client:
        slow = await client.ask(CALL, client.call_params("get_app_state", {"app": "slow:3"}))
        quick = await client.call("list_apps", {})
        expect(client.replies(slow), [], "replies to the slow call")
        await client.reply(slow)
        never = await client.ask(CALL, client.call_params("get_app_state", {"app": "slow:30"}))
        assert "result" in quick
        expect(await client.finish(), 0, "exit status")
        expect(client.replies(never), [], "replies after the end of stdin")


async def check_codex_large_results(connect: Connect) -> None:
    """9 MB pass on both versions. Above 16 MiB the newer one drops the line without a word."""
    async with _called(connect, server={"tool_timeout_sec": 6}) as client:
        reply = await client.call("get_app_state", {"app": "big:9000000"})
        expect(len(reply["result"]["content"][0]["text"]), 9000000, "length of the text")
        reply = await client.call("get_app_state", {"app": "big:17000000"})
        if _newer(client):
            message = failed("get_app_state", "timed out awaiting tools/call after 6s")
            expect(reply.get("error"), {"code": -32603, "message": message}, "error")
            assert b"exceeded the maximum line length" in client.errors, client.errors
        else:
            expect(len(reply["result"]["content"][0]["text"]), 17000000, "length of the text")
        await client.finish()


class _called:
    """A session with a thread whose MCP server is ready."""

    def __init__(self, connect: Connect, **options: Any) -> None:
        self._session = connect(Options(**options))

    async def __aenter__(self) -> Client:
        client = await self._session.__aenter__()
        await client.start()
        await client.ready()
        return client

    async def __aexit__(self, *exception: Any) -> None:
        await self._session.__aexit__(*exception)


def _newer(client: Client) -> bool:
    return client.version == "0.171.0"
