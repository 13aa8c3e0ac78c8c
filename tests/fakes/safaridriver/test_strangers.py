"""Clients that nobody here wrote talk to the fake safaridriver unchanged: the official Python SDK and the Inspector.

The fake is a real process of its own. HAR-FAKE-03.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import pytest
import trio
from mcp import ClientSession, MCPError, StdioServerParameters, stdio_client

from fakes.fronts.safaridriver_settings import PROFILES
from fakes.fronts.safaridriver_tools import TAB_ARGUMENT, schema_of
from harness.engines import locate, select
from harness.serve.launch import make_folder, remove_folder
from harness.wire.jsontext import loads
from tests.fakes.safaridriver.pages import SECOND, SHOP, WORLD


@pytest.fixture(params=PROFILES)
def folder(request: pytest.FixtureRequest) -> Iterator[tuple[Path, str]]:
    """A run folder in which safaridriver is its own stage, and its profile."""
    settings = {"profile": request.param, "browser_ms": 0, "settle_ms": 0, "initialize_ms": 0, "call_ms": 0}
    sheet = {
        "v": 1,
        "seed": 1,
        "world": WORLD,
        "programs": {"safaridriver": settings},
        "machines": {"safaridriver": "fakes.fronts.safaridriver:SafariDriver"},
        "world_factory": "fakes.worlds.safari:Safari",
    }
    made = make_folder(["safaridriver"], sheet)
    yield made, request.param
    remove_folder(made)


def record(folder: Path) -> list[Any]:
    return [loads(line) for line in (folder / "world.jsonl").read_text(encoding="ascii").split("\n") if line]


@pytest.mark.claim("HAR-FAKE-03")
def test_the_official_sdk_opens_reads_clicks_and_gets_errors(folder: tuple[Path, str]) -> None:
    place, profile = folder

    async def main() -> None:
        server = StdioServerParameters(command=str(place / "safaridriver"), args=["--mcp"])
        async with stdio_client(server) as (reading, writing), ClientSession(reading, writing) as client:
            hello = await client.initialize()
            assert (hello.server_info.name, hello.server_info.version) == ("Safari", "1.0.0")
            listed = {tool.name: tool.input_schema for tool in (await client.list_tools()).tools}
            assert listed == {name: schema_of(name, profile) for name in listed} and len(listed) == 17

            async def call(tool: str, **arguments: Any) -> tuple[bool, str]:
                result = await client.call_tool(tool, arguments)
                (block,) = result.content
                assert block.type == "text"
                return bool(result.is_error), block.text

            assert await call("list_tabs") == (False, "[]")
            failed, text = await call("create_tab", url=SHOP)
            handle = json.loads(text)["handle"]
            assert not failed
            await call("wait_for_navigation")
            content = json.loads((await call("get_page_content"))[1])["content"]
            uid = next(line for line in content.split("\n") if "'Buy'" in line).partition("uid=")[2].split(" ")[0]
            step = {"type": "click", "purpose": "buy", "node": uid}
            reply = json.loads((await call("page_interactions", interactions=[step]))[1])
            assert (reply["requested"], reply["successful"]) == (1, 1) and "bought" in reply["diff"]
            arguments = {"url": SECOND, TAB_ARGUMENT[profile]: handle}
            assert json.loads((await call("navigate_to_url", **arguments))[1])["title"] == "Second"
            failed, text = await call("set_emulated_media", media={"type": "print"})
            assert (failed, text) == (True, "Tool error: Invalid arguments: Missing required 'media'")
            with pytest.raises(MCPError, match="Unknown tool: no_tool"):
                await client.call_tool("no_tool", {})

    anyio.run(main, backend="trio")
    events = record(place)
    assert [event["verb"] for event in events if event["e"] == "effect"] == ["open", "click", "navigate"]
    assert [event["e"] for event in events if event["e"] in ("held", "freed")] == ["held", "freed"]


@pytest.mark.claim("HAR-FAKE-03")
@pytest.mark.engine("inspector")
@pytest.mark.parametrize("folder", ["27.0"], indirect=True)
def test_the_inspector_lists_strictly_and_calls(folder: tuple[Path, str]) -> None:
    place, profile = folder
    server = place / "server"
    server.write_text(f'#!/bin/sh\nexec "{place}/safaridriver" --mcp\n', encoding="utf-8")
    server.chmod(0o700)

    async def inspect(*words: str) -> Any:
        command = [str(locate(select("inspector")[0])), "--cli", str(server), *words]
        run = partial(trio.run_process, command, capture_stdout=True, capture_stderr=True, check=False)
        done: subprocess.CompletedProcess[bytes] = await run()
        assert done.returncode == 0, done.stderr.decode() + done.stdout.decode()
        return json.loads(done.stdout)

    async def main() -> None:
        listed = (await inspect("--method", "tools/list"))["tools"]
        assert {tool["name"]: tool["inputSchema"] for tool in listed} == {
            tool["name"]: schema_of(tool["name"], profile) for tool in listed
        }
        tabs = await inspect("--method", "tools/call", "--tool-name", "list_tabs")
        assert tabs["content"] == [{"type": "text", "text": "[]"}]
        words = ("--method", "tools/call", "--tool-name", "navigate_to_url", "--tool-arg", f"url={SHOP}")
        assert "Welcome to the shop" in (await inspect(*words))["content"][0]["text"]

    trio.run(main)
