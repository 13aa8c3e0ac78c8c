"""Facts about the process: command line, handshake, permission, ends (1.1 and 1.2), and protocol errors (1.4)."""

from __future__ import annotations

import signal

import trio

from fakes.fronts.safaridriver_tools import schema_of
from tests.fakes.safaridriver.client import Connect, Options
from tests.fakes.safaridriver.pages import SHOP

TOOLS = 17
NO_PERMISSION = Options(world={"permissions": {"remote_automation": False}})


async def check_safaridriver_help_names_mcp(connect: Connect) -> None:
    """A client finds out by `--help` whether there is an MCP server (1.1)."""
    async with connect(Options(arguments=("--help",), greet=False)) as client:
        assert await client.wait() == 0
        assert b"--mcp" in client.raw


async def check_safaridriver_version(connect: Connect) -> None:
    async with connect(Options(arguments=("--version",), greet=False)) as client:
        assert await client.wait() == 0
        assert client.raw.startswith(b"Included with Safari"), client.raw


async def check_safaridriver_unknown_option(connect: Connect) -> None:
    async with connect(Options(arguments=("--nothing",), greet=False)) as client:
        assert await client.wait() != 0
        assert client.raw == b"" and b"--nothing" in client.errors


async def check_safaridriver_handshake(connect: Connect) -> None:
    """It calls itself Safari 1.0.0 and speaks what the client offers (1.2)."""
    async with connect(Options(greet=False)) as client:
        result = (await client.greet())["result"]
        assert result["serverInfo"] == {"name": "Safari", "version": "1.0.0"}, result
        assert result["protocolVersion"] == "2025-06-18" and "tools" in result["capabilities"], result
        assert await client.finish() == 0


async def check_safaridriver_lists_17_tools(connect: Connect) -> None:
    """Names and schemas are those of the profile (1.3); of navigate_to_url they differ."""
    async with connect() as client:
        listed = (await client.request("tools/list"))["result"]["tools"]
        assert len(listed) == TOOLS, [tool["name"] for tool in listed]
        for tool in listed:
            assert tool["inputSchema"] == schema_of(tool["name"], client.profile), tool
            assert set(tool) == {"name", "description", "inputSchema"}, tool
        navigate = next(tool for tool in listed if tool["name"] == "navigate_to_url")
        second = "tab_uuid" if client.profile == "27.0" else "handle"
        assert sorted(navigate["inputSchema"]["properties"]) == sorted([second, "url"])


async def check_safaridriver_handshake_without_permission(connect: Connect) -> None:
    """initialize and tools/list work without the permission; the first tool does not (1.1)."""
    async with connect(NO_PERMISSION) as client:
        assert len((await client.request("tools/list"))["result"]["tools"]) == TOOLS
        text = await client.failed("create_tab", url=SHOP)
        assert "Error Domain=WebDriverErrorDomain Code=6" in text and "Allow remote automation" in text, text
        assert await client.finish() == 0


async def check_safaridriver_unknown_tool(connect: Connect) -> None:
    async with connect() as client:
        reply = await client.request("tools/call", {"name": "no_such_tool", "arguments": {}})
        assert reply.get("error", {}).get("code") == -32602, reply


async def check_safaridriver_missing_argument(connect: Connect) -> None:
    """A required argument that is absent, or of another type, is a failed tool that names it (1.3)."""
    async with connect() as client:
        await client.open(SHOP)
        for given in ({}, {"media": {"type": "print"}}):
            text = await client.failed("set_emulated_media", **given)
            assert text == "Tool error: Invalid arguments: Missing required 'media'", text


async def check_safaridriver_unknown_method(connect: Connect) -> None:
    """`server/discover` of the stateless revision is unknown, and answered at once (assumed in 1.2)."""
    async with connect(Options(greet=False)) as client:
        reply = await client.request("server/discover")
        assert reply.get("error", {}).get("code") == -32601, reply
        assert (await client.request("ping")).get("result") == {}


async def check_safaridriver_ends_with_stdin(connect: Connect) -> None:
    """The end of stdin ends it in about 20 ms, its window with it (1.2)."""
    async with connect() as client:
        await client.open(SHOP)
        began = trio.current_time()
        assert await client.finish() == 0
        if connect.virtual:
            took_ms = round((trio.current_time() - began) * 1000)
            assert took_ms == 20, took_ms


async def check_safaridriver_ends_by_sigterm(connect: Connect) -> None:
    async with connect() as client:
        await client.open(SHOP)
        client.process.send_signal(signal.SIGTERM)
        assert await client.wait() == -signal.SIGTERM
