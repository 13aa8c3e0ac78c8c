"""The server over raw lines: everything that a client can see, without a client's own kindness."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from stack.contract import Caller, Content, Json, Reply, Tool
from stack.errors import SetupError
from stack.serving.messages import LINE_BYTES, LineTooLong
from tests.stack.scripted_stack import DONE, RawClient, ScriptedStack, run, served
from tests.stack.staging import play

ODD_TOOL = Tool(
    "click",
    "first\nsecond",
    {"type": "object", "properties": {"x": {"type": "number", "default": None}}, "x-odd": [None, {"a": None}]},
    {"readOnlyHint": False, "x-odd": {"b": None}},
)
ODD_REPLY = Reply(
    "done",
    content=(
        Content({"type": "text", "text": "half \ud83d, line\u2028, \x00", "annotations": None, "x-odd": [1.5, None]}),
        Content({"type": "image", "data": "AA==", "mimeType": "image/png", "_meta": {"a": None}}),
        Content({"type": "hologram", "depth": 10**30}),
    ),
    structured={"x": [None, {"y": None}]},
    meta={"com.example/seen": {"deep": None}},
    evidence={"directCalls": 1},
)
HOW = {"outcome": "done", "code": None, "advice": None, "evidence": {"directCalls": 1}}


@pytest.mark.claim("CUA-MCP-01")
@pytest.mark.parametrize("grows", [True, False])
def test_the_handshake_says_what_there_is_and_nothing_more(grows: bool) -> None:
    async def main() -> None:
        async with served(ScriptedStack(), grows=grows) as client:
            hello = await client.greet()
            assert hello["protocolVersion"] == "2025-11-25"
            assert hello["capabilities"] == {"tools": {"listChanged": grows}}
            assert hello["serverInfo"]["name"] == "trailcam-scripted"
            assert hello["serverInfo"]["version"]
            assert "instructions" not in hello

    play(main)


@pytest.mark.claim("CUA-TOOL-01")
def test_tools_are_listed_as_the_stack_has_them() -> None:
    async def main(client: RawClient) -> None:
        (tool,) = (await client.ask("tools/list"))["result"]["tools"]
        assert tool == {
            "name": "click",
            "description": "first\nsecond",
            "inputSchema": ODD_TOOL.input_schema,
            "annotations": ODD_TOOL.annotations,
        }
        assert (await client.ask("tools/list", {"cursor": "2"}))["error"]["code"] == -32602

    run(ScriptedStack(listed=[ODD_TOOL]), main)


def test_tools_that_cannot_be_listed_are_an_error_with_its_code_and_advice() -> None:
    async def main(client: RawClient) -> None:
        error = (await client.ask("tools/list"))["error"]
        assert (error["code"], error["data"]["code"]) == (-32603, "program_missing")
        assert error["data"]["advice"] in error["message"]

    run(ScriptedStack(listed=SetupError("program_missing", "codex is not there")), main)


@pytest.mark.claim("CUA-RES-01", "CUA-RES-02")
def test_a_result_passes_unchanged_and_carries_its_evidence() -> None:
    async def act(tool: str, arguments: Mapping[str, Json], caller: Caller) -> Reply:
        return ODD_REPLY

    stack = ScriptedStack(act)

    async def main(client: RawClient) -> None:
        number = await client.call("click", x=1.5, text="\ud800", nothing=None)
        reply = await client.read()
        assert reply == {
            "jsonrpc": "2.0",
            "id": number,
            "result": {
                "content": [content.block for content in ODD_REPLY.content],
                "structuredContent": {"x": [None, {"y": None}]},
                "isError": False,
                "_meta": {"com.example/seen": {"deep": None}, "trailcam/call": HOW},
            },
        }
        assert stack.calls == [("click", {"x": 1.5, "text": "\ud800", "nothing": None})]

    run(stack, main)


@pytest.mark.claim("CUA-ERR-01", "CUA-RES-02")
def test_a_refusal_is_a_result_and_not_an_error_of_the_protocol() -> None:
    async def act(tool: str, arguments: Mapping[str, Json], caller: Caller) -> Reply:
        content = (Content({"type": "text", "text": "no such app"}),)
        return Reply("refused", "app_not_found", content, is_error=True, evidence={"directCalls": 0})

    async def main(client: RawClient) -> None:
        await client.call("click", app="Nobody")
        result = (await client.read())["result"]
        assert result["isError"] is True
        assert result["content"] == [{"type": "text", "text": "no such app"}]
        how = result["_meta"]["trailcam/call"]
        assert (how["outcome"], how["code"], how["evidence"]) == ("refused", "app_not_found", {"directCalls": 0})
        assert "list_apps" in how["advice"]

    run(ScriptedStack(act), main)


def test_a_result_that_json_cannot_carry_is_an_error_and_the_server_goes_on() -> None:
    async def act(tool: str, arguments: Mapping[str, Json], caller: Caller) -> Reply:
        return Reply("done", structured={"x": float("inf")}) if tool == "odd" else DONE

    async def main(client: RawClient) -> None:
        await client.call("odd")
        error = (await client.read())["error"]
        assert error["code"] == -32603
        assert "was carried out" in error["message"]
        await client.call()
        assert "result" in await client.read()

    run(ScriptedStack(act), main)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"{", -32700),
        (b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"click","arguments":{"x":NaN}}}', -32700),
        (b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"click","arguments":{"x":1e999}}}', -32700),
        (b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"click","name":"drag"}}', -32700),
        (b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"\xff"}}', -32700),
        (b"[" * 100_000, -32700),
        (b'{"jsonrpc":"2.0","id":7}', -32600),
        (b'{"id":7,"method":"tools/call","params":{"name":"click"}}', -32600),
        (b"[]", -32600),
    ],
)
def test_a_line_that_is_no_message_calls_nothing(line: bytes, code: int) -> None:
    stack = ScriptedStack()

    async def main(client: RawClient) -> None:
        await client.write(line)
        reply = await client.read()
        assert (reply["id"], reply["error"]["code"]) == (None, code)
        await client.call()
        assert "result" in await client.read()

    run(stack, main)
    assert len(stack.calls) == 1


@pytest.mark.parametrize(
    ("method", "params", "code"),
    [
        ("tools/call", {}, -32602),
        ("tools/call", {"name": 3}, -32602),
        ("tools/call", {"name": "click", "arguments": "x"}, -32602),
        ("tools/call", {"name": "click", "arguments": []}, -32602),
        ("resources/list", {}, -32601),
        ("server/discover", {}, -32601),
    ],
)
def test_a_request_that_is_wrong_itself_is_an_error_of_the_protocol(
    method: str, params: dict[str, Any], code: int
) -> None:
    stack = ScriptedStack()

    async def main(client: RawClient) -> None:
        assert (await client.ask(method, params))["error"]["code"] == code

    run(stack, main)
    assert stack.calls == []


def test_nothing_is_called_before_the_handshake() -> None:
    stack = ScriptedStack()

    async def main() -> None:
        async with served(stack) as client:
            await client.call()
            assert "error" in await client.read()

    play(main)
    assert stack.calls == []


def test_a_line_beyond_the_bound_ends_the_connection() -> None:
    async def main() -> None:
        async with served(ScriptedStack()) as client:
            await client.greet()
            await client.to_server.send(b"x" * (LINE_BYTES + 1))
            await client.ended.wait()

    with pytest.raises(BaseExceptionGroup) as raised:  # of the test's own task group
        play(main)
    assert raised.group_contains(LineTooLong, depth=1)
