"""The official MCP SDK's client against the served Safari stack: real processes, and a judge at a real port."""

from __future__ import annotations

import json
import re
from typing import Any

import anyio
import mcp_types as types
import pytest
from mcp import ClientSession

from stack.consent.judge import INSTRUCTION
from stack.consent.served import ASK, MESSAGE, SCHEMA
from stack.safari_mcp.listing import TOOLS
from tests.stack.outsiders.safari_staging import KEY, MODEL, SHOP, WEBKIT, SafariServed, staged_safari
from tests.stack.outsiders.staging import play
from tests.stack.outsiders.test_official_sdk import REFUSES, Person, how, session, texts

WANTED = "Buy the thing that the shop shows"
TASK = types.ElicitResult(action="accept", content={"task": WANTED})
ENGINES = (pytest.mark.engine("webkit"), pytest.mark.engine("xvfb"))


def data(result: types.CallToolResult) -> dict[str, Any]:
    """What a tool of Safari has answered."""
    assert not result.is_error, texts(result)
    return dict(json.loads(texts(result)))


async def opened(client: ClientSession) -> dict[str, str]:
    """The shop in a tab of its own, as a target."""
    tab = data(await client.call_tool("open", {"url": SHOP}))
    return {"targetId": tab["targetId"], "epoch": tab["epoch"]}


async def buying(client: ClientSession, target: dict[str, str]) -> dict[str, Any]:
    """The arguments of the click on the button that a snapshot shows."""
    shown = data(await client.call_tool("snapshot", target))
    found = re.search(r"uid=(\d+)[^\n]*Buy", shown["text"])
    assert found, shown["text"]
    action = {"type": "click", "purpose": "buy it", "node": found[1]}
    return {**target, "expectedUrl": SHOP, "action": action}


def clicks(served: SafariServed) -> list[dict[str, Any]]:
    return [effect for effect in served.effects() if effect["verb"] == "click"]


@pytest.mark.claim("SAF-PERM-03", "SAF-PERM-05", "SAF-PERM-11")
@pytest.mark.parametrize(
    ("style", "world"),
    [("openai", MODEL), ("anthropic", MODEL), pytest.param("openai", WEBKIT, marks=ENGINES)],
    ids=["openai", "anthropic", "webkit"],
)
def test_a_task_is_asked_for_and_the_judge_allows_one_click(style: str, world: str) -> None:
    async def main() -> None:
        person = Person(TASK)
        async with staged_safari(style, world=world) as served, session(served, person=person) as client:
            listed = (await client.list_tools()).tools
            assert [tool.name for tool in listed] == [*TOOLS, ASK.name]
            assert all(tool.annotations and tool.annotations.destructive_hint is not None for tool in listed)
            target = await opened(client)
            read = data(await client.call_tool("read", target))
            assert "nothing yet" in read["text"]
            click = await buying(client, target)
            early = await client.call_tool("interact", click)
            assert (how(early)["outcome"], how(early)["code"]) == ("refused", "consent_no_task")
            assert (served.questions(), clicks(served)) == ([], [])
            asked = await client.call_tool(ASK.name, {})
            assert WANTED in texts(asked)
            (question,) = person.asked
            assert isinstance(question, types.ElicitRequestFormParams)
            assert (question.message, question.requested_schema) == (MESSAGE, SCHEMA)
            done = await client.call_tool("interact", click)
            assert (how(done)["outcome"], how(done)["code"]) == ("done", None)
            assert how(done)["evidence"]["consent"]["by"] == "judge"
            (effect,) = clicks(served)
            assert (effect["target"]["node"], effect["grant"]) == ("buy", "judge:1")
            (put,) = served.questions()
            message = json.loads(put["messages"][-1]["content"])
            assert message["request"] == WANTED
            assert message["proposal"]["arguments"] == click
            assert "Buy" in message["proposal"]["lastSeen"]["text"]
            assert INSTRUCTION in (put["system"] if style == "anthropic" else put["messages"][0]["content"])
            assert "bought" in data(await client.call_tool("read", target))["text"]

    play(main)


@pytest.mark.claim("SAF-PERM-02", "SAF-PERM-12")
@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (types.ElicitResult(action="decline"), "consent_no_task"),
        (types.ErrorData(code=-32603, message="the window broke"), "consent_no_task"),
        (REFUSES, "consent_noninteractive"),
    ],
    ids=["declined", "failed", "no forms"],
)
def test_without_a_task_nothing_restricted_is_done(answer: types.ElicitResult | types.ErrorData, code: str) -> None:
    async def main() -> None:
        answers = [answer] if answer is REFUSES else [TASK, answer]
        async with staged_safari("openai") as served, session(served, person=Person(*answers)) as client:
            click = await buying(client, await opened(client))
            if len(answers) == 2:
                assert not (await client.call_tool(ASK.name, {})).is_error
            asked = await client.call_tool(ASK.name, {})  # and this ends the task of before
            assert (asked.is_error, how(asked)["outcome"], how(asked)["code"]) == (True, "refused", code)
            refused = await client.call_tool("interact", click)
            assert (how(refused)["outcome"], how(refused)["code"]) == ("refused", code)
            assert (served.questions(), clicks(served)) == ([], [])

    play(main)


@pytest.mark.claim("SAF-PERM-03")
@pytest.mark.parametrize(
    "judge",
    [{"answers": [{"decision": "deny"}]}, {"key": "another key"}],
    ids=["it denies", "it wants another key"],
)
def test_what_the_judge_does_not_approve_is_not_done(judge: dict[str, Any]) -> None:
    async def main() -> None:
        async with staged_safari("anthropic", judge=judge) as served, session(served, person=Person(TASK)) as client:
            click = await buying(client, await opened(client))
            await client.call_tool(ASK.name, {})
            refused = await client.call_tool("interact", click)
            assert (how(refused)["outcome"], how(refused)["code"]) == ("refused", "consent_denied")
            assert KEY not in texts(refused)
            assert (len(served.questions()), clicks(served)) == (1, [])

    play(main)


@pytest.mark.claim("SAF-CONN-14")
def test_a_client_that_leaves_while_its_user_thinks_leaves_nothing() -> None:
    async def main() -> None:
        person = Person()
        async with staged_safari("openai") as served:
            async with session(served, person=person) as client, anyio.create_task_group() as tasks:
                await opened(client)
                tasks.start_soon(client.call_tool, ASK.name, {})
                await person.thinking.wait()
                assert [each.program for each in served.stage.living()] == ["safaridriver"]
                tasks.cancel_scope.cancel()
            await served.until(lambda: not served.running())
            assert served.stage.living() == []
            windows = [line["e"] for line in served.stage.events if line.get("what") == "window"]
            assert windows == ["held", "freed"]

    play(main)


@pytest.mark.claim("SAF-PERM-01", "SAF-PERM-13")
def test_without_a_judge_there_is_nothing_to_ask_for() -> None:
    async def main() -> None:
        async with staged_safari() as served, session(served, person=Person(TASK)) as client:
            assert [tool.name for tool in (await client.list_tools()).tools] == [*TOOLS]
            refused = await client.call_tool("interact", await buying(client, await opened(client)))
            assert (how(refused)["outcome"], how(refused)["code"]) == ("refused", "consent_missing")
            asked = await client.call_tool(ASK.name, {})
            assert how(asked)["code"] == "unknown_tool"
            assert clicks(served) == []

    play(main)
