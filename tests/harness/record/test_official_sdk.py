"""The official MCP SDK at both ends: its client sees the same through the tap as without it."""
from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from harness.tape.event import get_bytes
from tests.harness.record.sessions import TAP, events, of_kind

SERVER = """
import anyio, sys
from mcp import types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

async def list_tools(context, params):
    tool = types.Tool(name="echo", description="gives back", input_schema={"type": "object"})
    return types.ListToolsResult(tools=[tool])

async def call_tool(context, params):
    if params.name != "echo":
        raise ValueError("no such tool")
    return types.CallToolResult(content=[types.TextContent(type="text", text=params.arguments["text"])])

async def main():
    server = Server("echo", on_list_tools=list_tools, on_call_tool=call_tool)
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())

print("a log line", file=sys.stderr, flush=True)
anyio.run(main)
"""

CLIENT = """
import anyio, json, sys
from mcp import ClientSession, MCPError, StdioServerParameters, stdio_client

TEXTS = ["plain", "\\u00e9\\u2028\\u0085 \\U0001f600", "x" * 300_000]

async def main():
    server = StdioServerParameters(command=sys.argv[1], args=sys.argv[2:])
    seen = []
    async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
        hello = await session.initialize()
        seen.append(hello.model_dump(mode="json"))
        seen.append((await session.list_tools()).model_dump(mode="json"))
        for text in TEXTS:
            reply = await session.call_tool("echo", {"text": text})
            seen.append(reply.content[0].text == text)
        try:
            seen.append((await session.call_tool("other", {})).model_dump(mode="json"))
        except MCPError as error:
            seen.append(str(error))
    print(json.dumps(seen))

anyio.run(main)
"""


@pytest.mark.claim("HAR-REC-01", "HAR-FAKE-03")
def test_a_session_of_the_official_client_with_the_official_server(tmp_path: Path) -> None:
    tape, server, client = tmp_path / "t.jsonl", tmp_path / "server.py", tmp_path / "client.py"
    server.write_text(SERVER)
    client.write_text(CLIENT)
    direct = [sys.executable, str(server)]
    seen = []
    for command in (direct, [*TAP, "--out", str(tape), "--dialect", "mcp", "--", *direct]):
        done = subprocess.run([sys.executable, str(client), *command], capture_output=True, text=True, check=False,
                              timeout=120)
        assert done.returncode == 0, done.stderr
        assert "a log line" in done.stderr
        seen.append(json.loads(done.stdout))
    assert seen[0] == seen[1]
    assert seen[0][2:5] == [True, True, True]
    found = events(tape)
    frames: list[Any] = [json.loads(get_bytes(event)) for event in of_kind(found, "bytes") if event["s"] != "err"]
    assert [frame["method"] for frame in frames if "method" in frame][:2] == ["initialize", "notifications/initialized"]
    answers = [event for event in of_kind(found, "bytes") if "cause" in event]
    assert len(answers) == sum("id" in frame and "method" in frame for frame in frames) >= 6
    assert of_kind(found, "exited")[0]["status"] == 0
