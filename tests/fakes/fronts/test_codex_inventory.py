"""The inventory: pages, several servers, and which process is asked."""

from __future__ import annotations

import pytest

from tests.fakes.conformance.client import Client
from tests.fakes.drive import Run
from tests.fakes.fronts.talk import session

SECOND = ("-c", 'mcp_servers.another={command="helper"}', "-c", 'mcp_servers.off={command="helper",enabled=false}')


def helpers(made: Run) -> int:
    return sum(each.program == "helper" for each in made.stage.sessions)


@pytest.mark.parametrize("profile", ["0.144.2", "0.171.0"])
def test_servers_come_in_the_order_of_their_names_in_pages(profile: str) -> None:
    async def body(made: Run, client: Client) -> None:
        await client.start()
        whole = (await client.list())["result"]
        assert ([entry["name"] for entry in whole["data"]], whole["nextCursor"]) == (["another", "computer-use"], None)
        first = (await client.list(limit=1))["result"]
        assert ([entry["name"] for entry in first["data"]], first["nextCursor"]) == (["another"], "1")
        second = (await client.list(limit=1, cursor="1"))["result"]
        assert ([entry["name"] for entry in second["data"]], second["nextCursor"]) == (["computer-use"], None)
        beyond = (await client.list(cursor="2"))["result"]
        assert (beyond["data"], beyond["nextCursor"]) == ([], None)

    session(body, *SECOND, codex={"profile": profile})


def test_the_older_version_asks_the_servers_before_it_looks_at_the_cursor() -> None:
    counts = []
    for profile in ("0.144.2", "0.171.0"):

        async def body(made: Run, client: Client) -> None:
            await client.start()
            await client.ready()
            before = helpers(made)
            reply = await client.request("mcpServerStatus/list", {"threadId": client.thread_id, "cursor": "9"})
            assert reply["error"]["message"] == "cursor 9 exceeds total MCP servers 1"
            counts.append(helpers(made) - before)

        session(body, codex={"profile": profile})
    assert counts == [1, 0]


def test_a_stubborn_server_that_was_only_listed_is_killed() -> None:
    async def body(made: Run, client: Client) -> None:
        await client.start()
        await client.ready()
        await client.list(detail="full")
        await client.request("thread/loaded/list", {})
        await client.call("list_apps", {})

    made = session(body, helper={"stubborn": True, "call_ms": 100})
    assert [each.status for each in made.stage.sessions if each.program == "helper"][1] == -9


def test_a_server_that_dies_while_it_is_listed_in_full_holds_nobody() -> None:
    async def body(made: Run, client: Client) -> None:
        await client.start()
        await client.ready()
        id = await client.ask("mcpServerStatus/list", {"threadId": client.thread_id, "serverName": "computer-use"})
        made.host.signal(2, 9)
        entry = (await client.reply(id))["result"]["data"][0]
        assert (len(entry["tools"]), entry["runtimeStatus"]) == (10, "failed")

    session(body)


def test_a_list_without_a_thread_has_no_runtime_status() -> None:
    async def body(made: Run, client: Client) -> None:
        await client.initialize()
        entry = (await client.request("mcpServerStatus/list", {}))["result"]["data"][0]
        assert (entry["runtimeStatus"], len(entry["tools"])) == (None, 10)

    session(body)


def test_ready_and_the_list_come_in_either_order_and_the_status_says_which() -> None:
    seen = set()
    for seed in range(8):

        async def body(made: Run, client: Client) -> None:
            await client.start()
            reply = await client.list()
            await client.ready()
            ready = client.place(lambda frame: "ready" in str(frame.get("params", {}).get("status", "")))
            listed = client.place(lambda frame: frame.get("id") == reply["id"] and "result" in frame)
            seen.add((ready < listed, reply["result"]["data"][0]["runtimeStatus"]))

        session(body, seed=seed)
    assert seen == {(True, "connected"), (False, "starting")}


def test_the_tools_come_in_an_order_of_the_seed() -> None:
    orders = set()
    for seed in range(4):

        async def body(made: Run, client: Client) -> None:
            await client.start()
            orders.add(tuple((await client.list())["result"]["data"][0]["tools"]))

        session(body, seed=seed)
    assert len(orders) == 4
