"""Facts about threads and the inventory: what thread/start echoes, where the inventory comes from, what it says."""

from __future__ import annotations

from typing import Any

from tests.fakes.conformance.checks_wire import refused
from tests.fakes.conformance.client import Client, Connect, Options, expect

SANDBOXES: dict[str, Any] = {
    "danger-full-access": {"type": "dangerFullAccess"},
    "read-only": {"type": "readOnly", "networkAccess": False},
    "workspace-write": {
        "type": "workspaceWrite", "writableRoots": [], "networkAccess": False, "excludeTmpdirEnvVar": False,
        "excludeSlashTmp": False,
    },
}  # fmt: skip
TOOLS = 10
MADE_UP = "01999999-0000-7000-8000-000000000000"


async def check_codex_thread_echo(connect: Connect) -> None:
    """thread/start says which policy, sandbox, folder, provider and sources the thread really has."""
    async with connect(Options(wanted=False)) as client:
        await client.initialize()
        for approval in ("never", "on-request", "untrusted"):
            for sandbox, shown in SANDBOXES.items():
                result = await client.thread(approvalPolicy=approval, sandbox=sandbox, cwd="/")
                expect(result["approvalPolicy"], approval, "approvalPolicy")
                expect(result["sandbox"], shown, "sandbox")
                expect(result["activePermissionProfile"], None, "profile where the sandbox was asked for")
        expect(result["cwd"], "/", "cwd")
        expect(result["modelProvider"], "dead", "modelProvider")
        expect(result["instructionSources"], [], "instructionSources")
        thread = result["thread"]
        expect((thread["ephemeral"], thread["path"], thread["turns"]), (True, None, []), "an ephemeral thread")
        expect(thread["status"], {"type": "idle"}, "status")
        expect(thread["cliVersion"], client.version, "cliVersion")
        expect(thread["historyMode"], "paginated" if _newer(client) else "legacy", "historyMode")
        expect("environments" in thread, _newer(client), "whether a thread has environments")
        expect("disabledPluginIds" in result, _newer(client), "whether disabledPluginIds is there")
        await client.finish()


async def check_codex_default_model(connect: Connect) -> None:
    """Without a configured model the version's own is echoed."""
    async with connect(Options(wanted=False, model=False)) as client:
        result = await client.start()
        expect(result["model"], "gpt-6.2-sol" if _newer(client) else "gpt-5.6-sol", "model")
        await client.finish()


async def check_codex_thread_defaults(connect: Connect) -> None:
    """Without parameters the policy is on-request and read-only, and the thread is kept in a file."""
    async with connect(Options(wanted=False)) as client:
        await client.initialize()
        result = (await client.request("thread/start", {}))["result"]
        expect(result["approvalPolicy"], "on-request", "approvalPolicy")
        expect(result["sandbox"], SANDBOXES["read-only"], "sandbox")
        expect(result["activePermissionProfile"], {"id": ":read-only", "extends": None}, "profile")
        expect(result["thread"]["ephemeral"], False, "ephemeral")
        assert result["thread"]["path"].endswith(f"-{result['thread']['id']}.jsonl"), result
        await client.finish()


async def check_codex_thread_from_configuration(connect: Connect) -> None:
    """The configuration is what a call does not say."""
    overrides = ("-c", 'approval_policy="never"', "-c", 'sandbox_mode="danger-full-access"')
    async with connect(Options(wanted=False, arguments=overrides)) as client:
        await client.initialize()
        result = (await client.request("thread/start", {"ephemeral": True}))["result"]
        expect(result["approvalPolicy"], "never", "approvalPolicy")
        expect(result["sandbox"], SANDBOXES["danger-full-access"], "sandbox")
        expect(result["activePermissionProfile"], None, "profile")
        expect(result["model"], "dead-model", "model")
        await client.finish()


async def check_codex_thread_order(connect: Connect) -> None:
    """A server of the thread is starting before it is ready. Nothing else is ordered: a busy real one sends
    thread/started and `starting` before the answer to thread/start too."""
    async with connect() as client:
        await client.start()
        await client.ready()
        places = {
            "answer": client.place(lambda frame: "thread" in (frame.get("result") or {})),
            "started": client.place(lambda frame: frame.get("method") == "thread/started"),
            "starting": client.place(lambda frame: _startup(frame) == "starting"),
            "ready": client.place(lambda frame: _startup(frame) == "ready"),
        }
        assert places["starting"] < places["ready"], places
        environments = "environmentId" in client.frames[places["ready"]]["params"]
        expect(environments, client.version == "0.171.0", "whether environmentId is there")
        await client.finish()


