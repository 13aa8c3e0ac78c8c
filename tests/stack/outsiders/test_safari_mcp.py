"""The Safari stack served to a client of MCP: its tools with annotations and bounds, a call, and what a refusal is."""

from __future__ import annotations

import json
from typing import Any

import anyio

from stack.safari_mcp.listing import TOOLS
from stack.server import serve
from stack.systems import SYSTEMS
from tests.stack.scripted_safaridriver import SHOP, SafariDriver, staged
from tests.stack.scripted_stack import HELLO, Pipe
from tests.stack.staging import play


class Client:
    """A few lines of a client: asks one thing after the other."""

    def __init__(self) -> None:
        self.to, self.back = Pipe(), Pipe()
        self._rest = bytearray()
        self._asked = 0

    async def ask(self, method: str, params: dict[str, Any]) -> Any:
        self._asked += 1
        message = {"jsonrpc": "2.0", "id": self._asked, "method": method, "params": params}
        await self.to.send(json.dumps(message).encode() + b"\n")
        while b"\n" not in self._rest:
            self._rest += await self.back.receive()
        line, _, rest = bytes(self._rest).partition(b"\n")
        self._rest[:] = rest
        answer = json.loads(line)
        assert answer["id"] == self._asked
        return answer["result"]

    async def call(self, tool: str, **arguments: Any) -> Any:
        return await self.ask("tools/call", {"name": tool, "arguments": arguments})


def test_the_tools_are_served_with_their_bounds_and_annotations() -> None:
    async def main() -> None:
        driver, client, stop = SafariDriver(), Client(), anyio.Event()
        async with staged(driver) as (_, stack), anyio.create_task_group() as tasks:

            async def serving() -> None:
                await serve(stack, client.to, client.back, name="safari-mcp", grows=False, stop=stop)

            tasks.start_soon(serving)
            assert (await client.ask("initialize", HELLO))["serverInfo"]["name"] == "trailcam-safari-mcp"
            listed = (await client.ask("tools/list", {}))["tools"]
            assert {tool["name"]: (tool["inputSchema"], tool["annotations"]) for tool in listed} == {
                name: (dict(tool.input_schema), dict(tool.annotations)) for name, tool in TOOLS.items()
            }
            assert driver.heard == []
            opened = await client.call("open", url=SHOP)
            assert opened["isError"] is False
            target = json.loads(opened["content"][0]["text"])
            read = await client.call("read", targetId=target["targetId"], epoch=target["epoch"])
            assert "Hello" in read["content"][0]["text"]
            refused = await client.call("open", url="file:///etc/passwd")
            assert refused["isError"] is True
            assert refused["_meta"]["trailcam/call"]["code"] == "invalid_url"
            stop.set()
        assert driver.names[0] == "create_tab"

    play(main)


def test_the_command_has_the_system() -> None:
    assert "safari-mcp" in SYSTEMS
