"""The fake helper spoken to by the official SDK's client itself, without a codex between them."""

from __future__ import annotations

from typing import Any

import mcp_types as types
import pytest
from mcp import ClientSession, MCPError, StdioServerParameters, stdio_client

from stack.computer_use.pinned import PINNED
from tests.stack.outsiders.staging import play, staged
from tests.stack.outsiders.test_official_sdk import ACCEPT, CHESS, Person, index_of, texts


@pytest.mark.claim("HAR-FAKE-03")
@pytest.mark.parametrize("form", ["empty", "fields"])
def test_it_is_an_mcp_server_to_a_client_of_other_people(form: str) -> None:
    async def main() -> None:
        person = Person(ACCEPT, types.ElicitResult(action="decline"))
        carries: dict[str, Any] = {"helper": {"form": form, "carrier": "is_error"}}
        async with staged("0.171.0", programs=carries, approvals={}) as served:
            server = StdioServerParameters(command=str(served.folder / "helper"), args=["mcp"])
            async with (
                stdio_client(server) as (read, write),
                ClientSession(read, write, elicitation_callback=person.ask) as client,
            ):
                hello = await client.initialize()
                assert hello.server_info.name == "computer-use"
                tools = {tool.name: tool for tool in (await client.list_tools()).tools}
                assert {name: tool.input_schema for name, tool in tools.items()} == {
                    name: row.input_schema for name, row in PINNED.items()
                }
                state = await client.call_tool("get_app_state", CHESS)
                assert [block.type for block in state.content] == ["text", "image"]
                element = {**CHESS, "element_index": index_of(state, "e2")}
                assert not (await client.call_tool("click", element)).is_error
                (effect,) = served.effects()
                assert effect["target"]["node"] == "e2"
                gone = await client.call_tool("click", {**CHESS, "element_index": "999"})
                assert gone.is_error and texts(gone)
                denied = await client.call_tool("get_app_state", {"app": "TextEdit"})
                assert denied.is_error and "denied" in texts(denied)
                assert [type(asked).__name__ for asked in person.asked] == ["ElicitRequestFormParams"] * 2
                for name, arguments in (("no_such_tool", {}), ("click", {"app": 1})):
                    with pytest.raises(MCPError) as raised:
                        await client.call_tool(name, arguments)
                    assert raised.value.error.code == -32602

    play(main)