def _startup(frame: Any) -> str | None:
    return frame["params"]["status"] if frame.get("method") == "mcpServer/startupStatus/updated" else None


async def check_codex_inventory(connect: Connect) -> None:
    """The inventory has the tools in any order, with schemas and annotations kept. It is taken from a second process of
    the server; the newer version asks the thread's own where that is up and only tools are wanted."""
    async with connect() as client:
        await client.start()
        await client.ready()
        before = client.helpers.started()
        full = (await client.list(detail="full"))["result"]["data"][0]
        expect((full["resources"], full["resourceTemplates"]), ([], []), "resources of a server that has none")
        expect(client.helpers.started() - before, 1, "processes that a full inventory started")
        reply = await client.list()
        expect(client.helpers.started() - before, 1 if _newer(client) else 2, "processes that both inventories started")
        [entry] = reply["result"]["data"]
        expect(reply["result"]["nextCursor"], None, "nextCursor")
        expect(entry["name"], "computer-use", "name")
        expect(len(entry["tools"]), TOOLS, "tools")
        click = entry["tools"]["click"]
        expect(click["inputSchema"]["additionalProperties"], False, "a member of a schema")
        expect(click["annotations"]["openWorldHint"], False, "an annotation")
        expect(entry["serverInfo"]["name"], "stub-computer-use", "name of the server")
        newer = {"runtimeStatus": "connected", "toolsError": None, "environmentId": None} if _newer(client) else {}
        expect({key: entry.get(key) for key in newer}, newer, "members of the newer version")
        expect("runtimeStatus" in entry, _newer(client), "whether runtimeStatus is there")
        await client.finish()


async def check_codex_inventory_by_name(connect: Connect) -> None:
    """serverName asks the thread's own process on the newer version, and is not heeded on the older."""
    async with connect() as client:
        await client.start()
        await client.ready()
        before = client.helpers.started()
        entry = (await client.list(serverName="computer-use"))["result"]["data"][0]
        expect(len(entry["tools"]), TOOLS, "tools")
        expect(client.helpers.started() - before, 0 if _newer(client) else 1, "processes that the inventory started")
        other = (await client.list(serverName="nope"))["result"]["data"]
        expect(len(other), 0 if _newer(client) else 1, "servers of another name")
        await client.finish()


async def check_codex_inventory_pages(connect: Connect) -> None:
    """Pages, cursors that lead nowhere, and an inventory without a thread."""
    async with connect() as client:
        await client.start()
        await client.ready()
        listing = "mcpServerStatus/list"
        before = client.helpers.started()
        await refused(client, listing, {"cursor": "99"}, -32600, "cursor 99 exceeds total MCP servers 1")
        expect(client.helpers.started() - before, 0 if _newer(client) else 1, "processes asked for a bad cursor")
        await refused(client, listing, {"cursor": "x"}, -32600, "invalid cursor: x")
        await refused(client, listing, {"threadId": MADE_UP}, -32600, f"thread not found: {MADE_UP}")
        without = (await client.request(listing, {"limit": 0}))["result"]["data"][0]
        expect(len(without["tools"]), TOOLS, "tools without a thread")
        expect(without.get("runtimeStatus"), None, "runtimeStatus without a thread")
        await client.finish()


async def check_codex_enabled_tools(connect: Connect) -> None:
    """enabled_tools narrows the inventory, and calls of other tools are refused by the app-server itself."""
    async with connect(Options(server={"enabled_tools": ["list_apps", "click"]})) as client:
        await client.start()
        await client.ready()
        entry = (await client.list())["result"]["data"][0]
        expect(sorted(entry["tools"]), ["click", "list_apps"], "tools")
        for tool in ("type_text", "no_such_tool"):
            message = f"tool '{tool}' is disabled for MCP server 'computer-use'"
            await refused(client, "mcpServer/tool/call", client.call_params(tool, {}), -32603, message)
        assert "result" in await client.call("list_apps", {})
        await client.finish()


async def check_codex_thread_methods(connect: Connect) -> None:
    """Loaded threads are listed; unsubscribing and reloading answer, and calls work after both."""
    async with connect() as client:
        await client.start()
        await client.ready()
        loaded = await client.request("thread/loaded/list", {})
        expect(loaded["result"]["data"], [client.thread_id], "loaded threads")
        expect((await client.request("config/mcpServer/reload", {}))["result"], {}, "answer to reload")
        unsubscribed = await client.request("thread/unsubscribe", {"threadId": client.thread_id})
        expect(unsubscribed["result"], {"status": "unsubscribed"}, "answer to unsubscribe")
        assert "result" in await client.call("list_apps", {})
        await client.finish()


def _newer(client: Client) -> bool:
    return client.version == "0.171.0"
