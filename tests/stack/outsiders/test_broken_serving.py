"""What a client of other people sees of the served stack, and servers that do not give it that: each is noticed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from mcp import ClientSession, StdioServerParameters, stdio_client

from stack.computer_use.pinned import PINNED
from tests.stack.outsiders.staging import ENTRY, Served, play, staged
from tests.stack.outsiders.test_official_sdk import ACCEPT, CHESS, Person, asks, index_of
from tests.teeth import check_tells_apart

PROFILE = "0.171.0"
SEEN: dict[str, Any] = {"tools": [*PINNED], "asked": 1, "looked": True, "clicks": 1}
"""All ten tools, the question of the first call, its answer, and one effect of the second."""
BROKEN: dict[str, str] = {
    "a tool less": "whole = server.listing_of; server.listing_of = lambda tools: whole(tools[1:])",
    "a call that goes nowhere": (
        "async def call(self, tool, arguments, caller):\n"
        "    return Reply('done', None, (Content({'type': 'text', 'text': 'done'}),))\n"
        "ComputerUse.call = call"
    ),
    "a call that is made twice": (
        "once = ComputerUse.call\n"
        "async def call(self, tool, arguments, caller):\n"
        "    await once(self, tool, arguments, caller)\n"
        "    return await once(self, tool, arguments, caller)\n"
        "ComputerUse.call = call"
    ),
    "a question that is answered for the user": (
        "async def ask(self, question):\n"
        "    return Answer('accept', {'choice': 'allow'}, {'persist': 'session'})\n"
        "ClientCaller.ask = ask"
    ),
}
START = """import runpy, sys
sys.path.insert(0, {root!r})
from stack import server
from stack.computer_use.driver import ComputerUse
from stack.contract import Answer, Content, Reply
from stack.serving.caller import ClientCaller
{broken}
runpy.run_path({entry!r}, run_name="__main__")
"""


async def seen_of(served: Served, entry: str) -> dict[str, Any]:
    """List, look and click by the official client, which answers what it is asked."""
    person = Person(ACCEPT, ACCEPT, ACCEPT, ACCEPT)
    python, _, *arguments = served.command()
    parameters = StdioServerParameters(command=python, args=[entry, *arguments])
    seen: dict[str, Any] = {}
    async with (
        stdio_client(parameters) as (read, write),
        ClientSession(read, write, elicitation_callback=person.ask) as client,
    ):
        await client.initialize()
        seen["tools"] = [tool.name for tool in (await client.list_tools()).tools]
        state = await client.call_tool("get_app_state", CHESS)
        seen["asked"] = len(person.asked)
        seen["looked"] = [block.type for block in state.content] == ["text", "image"] and not state.is_error
        if seen["looked"]:
            await client.call_tool("click", {**CHESS, "element_index": index_of(state, "e2")})
        seen["clicks"] = len(served.effects())
    return seen


@pytest.mark.claim("CUA-MCP-01", tooth="servers that list, call, repeat or answer otherwise")
@pytest.mark.fakes(codex=PROFILE, helper="1.0.799")
@pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN)
def test_a_server_that_gives_a_client_something_else_is_seen(broken: str, tmp_path: Path) -> None:
    start = tmp_path / "start.py"
    start.write_text(START.format(root=str(Path(__file__).resolve().parents[3]), entry=str(ENTRY), broken=broken))

    def check(folder: Path) -> None:
        seen: dict[str, Any] = {}

        async def main() -> None:
            async with staged(PROFILE, programs=asks(PROFILE), approvals={}) as served:
                seen.update(await seen_of(served, str(ENTRY if folder.name == "real" else start)))

        play(main)
        assert seen == SEEN

    check_tells_apart(check, lambda patch: None, tmp_path)
