"""The official MCP SDK's client against the served stack, over a real process and the fakes' real stubs."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import mcp_types as types
import pytest
from mcp import Client, ClientSession, MCPError, StdioServerParameters, stdio_client
from mcp.client.context import ClientRequestContext

from stack.computer_use.pinned import DISCLOSED_FIRST, PINNED
from tests.stack.outsiders.staging import Served, play, staged

CHESS: dict[str, Any] = {"app": "Chess"}
PROFILES = ("0.144.2", "0.171.0")


class Person:
    """Answers elicitations as told, and keeps what was asked and announced."""

    def __init__(self, *answers: types.ElicitResult | types.ErrorData) -> None:
        self.answers = list(answers)
        self.asked: list[types.ElicitRequestParams] = []
        self.told: list[str] = []
        self.thinking = anyio.Event()

    async def ask(
        self, context: ClientRequestContext, params: types.ElicitRequestParams
    ) -> types.ElicitResult | types.ErrorData:
        self.asked.append(params)
        self.thinking.set()
        if not self.answers:
            await anyio.sleep_forever()
        return self.answers.pop(0)

    async def hear(self, message: Any) -> None:
        self.told.append(type(message).__name__)


@asynccontextmanager
async def session(served: Served, *options: str, person: Person | None = None) -> AsyncIterator[ClientSession]:
    command, *arguments = served.command(*options)
    server = StdioServerParameters(command=command, args=arguments)
    more: dict[str, Any] = {"message_handler": person.hear} if person else {}
    if person and person.answers != [REFUSES]:
        more["elicitation_callback"] = person.ask
    async with stdio_client(server) as (read, write), ClientSession(read, write, **more) as client:
        await client.initialize()
        yield client


REFUSES = types.ErrorData(code=-1, message="shows no questions")
"""The only answer of a client that announces no elicitation."""


def how(result: types.CallToolResult) -> Any:
    assert result.meta is not None
    return result.meta["trailcam/call"]


def texts(result: types.CallToolResult) -> str:
    return "\n".join(block.text for block in result.content if isinstance(block, types.TextContent))


def index_of(state: types.CallToolResult, words: str) -> str:
    """The element index in front of the line with these words."""
    (line,) = [line for line in texts(state).split("\n") if words in line]
    return line.split()[0]


@pytest.mark.claim("CUA-MCP-01", "CUA-TOOL-01", "CUA-TOOL-03", "CUA-RES-01", "CUA-RES-02", "HAR-FAKE-03")
@pytest.mark.parametrize("profile", PROFILES)
def test_ten_tools_a_look_and_a_click(profile: str) -> None:
    async def main() -> None:
        async with staged(profile) as served, session(served) as client:
            tools = (await client.list_tools()).tools
            assert [tool.name for tool in tools] == [*PINNED]
            assert all(tool.description for tool in tools)
            state = await client.call_tool("get_app_state", CHESS)
            assert [block.type for block in state.content] == ["text", "image"]
            assert not state.is_error
            click = await client.call_tool("click", {**CHESS, "element_index": index_of(state, "e2")})
            assert (click.is_error, how(click)["outcome"], how(click)["code"]) == (False, "done", None)
            assert how(click)["evidence"]["directCalls"] == 1
            assert how(click)["evidence"]["brokerVersion"] == profile
            (effect,) = served.effects()
            assert (effect["verb"], effect["target"]["node"]) == ("click", "e2")
            nobody = await client.call_tool("get_app_state", {"app": "Nobody"})
            assert (nobody.is_error, how(nobody)["code"]) == (True, "app_not_found")
            gone = await client.call_tool("click", {**CHESS, "element_index": "999"})
            assert (gone.is_error, how(gone)["evidence"]["cleanupVerified"]) == (True, True)
            with pytest.raises(MCPError):
                await client.list_prompts()

    play(main)


@pytest.mark.claim("CUA-TOOL-03", "CUA-TOOL-04", "CUA-MCP-01")
def test_the_progressive_listing_grows_after_a_look_and_gates_nothing() -> None:
    async def main() -> None:
        person = Person()
        async with staged("0.171.0") as served, session(served, "--progressive", person=person) as client:
            assert {tool.name for tool in (await client.list_tools()).tools} == set(DISCLOSED_FIRST)
            unlisted = await client.call_tool("click", {**CHESS, "x": 45, "y": 65})
            assert how(unlisted)["evidence"]["directCalls"] == 1  # it ran like any other
            failed = await client.call_tool("get_app_state", {"app": "Nobody"})
            assert failed.is_error
            assert {tool.name for tool in (await client.list_tools()).tools} == set(DISCLOSED_FIRST)
            assert person.told == []
            await client.call_tool("get_app_state", CHESS)
            await served.until(lambda: person.told)
            assert person.told == ["ToolListChangedNotification"]
            assert [tool.name for tool in (await client.list_tools()).tools] == [*PINNED]

    play(main)


ACCEPT = types.ElicitResult(action="accept", content={"choice": "allow"}, _meta={"persist": "session"})


def asks(profile: str) -> dict[str, Any]:
    """Fakes that put every question to the client: no measured app-server does under this policy."""
    return {"codex": {"profile": profile, "surfaces": True}, "helper": {"form": "fields"}}


@pytest.mark.claim("CUA-ELI-01", "CUA-ELI-02", "CUA-MCP-01")
@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (ACCEPT, None),
        (types.ElicitResult(action="decline"), "approval_denied"),
        (types.ElicitResult(action="cancel"), "approval_denied"),
        (types.ErrorData(code=-32603, message="the window broke"), "approval_denied"),
        (REFUSES, "approval_denied"),
    ],
    ids=["accept", "decline", "cancel", "client error", "no support"],
)
def test_a_person_is_asked_and_the_answer_counts(profile: str, answer: Any, code: str | None) -> None:
    async def main() -> None:
        person = Person(answer)
        async with (
            staged(profile, programs=asks(profile), approvals={}) as served,
            session(served, person=person) as client,
        ):
            state = await client.call_tool("get_app_state", CHESS)
            assert (state.is_error, how(state)["code"]) == (code is not None, code)
            assert how(state)["evidence"]["elicitationRequests"] == 1
            assert len(person.asked) == (answer is not REFUSES)
            for params in person.asked:
                assert isinstance(params, types.ElicitRequestFormParams)
                assert params.message == "Allow Codex to use Chess?"
                assert params.requested_schema["required"] == ["choice"]
                assert dict(params.meta or {})["tool_params"] == {"app": "com.apple.Chess"}
            (sent,) = served.answers()
            want = answer.model_dump(by_alias=True, exclude_none=True, mode="json") if code is None else None
            assert sent == (want or {"action": getattr(answer, "action", "cancel")})

    play(main)


@pytest.mark.claim("CUA-ELI-03", "CUA-RUN-09", "CUA-CLN-01")
def test_a_call_cancelled_while_it_asks_answers_nothing_and_cleans_up() -> None:
    async def main() -> None:
        person = Person()
        async with (
            staged("0.171.0", programs=asks("0.171.0"), approvals={}) as served,
            session(served, person=person) as client,
        ):
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(client.call_tool, "get_app_state", CHESS)
                await person.thinking.wait()
                tasks.cancel_scope.cancel()
            await served.until(lambda: not served.stage.living())
            assert served.answers() == []
            assert (await client.list_tools()).tools  # the server goes on

    play(main)


@pytest.mark.claim("CUA-MCP-01")
def test_a_client_of_the_newest_revision_falls_back_and_is_asked_all_the_same() -> None:
    async def main() -> None:
        person = Person(ACCEPT)
        async with staged("0.171.0", programs=asks("0.171.0"), approvals={}) as served:
            command, *arguments = served.command()
            server = StdioServerParameters(command=command, args=arguments)
            async with Client(server, elicitation_callback=person.ask, mode="auto") as client:
                assert client.protocol_version == "2025-11-25"
                assert len((await client.list_tools()).tools) == 10
                assert not (await client.call_tool("get_app_state", CHESS)).is_error
                assert len(person.asked) == 1

    play(main)


@pytest.mark.claim("CUA-MCP-01", "CUA-ELI-04", "CUA-CLN-01")
@pytest.mark.engine("codex", "0.171.0")
def test_the_same_on_the_real_app_server() -> None:
    async def main() -> None:
        person = Person(ACCEPT)
        async with staged("0.171.0", engine=True) as served, session(served, person=person) as client:
            assert [tool.name for tool in (await client.list_tools()).tools] == [*PINNED]
            state = await client.call_tool("get_app_state", CHESS)
            assert [block.type for block in state.content] == ["text", "image"]
            click = await client.call_tool("click", {**CHESS, "element_index": index_of(state, "e2")})
            assert (click.is_error, how(click)["outcome"]) == (False, "done")
            assert how(click)["evidence"]["brokerVersion"] == "0.171.0"
            (effect,) = served.effects()
            assert effect["target"]["node"] == "e2"
            gone = await client.call_tool("click", {**CHESS, "element_index": "999"})
            assert (gone.is_error, how(gone)["evidence"]["cleanupVerified"]) == (True, True)

    play(main)
