"""The driver: every call gives a Reply, events are heeded, and the status says what is connected."""

from __future__ import annotations

from typing import Any

import anyio
import pytest

from stack.chrome.endpoint import Endpoint, endpoints, publish
from tests.stack.chrome.stand import CLICKED, Stand, stand


@pytest.mark.parametrize(
    ("tool", "arguments", "code"),
    [
        ("run_script", {}, "unknown_tool"),
        ("ax_read", {"selector": "a"}, "invalid_arguments"),
        ("ax_activate", {"snapshot_id": "s9", "node_id": "p0:1"}, "stale_snapshot"),
    ],
)
def test_what_can_not_be_done_is_refused_with_its_code(tool: str, arguments: dict[str, Any], code: str) -> None:
    async def body(each: Stand) -> None:
        reply = await each.call(tool, **arguments)
        assert (reply.outcome, reply.code, reply.is_error) == ("refused", code, True)

    stand(body)


def test_a_node_can_be_named_by_its_name() -> None:
    async def body(each: Stand) -> None:
        await each.read("Buy", "Sell", "Sell")
        call = each.call("ax_activate", snapshot_id="s1", name="Buy", role="button")
        assert (await each.while_(call, each.answer(CLICKED))).outcome == "done"
        assert (await each.call("ax_activate", snapshot_id="s1", name="Sell")).code == "ambiguous_target"

    stand(body)


@pytest.mark.claim("CHR-IPC-03", tooth="a reading and an action whose caller gives them up")
@pytest.mark.parametrize(("tool", "outcome"), [("ax_read", "refused"), ("ax_activate", "unknown")])
@pytest.mark.parametrize("how", ["scope", "tell"])
def test_a_call_that_is_taken_back_says_what_is_known(tool: str, outcome: str, how: str) -> None:
    async def body(each: Stand) -> None:
        await each.read("Buy")
        arguments = {"snapshot_id": "s1", "node_id": "p0:1"} if tool == "ax_activate" else {}
        replies: list[Any] = []
        with anyio.CancelScope() as scope:
            async with anyio.create_task_group() as tasks:

                async def run() -> None:
                    replies.append(await each.call(tool, **arguments))

                tasks.start_soon(run)
                await each.started.hear()
                if how == "scope":
                    scope.cancel()
                else:
                    await each.stack.tell("cancel", None)
        assert (replies[0].outcome, replies[0].code) == (outcome, "cancelled")
        assert (await each.started.hear())["verb"] == "cancel"

    stand(body)


def test_the_end_of_a_task_gives_the_claim_up_and_the_next_call_takes_it() -> None:
    async def body(each: Stand) -> None:
        await each.read("Buy")
        await each.stack.tell("user_input", None)
        assert (await each.stack.status())["connected"] == [
            {"browser": "chrome", "browserVersion": "156.0", "extension": "0.1.0", "host": "0.1.0"}
        ]
        await each.stack.tell("task_end", None)
        await anyio.sleep(0.5)
        status = await each.stack.status()
        assert (status["connected"], status["binariesVerified"]) == ([], True)
        assert (await each.call("ax_activate", snapshot_id="s1", node_id="p0:1")).code == "stale_snapshot"
        assert (await each.read("Buy")).outcome == "done"

    stand(body)


@pytest.mark.parametrize("how", ["task_end", "close"])
def test_a_call_under_way_at_the_end_is_taken_back_while_the_connection_is_there(how: str) -> None:
    async def body(each: Stand) -> None:
        await each.read("Buy")
        replies: list[Any] = []
        async with anyio.create_task_group() as tasks:

            async def run() -> None:
                replies.append(await each.call("ax_activate", snapshot_id="s1", node_id="p0:1"))

            tasks.start_soon(run)
            await each.started.hear()
            await (each.stack.tell("task_end", None) if how == "task_end" else each.stack.close())
        assert (replies[0].outcome, replies[0].code) == ("unknown", "cancelled")
        assert (await each.started.hear())["verb"] == "cancel"

    stand(body)


def test_a_closed_stack_takes_away_what_killed_hosts_of_ended_browsers_left(monkeypatch: pytest.MonkeyPatch) -> None:
    async def body(each: Stand) -> None:
        host = each.rig.host()
        monkeypatch.setattr(type(host), "tree", lambda self, pid: [] if pid == 1 else [pid])
        before = {endpoint.id for endpoint in endpoints(host)}
        for id, browser in (("dead", 1), ("killed", 2)):
            publish(host, Endpoint(id, str(host.meeting / f"chrome-{id}.sock"), "0" * 64, browser, "", "0.1.0"))
        await each.stack.tell("task_end", None)
        assert {endpoint.id for endpoint in endpoints(host)} == before | {"dead", "killed"}
        await each.stack.close()
        assert {endpoint.id for endpoint in endpoints(host)} == before | {"killed"}

    stand(body)


def test_a_closed_stack_takes_no_call() -> None:
    async def body(each: Stand) -> None:
        await each.stack.close()
        assert (await each.call("ax_read")).code == "stack_closed"
        assert len(await each.stack.tools()) == 6

    stand(body)


def test_what_the_body_raises_comes_out_as_it_is() -> None:
    async def body(each: Stand) -> None:
        raise ZeroDivisionError

    with pytest.raises(BaseExceptionGroup) as caught:
        stand(body)
    assert caught.group_contains(ZeroDivisionError, depth=1)
