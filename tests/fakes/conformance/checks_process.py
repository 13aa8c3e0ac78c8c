"""Facts about the process: its command line, servers that do not start, signals, and what is left at its end."""

from __future__ import annotations

from signal import Signals
from typing import Any

import trio

from tests.fakes.conformance.checks_calls import CALL
from tests.fakes.conformance.client import Client, Connect, Options, expect

REPEATED = "connection closed: initialize response"
REFUSED = "Internal error: The data couldn’t be read because it isn’t in the correct format."
BAD_LINES: tuple[tuple[tuple[str, ...], int, str], ...] = (
    (("--nope",), 2, "error: unexpected argument '--nope' found"),
    (("-c",), 2, "error: a value is required for '--config <key=value>' but none was supplied"),
    (("-c", "foo"), 1, "Error: error parsing -c overrides: Invalid override (missing '='): foo"),
    (("--strict-config", "-c", "foo=1"), 1, "Error: unknown configuration field `foo` in -c/--config override"),
    (("--strict-config", "-c", "features.nope=true"), 1,
     "Error: unknown configuration field `features.nope` in -c/--config override"),
    (("-c", "mcp_servers={x={command=3}}"), 1, "Error: invalid type: integer `3`, expected a string"),
    (("-c", "mcp_servers.x.env={}"), 1, "Error: invalid transport"),
    (("-c", 'approval_policy="maybe"'), 1, "Error: unknown variant `maybe`, expected one of `untrusted`, "),
    (("-c", 'model_provider="nope"'), 1, "Error: Model provider `nope` not found"),
    (("-c", "model=3"), 1, "Error: invalid type: integer `3`, expected a string"),
)  # fmt: skip


async def check_codex_command_line(connect: Connect) -> None:
    """Bad arguments end the program before it serves, with the real texts and exit codes."""
    for arguments, status, text in BAD_LINES:
        async with connect(Options(wanted=False, arguments=arguments)) as client:
            expect(await client.finish(), status, f"exit status of {arguments}")
            assert _told(client, arguments, text) in client.errors, (arguments, client.errors)
            expect(client.frames, [], f"frames of {arguments}")


def _told(client: Client, arguments: tuple[str, ...], text: str) -> bytes:
    """The older version says first that it could not load its defaults either, where a value is wrong."""
    kind, _, rest = text.partition(": ")
    of_a_value = kind == "Error" and "overrides" not in text and "--strict-config" not in arguments
    prefix = "error loading default config after config error: " if of_a_value and not _newer(client) else ""
    return f"{kind}: {prefix}{rest}".encode()


async def check_codex_strict_configuration_is_served(connect: Connect) -> None:
    """With --strict-config the keys that the stack uses are all known."""
    arguments = ("--strict-config", "-c", "plugins={}", "-c", "features.plugins=false", "-c", "features.apps=false")
    server = {"enabled_tools": ["list_apps"], "tool_timeout_sec": 100, "startup_timeout_sec": 20, "env": {}}
    async with connect(Options(server=server, arguments=arguments)) as client:
        await client.start()
        await client.ready()
        assert "result" in await client.call("list_apps", {})
        expect(await client.finish(), 0, "exit status")


async def check_codex_unknown_keys(connect: Connect) -> None:
    """Without it an unknown key is silent on the older version, and warned of twice on the newer."""
    async with connect(Options(wanted=False, arguments=("-c", "foo=1"))) as client:
        await client.start()
        await client.request("thread/loaded/list", {})
        warned = [frame["method"] for frame in client.frames if "arning" in frame.get("method", "")]
        expect(warned, ["configWarning", "warning"] if client.version == "0.171.0" else [], "warnings")
        await client.finish()


def _repeated(client: Client, why: str) -> str:
    return f"handshaking with MCP server failed: {why}" + (f": {why}" if client.version == "0.171.0" else "")


async def check_codex_server_that_does_not_start(connect: Connect) -> None:
    """failed is told, the inventory has no tools, and calls say why."""
    for helper, server, reason in (
        ({"start": "exit"}, {}, "closed"),
        ({"start": "exit after initialize"}, {}, "Transport closed"),
        ({"start": "refuse tools"}, {}, "Mcp error: -32603: no tools for you"),
        ({}, {"command": "/nowhere/missing"}, "No such file or directory (os error 2)"),
    ):
        async with connect(Options(helper=helper, server=server)) as client:
            why = _repeated(client, REPEATED) if reason == "closed" else reason
            await client.start()
            told = await client.ready()
            expect(told["params"]["status"], "failed", f"status for {reason}")
            text = f"MCP client for `computer-use` failed to start: MCP startup failed: {why}"
            expect(told["params"]["error"], text, f"error for {reason}")
            entry = (await client.list())["result"]["data"][0]
            expect(entry["tools"], {}, f"tools for {reason}")
            expect(entry.get("toolsError"), f"MCP startup failed: {why}" if _newer(client) else None, "toolsError")
            reply = await client.call("list_apps", {})
            wanted = {"code": -32603, "message": f"failed to get client: MCP startup failed: {why}"}
            expect(reply.get("error"), wanted, f"call for {reason}")
            expect(await client.finish(), 0, "exit status")


