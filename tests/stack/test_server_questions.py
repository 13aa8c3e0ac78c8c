"""Questions of a call to its client, over raw lines: what is asked, and what counts as an answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from stack.contract import Answer, AskFailed, Caller, Json, Question, Reply
from tests.stack.scripted_stack import DONE, FORM, OWN, RawClient, ScriptedStack, run


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
        (
            {"action": "accept", "content": {"a": None}, "_meta": {"p": None}},
            Answer("accept", {"a": None}, {"p": None}),
        ),
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
