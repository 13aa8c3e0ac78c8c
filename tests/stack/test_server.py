"""The server over raw lines: everything that a client can see, without a client's own kindness."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import anyio
import pytest

from stack.contract import Answer, AskFailed, Caller, Content, Json, Question, Reply, Tool
from stack.errors import SetupError
from stack.serving.messages import LINE_BYTES, LineTooLong
from tests.stack.scripted_stack import DONE, RawClient, ScriptedStack, served
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
FORM: dict[str, Json] = {
    "threadId": "t",
    "turnId": None,
    "serverName": "computer-use",
    "environmentId": None,
    "mode": "form",
    "message": "Allow?",
    "requestedSchema": {"type": "object", "properties": {"choice": {"type": "string", "x-odd": None}}},
    "_meta": {"persist": ["session"], "odd": None},
    "later": {"a": None},
}
OWN = {name: FORM[name] for name in ("mode", "message", "requestedSchema", "_meta", "later")}


def run(stack: ScriptedStack, main: Callable[[RawClient], Awaitable[None]], **capabilities: Any) -> None:
    async def whole() -> None:
        async with served(stack, grows=capabilities.pop("grows", False)) as client:
            await client.greet(capabilities)
            await main(client)

    play(whole)


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


# Questions


def asks(question: Question, answers: list[Any]) -> ScriptedStack:
    """A stack whose call asks, and puts down the answer or the failure."""

    async def act(tool: str, arguments: Mapping[str, Json], caller: Caller) -> Reply:
        try:
            answers.append(await caller.ask(question))
        except AskFailed as error:
            answers.append(error)
        return DONE

    return ScriptedStack(act)


@pytest.mark.claim("CUA-ELI-01")
@pytest.mark.parametrize(
    ("result", "answer"),
    [
        ({"action": "accept", "content": {"a": None}, "_meta": {"p": None}}, Answer("accept", {"a": None}, {"p": None})),
        ({"action": "accept"}, Answer("accept")),
        ({"action": "decline"}, Answer("decline")),
        ({"action": "cancel", "_meta": {}}, Answer("cancel", None, {})),
    ],
)
def test_a_question_and_its_answer_pass_unchanged(result: dict[str, Any], answer: Answer) -> None:
    answers: list[Any] = []

    async def main(client: RawClient) -> None:
        number = await client.call()
        asked = await client.read()
        assert (asked["method"], asked["params"]) == ("elicitation/create", OWN)
        await client.write({"jsonrpc": "2.0", "id": asked["id"], "result": result})
        assert (await client.read())["id"] == number

    run(asks(Question("form", "Allow?", FORM), answers), main, elicitation={})
    assert answers == [answer]


@pytest.mark.claim("CUA-ELI-01")
def test_urls_and_openai_forms_have_their_own_shape() -> None:
    url: dict[str, Json] = {"mode": "url", "message": "Go", "url": "https://example.invalid", "elicitationId": "e"}
    form: dict[str, Json] = {"threadId": "t", "mode": "openai/form", "message": "Go", "requestedSchema": {"odd": None}}
    for mode, params, method, sent in (
        ("url", url, "elicitation/create", url),
        ("openai/form", form, "openai/form", {"message": "Go", "requestedSchema": {"odd": None}}),
    ):
        answers: list[Any] = []

        async def main(client: RawClient, method: str = method, sent: Any = sent) -> None:
            await client.call()
            asked = await client.read()
            assert (asked["method"], asked["params"]) == (method, sent)
            await client.write({"jsonrpc": "2.0", "id": asked["id"], "result": {"action": "accept"}})
            await client.read()

        run(asks(Question(mode, "Go", params), answers), main, elicitation={"url": {}}, extensions={"openai/form": {}})
        assert answers == [Answer("accept")]


@pytest.mark.claim("CUA-ELI-02")
@pytest.mark.parametrize(
    "members",
    [
        {"error": {"code": -32603, "message": "no window"}},
        {"result": {}},
        {"result": {"action": "yes"}},
        {"result": {"action": ["accept"]}},
        {"result": {"action": "accept", "content": "allow"}},
        {"result": {"action": "accept", "_meta": 1}},
    ],
)
def test_an_error_or_an_invalid_answer_is_no_answer(members: dict[str, Any]) -> None:
    answers: list[Any] = []

    async def main(client: RawClient) -> None:
        await client.call()
        asked = await client.read()
        await client.write({"jsonrpc": "2.0", "id": asked["id"], **members})
        assert "result" in await client.read()

    run(asks(Question("form", "Allow?", FORM), answers), main, elicitation={"form": {}})
    assert [type(answer) for answer in answers] == [AskFailed]


@pytest.mark.claim("CUA-ELI-02", "CUA-ELI-04")
@pytest.mark.parametrize(
    ("capabilities", "modes"),
    [
        ({}, set()),
        ({"elicitation": {}}, {"form"}),
        ({"elicitation": {"form": {}}}, {"form"}),
        ({"elicitation": {"url": {}}}, {"url"}),
        ({"elicitation": {"form": {}, "url": {}}, "extensions": {"openai/form": {}}}, {"form", "url", "openai/form"}),
        ({"extensions": {"openai/form": {}, "other": {}}}, {"openai/form"}),
        ({"experimental": {"openai/form": {}}}, set()),
    ],
)
def test_a_client_is_asked_only_in_the_modes_that_it_has_told(capabilities: dict[str, Any], modes: set[str]) -> None:
    seen: list[Any] = []

    async def act(tool: str, arguments: Mapping[str, Json], caller: Caller) -> Reply:
        seen.append(set(caller.modes))
        for mode in {"form", "url", "openai/form", "telepathy"} - caller.modes:
            with pytest.raises(AskFailed):
                await caller.ask(Question(mode, "", {"mode": mode}))
        return DONE

    async def main(client: RawClient) -> None:
        number = await client.call()
        assert (await client.read())["id"] == number

    run(ScriptedStack(act), main, **capabilities)
    assert seen == [modes]


@pytest.mark.claim("CUA-TOOL-03")
def test_a_longer_list_is_announced_before_the_result() -> None:
    async def act(tool: str, arguments: Mapping[str, Json], caller: Caller) -> Reply:
        await caller.tools_changed()
        return DONE

    async def main(client: RawClient) -> None:
        number = await client.call("get_app_state")
        assert await client.read() == {"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}
        assert (await client.read())["id"] == number

    run(ScriptedStack(act), main, grows=True)


# Ends


class Patient:
    """Calls that wait until they are taken back, clean up for a while, and ask meanwhile if told to."""

    def __init__(self, question: Question | None = None) -> None:
        self.question = question
        self.begun = anyio.Event()
        self.cleaned: list[str] = []
        self.answers: list[Any] = []

    async def act(self, tool: str, arguments: Mapping[str, Json], caller: Caller) -> Reply:
        try:
            self.begun.set()
            if self.question is not None:
                try:
                    self.answers.append(await caller.ask(self.question))
                except AskFailed as error:
                    self.answers.append(error)
            await anyio.sleep_forever()
        except anyio.get_cancelled_exc_class():
            pass  # as the port says: the reply still says what happened
        finally:
            with anyio.CancelScope(shield=True):
                await anyio.sleep(3)
                self.cleaned.append(tool)
        return DONE


@pytest.mark.claim("CUA-RUN-09")
def test_a_cancelled_call_is_taken_back_and_never_answered() -> None:
    async def main() -> None:
        patient = Patient()
        async with served(ScriptedStack(patient.act)) as client:
            await client.greet()
            number = await client.call("drag")
            await patient.begun.wait()
            await client.write(
                {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": number}}
            )
            pong = await client.ask("ping")
            assert "result" in pong
            await anyio.sleep(10)
            assert patient.cleaned == ["drag"]
            assert "result" in await client.ask("ping")  # nothing came in between

    play(main)


@pytest.mark.claim("CUA-ELI-03")
def test_a_call_that_is_cancelled_while_it_asks_takes_its_question_back() -> None:
    async def main() -> None:
        patient = Patient(Question("form", "Allow?", FORM))
        async with served(ScriptedStack(patient.act)) as client:
            await client.greet({"elicitation": {}})
            number = await client.call()
            asked = await client.read()
            await client.write(
                {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": number}}
            )
            told = await client.read()
            assert (told["method"], told["params"]["requestId"]) == ("notifications/cancelled", asked["id"])
            await client.write({"jsonrpc": "2.0", "id": asked["id"], "result": {"action": "accept"}})
            await anyio.sleep(10)
            assert (patient.answers, patient.cleaned) == ([], ["click"])

    play(main)


@pytest.mark.claim("CUA-CLN-01", "CUA-ELI-03")
@pytest.mark.parametrize("end", ["the client closes its output", "a signal", "the client is killed", "deaf"])
@pytest.mark.parametrize("asking", [False, True])
def test_however_it_ends_calls_in_flight_have_cleaned_up(end: str, asking: bool) -> None:
    async def main() -> None:
        patient = Patient(Question("form", "Allow?", FORM) if asking else None)
        async with served(ScriptedStack(patient.act)) as client:
            await client.greet({"elicitation": {}})
            number = await client.call()
            await patient.begun.wait()
            if asking:
                await client.read()
            if end == "a signal":
                client.stop.set()
            elif end == "the client is killed":
                await client.to_server.send(b"")
            elif end == "deaf":
                client.from_server.broken = anyio.BrokenResourceError()
                await client.request("ping")
            else:
                await client.to_server.aclose()
            with anyio.fail_after(60):
                await client.ended.wait()
            assert (patient.answers, patient.cleaned) == ([], ["click"])
            if end == "a signal":
                message = await client.read()
                while "result" not in message:
                    message = await client.read()
                assert (message["id"], message["result"]["isError"]) == (number, False)

    play(main)


def test_a_client_that_reads_nothing_does_not_keep_the_server() -> None:
    async def main() -> None:
        async with served(ScriptedStack()) as client:
            await client.greet()

            async def never(item: bytes) -> None:
                await anyio.sleep_forever()

            client.from_server.send = never  # type: ignore[method-assign]
            await client.call()
            await client.to_server.aclose()
            with anyio.fail_after(60):
                await client.ended.wait()

    play(main)
