"""Clients that nobody here wrote talk to the fake helper unchanged, with success and error. HAR-FAKE-03."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import ClientSession, MCPError, StdioServerParameters, stdio_client, types
from pydantic import ValidationError

from harness.serve.launch import make_folder, remove_folder
from harness.wire.jsontext import loads
from tests.fakes.conformance.backs import Real
from tests.fakes.conformance.broken_helpers import BROKEN
from tests.fakes.conformance.client import Client, Options

CHESS = "com.apple.Chess"
ALONE = {
    "v": 1,
    "seed": 1,
    "world": {},
    "programs": {"helper": {}},
    "machines": {"helper": "fakes.fronts.helper:Helper"},
    "world_factory": "fakes.worlds.desktop:Desktop",
}


BROKEN_HELPERS = "tests.fakes.conformance.broken_helpers"
REFUSALS: dict[str, tuple[type[Exception], ...]] = {
    **dict.fromkeys(BROKEN, ()),
    "SpeaksAnotherRevision": (RuntimeError,),
    "HasNoSchemas": (ValidationError,),
}
"""Broken helper -> the errors with which the SDK itself refuses it."""


def reason_of(error: BaseException) -> BaseException:
    """The one error in a group of one."""
    while isinstance(error, BaseExceptionGroup) and len(error.exceptions) == 1:
        error = error.exceptions[0]
    return error


@pytest.fixture
def folder() -> Iterator[Path]:
    """A run folder in which the helper is its own stage."""
    made = make_folder(["helper"], ALONE)
    yield made
    remove_folder(made)


def world(folder: Path) -> list[Any]:
    return [loads(line) for line in (folder / "world.jsonl").read_text(encoding="ascii").split("\n") if line]


def check_with_the_official_sdk(folder: Path) -> None:
    """A whole session of the SDK's own client: it lists, approves, clicks, and gets errors of both kinds."""
    asked: list[str] = []

    async def approve(context: Any, params: types.ElicitRequestParams) -> types.ElicitResult:
        asked.append(params.message)
        return types.ElicitResult(action="accept", content={})

    async def main() -> None:
        server = StdioServerParameters(command=str(folder / "helper"), args=["mcp"])
        async with (
            stdio_client(server) as (reading, writing),
            ClientSession(reading, writing, elicitation_callback=approve) as client,
        ):
            hello = await client.initialize()
            assert hello.server_info.name == "computer-use"
            assert len((await client.list_tools()).tools) == 10
            state = await client.call_tool("get_app_state", {"app": "Chess"})
            assert not state.is_error
            assert [block.type for block in state.content] == ["text", "image"]
            clicked = await client.call_tool("click", {"app": "Chess", "element_index": "1"})
            assert not clicked.is_error
            missing = await client.call_tool("get_app_state", {"app": "Nothing"})
            assert missing.is_error
            with pytest.raises(MCPError, match="Unknown tool: launch_app"):
                await client.call_tool("launch_app", {})

    anyio.run(main, backend="trio")
    assert asked == ["Allow Codex to use Chess?"] * 2
    assert [event["verb"] for event in world(folder) if event["e"] == "effect"] == ["click"]


@pytest.mark.claim("HAR-FAKE-03")
def test_the_official_sdk_lists_approves_clicks_and_gets_errors(folder: Path) -> None:
    check_with_the_official_sdk(folder)


@pytest.mark.claim("HAR-FAKE-03", tooth="a fake with other errors, tools, schemas, contents, name or revision")
@pytest.mark.parametrize("name", BROKEN)
def test_the_official_sdk_does_not_take_a_broken_fake_for_the_helper(name: str) -> None:
    made = make_folder(["helper"], {**ALONE, "machines": {"helper": f"{BROKEN_HELPERS}:{name}"}})
    try:
        with pytest.raises((BaseExceptionGroup, AssertionError, pytest.fail.Exception)) as caught:
            check_with_the_official_sdk(made)
    finally:
        remove_folder(made)
    assert isinstance(reason_of(caught.value), (AssertionError, pytest.fail.Exception, *REFUSALS[name]))


@pytest.mark.claim("HAR-FAKE-03", tooth="a fake that does not ask")
def test_the_official_sdk_sees_that_a_fake_does_not_ask() -> None:
    made = make_folder(["helper"], {**ALONE, "programs": {"helper": {"approval": "off"}}})
    try:
        with pytest.raises(AssertionError, match="Allow Codex"):
            check_with_the_official_sdk(made)
    finally:
        remove_folder(made)


@pytest.mark.claim("HAR-FAKE-03")
@pytest.mark.parametrize(
    "version",
    [
        pytest.param("0.144.2", marks=pytest.mark.engine("codex", "0.144.2")),
        pytest.param("0.171.0", marks=pytest.mark.engine("codex", "0.171.0")),
    ],
)
def test_the_real_codex_uses_the_helper(version: str, folder: Path) -> None:
    """Under full access the real app-server approves by itself; under on-request it asks the client."""

    async def check(connect: Any) -> None:
        async with connect(Options(server={"command": str(folder / "helper")})) as client:
            await client.start()
            await client.ready()
            assert len((await client.list())["result"]["data"][0]["tools"]) == 10
            await _click(client)
            unknown = await client.call("get_app_state", {"app": "Nothing"})
            assert unknown["result"]["isError"] is True
            await client.thread(approvalPolicy="on-request", sandbox="read-only")
            await client.ready()
            call = await client.ask("mcpServer/tool/call", client.call_params("get_app_state", {"app": CHESS}))
            request = await client.notice_of("mcpServer/elicitation/request", 0)
            assert request["params"]["_meta"]["tool_params"] == {"app": CHESS}
            await client.send({"id": 0, "result": {"action": "decline"}})
            assert (await client.reply(call))["result"]["isError"] is True
            assert await client.finish() == 0

    Real(version).check(check)
    events = world(folder)
    assert [event["verb"] for event in events if event["e"] == "effect"] == ["click"]
    assert [event["why"] for event in events if event["e"] == "refused"] == ["no_app", "denied"]


async def _click(client: Client) -> None:
    for tool, arguments in (("get_app_state", {"app": CHESS}), ("click", {"app": CHESS, "element_index": "1"})):
        reply = await client.call(tool, arguments)
        assert reply["result"]["isError"] is False, reply
