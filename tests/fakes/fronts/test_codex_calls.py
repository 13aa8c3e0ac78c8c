"""Tool calls through the app-server to the helper: deadlines while a user is asked, late answers, a dead helper."""

from __future__ import annotations

from typing import Any

import pytest
import trio

from tests.fakes.conformance.client import Client
from tests.fakes.drive import Run
from tests.fakes.fronts.talk import session, whys

CALL = "mcpServer/tool/call"
CHESS = "com.apple.Chess"
HELPER_MS = 2
"""What the helper takes before it asks: the cost of a call."""


@pytest.mark.parametrize("profile", ["0.144.2", "0.171.0"])
@pytest.mark.parametrize(("carrier", "newer"), [("code", -10005), ("text", -32603)])
def test_a_number_of_the_helper_reaches_the_client_as_its_version_has_it(
    profile: str, carrier: str, newer: int
) -> None:
    async def body(made: Run, client: Client) -> None:
        await client.start()
        await client.ready()
        error = (await client.call("get_app_state", {"app": CHESS}))["error"]
        assert error["code"] == (newer if profile == "0.171.0" else -32603)
        assert "-10005: cgWindowNotFound" in error["message"]

    session(body, codex={"profile": profile}, helper={"carrier": carrier, "approval": "off"}, world={"locked": True})


def test_the_deadline_is_exact_and_stands_still_for_the_user() -> None:
    async def body(made: Run, client: Client) -> None:
        await client.start(approvalPolicy="on-request")
        await client.ready()
        made.world.change("x", unresponsive=CHESS)
        asked = made.world.now_ms()
        reply = await client.call("get_app_state", {"app": CHESS})
        assert reply["error"]["message"].endswith("timed out awaiting tools/call after 2s")
        assert made.world.now_ms() - asked == 2000 + 1

        call = await client.ask(CALL, client.call_params("get_app_state", {"app": "TextEdit"}))
        await client.notice_of("mcpServer/elicitation/request", 0)
        await trio.sleep(100)
        assert client.replies(call) == []
        await client.send({"id": 0, "result": {"action": "accept"}})
        assert (await client.reply(call))["result"]["isError"] is False
        await trio.sleep(10)
        assert len(client.replies(call)) == 1, "the deadline that had stood still ends nothing any more"

    session(body, server=",tool_timeout_sec=2")


def test_what_was_left_when_the_user_was_asked_is_left_afterwards() -> None:
    async def body(made: Run, client: Client) -> None:
        await client.start(approvalPolicy="on-request")
        await client.ready()
        call = await client.ask(CALL, client.call_params("get_app_state", {"app": CHESS}))
        await client.notice_of("mcpServer/elicitation/request", 0)
        await trio.sleep(50)
        made.world.change("x", unresponsive=CHESS)
        answered = made.world.now_ms()
        await client.send({"id": 0, "result": {"action": "accept"}})
        reply = await client.reply(call)
        assert reply["error"]["message"].endswith("timed out awaiting tools/call after 2s")
        assert made.world.now_ms() - answered == 2000 - HELPER_MS

    session(body, server=",tool_timeout_sec=2")


def test_a_late_result_of_a_call_that_timed_out_is_dropped() -> None:
    async def body(made: Run, client: Client) -> None:
        await client.start()
        await client.ready()
        made.world.change("x", unresponsive=CHESS)
        call = await client.ask(CALL, client.call_params("get_app_state", {"app": CHESS}))
        assert "timed out" in (await client.reply(call))["error"]["message"]
        await trio.sleep(10)
        assert len(client.replies(call)) == 1
        assert "result" in await client.call("list_apps", {})

    session(body, server=",tool_timeout_sec=1", helper={"approval": "off"})


def test_a_dead_helper_fails_its_call_and_frees_its_lease() -> None:
    async def body(made: Run, client: Client) -> None:
        await client.start()
        await client.ready()
        await client.call("get_app_state", {"app": CHESS})
        made.world.change("x", unresponsive=CHESS)
        call = await client.ask(CALL, client.call_params("click", {"app": CHESS, "element_index": "0"}))
        await trio.sleep(0.1)
        made.host.signal(2, 9)
        assert (await client.reply(call))["error"]["message"].endswith("Transport closed")
        assert (await client.call("list_apps", {}))["error"]["message"].endswith("Transport closed")

    made = session(body, helper={"approval": "off"})
    assert made.of("effect") == []
    assert made.of("freed") == [{"p": 2, "what": "lease", "id": CHESS}]


def test_two_calls_at_once_may_come_back_in_either_order() -> None:
    orders: set[tuple[Any, ...]] = set()

    for seed in range(12):

        async def body(made: Run, client: Client) -> None:
            await client.start()
            await client.ready()
            ids = [await client.ask(CALL, client.call_params("list_apps", {})) for _ in range(2)]
            for id in ids:
                await client.reply(id)
            orders.add(tuple(frame["id"] for frame in client.frames if frame.get("id") in ids))
            assert await client.finish() == 0

        assert whys(session(body, seed=seed)) == ["mcpServer/tool/call in state threaded", f"{CALL} in state calling"]
    assert len(orders) == 2