async def check_codex_startup_timeout(connect: Connect) -> None:
    """A server that does not answer initialize is given up after startup_timeout_sec, said in whole seconds."""
    async with connect(Options(helper={"start": "hang"}, server={"startup_timeout_sec": 1.5})) as client:
        await client.start()
        told = (await client.ready())["params"]
        assert told["error"].startswith("MCP client for `computer-use` timed out after 1 seconds. Add or adjust"), told
        reply = await client.call("list_apps", {})
        assert "timed out handshaking with MCP server after 1." in reply["error"]["message"], reply
        await client.finish()


async def check_codex_slow_server(connect: Connect) -> None:
    """A call that comes while the server starts waits for it."""
    async with connect(Options(helper={"start": "slow"})) as client:
        await client.start()
        assert "result" in await client.call("list_apps", {})
        await client.finish()


async def check_codex_required_server(connect: Connect) -> None:
    """Where a server is required and does not start, thread/start fails."""
    async with connect(Options(helper={"start": "exit"}, server={"required": True})) as client:
        await client.initialize()
        reply = await client.request("thread/start", {"ephemeral": True})
        why = f"required MCP servers failed to initialize: computer-use: {_repeated(client, REPEATED)}"
        message = f"error creating thread: Fatal error: Failed to initialize session: {why}"
        expect(reply.get("error"), {"code": -32603, "message": message}, "error")
        await client.finish()


async def check_codex_experimental_capability(connect: Connect) -> None:
    """The newer version tells the thread's server, and not the inventory's, of an experimental capability: a server
    that refuses it is listed whole, and can't be called."""
    async with connect(Options(helper={"start": "refuse experimental"})) as client:
        await client.start()
        told = (await client.ready())["params"]["status"]
        entry = (await client.list())["result"]["data"][0]
        expect(len(entry["tools"]), 10, "tools")
        reply = await client.call("list_apps", {})
        if _newer(client):
            expect(told, "failed", "status")
            why = _repeated(client, f"JSON-RPC error: -32603: {REFUSED}")
            expect(reply["error"]["message"], f"failed to get client: MCP startup failed: {why}", "error")
        else:
            expect(told, "ready", "status")
            assert "result" in reply, reply
        await client.finish()


async def check_codex_end_of_stdin_reaps(connect: Connect) -> None:
    """The end of stdin ends it with 0, and every MCP server with it, also one that ignores both ways of being told."""
    async with connect(Options(helper={"stubborn": True})) as client:
        await _served(client)
        expect(client.helpers.alive() >= 1, True, "whether an MCP server is alive")
        await client.ask(CALL, client.call_params("get_app_state", {"app": "slow:30"}))
        expect(await client.finish(), 0, "exit status")
        await _alive(client, 0)


async def check_codex_sigterm(connect: Connect) -> None:
    """SIGTERM ends the newer version like the end of stdin, and kills the older one, whose stubborn server stays."""
    async with connect(Options(helper={"stubborn": True})) as client:
        await _served(client)
        client.process.terminate()
        expect(await client.wait(), 0 if _newer(client) else -15, "exit status")
        await _alive(client, 0 if _newer(client) else 1)


async def check_codex_sigint(connect: Connect) -> None:
    """SIGINT kills both."""
    async with connect() as client:
        await _served(client)
        client.process.send_signal(Signals.SIGINT)
        expect(await client.wait(), -2, "exit status")


async def _served(client: Client) -> None:
    await client.start()
    await client.ready()
    assert "result" in await client.call("list_apps", {})


async def _alive(client: Client, wanted: int) -> None:
    with trio.move_on_after(3):
        while client.helpers.alive() != wanted:
            await trio.sleep(0.01)
    expect(client.helpers.alive(), wanted, "MCP servers that are left")


def _newer(client: Client) -> bool:
    return client.version == "0.171.0"


def every_check(*modules: Any) -> list[Any]:
    """The functions `check_codex_*` of these modules, by name."""
    found = {name: each for module in modules for name, each in vars(module).items() if name.startswith("check_codex_")}
    return [found[name] for name in sorted(found)]
