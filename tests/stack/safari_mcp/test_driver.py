"""The stack as a whole: what is refused at once, what is asked of the gate, what a reply says."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

import anyio
import pytest

from stack.contract import Program
from stack.errors import CallError
from stack.safari_mcp import Settings
from stack.safari_mcp import open as open_stack
from stack.safari_mcp.driver import ENDS_SESSIONS
from stack.safari_mcp.settings import PLATFORM
from tests.stack.scripted_host import ScriptedHost
from tests.stack.scripted_safaridriver import (
    SHOP,
    TREE,
    SafariDriver,
    ScriptedGate,
    call,
    first_tab,
    said,
    seen_tab,
    staged,
    texts,
)
from tests.stack.staging import play

ACTION: dict[str, Any] = {"type": "click", "purpose": "p", "node": "3"}
RESTRICTED: list[tuple[str, dict[str, Any], str]] = [
    ("activate", {}, "activate"),
    ("navigate", {"expectedUrl": SHOP, "url": SHOP}, "navigate"),
    *[
        ("interact", {"expectedUrl": SHOP, "action": {**ACTION, "type": kind, **more}}, kind)
        for kind, more in (("click", {}), ("hover", {}), ("type", {"value": "v"}), ("keyPress", {"value": "a"}))
    ],
]


@pytest.mark.parametrize(("tool", "arguments", "scope"), RESTRICTED)
def test_restricted_actions_need_leave_and_say_how_it_came_about(
    tool: str, arguments: dict[str, Any], scope: str
) -> None:
    async def main() -> None:
        driver, gate = SafariDriver(), ScriptedGate()
        driver.add()
        async with staged(driver, gate=gate) as (_, stack):
            target = await seen_tab(stack)
            reply = await call(stack, tool, **target, **arguments)
            assert (reply.outcome, reply.evidence["consent"]) == ("done", {"asked": 1})
            (proposal,) = gate.asked
            assert (proposal.scope, proposal.tool) == (scope, tool)
            assert proposal.arguments == {**target, **arguments}
            gate.refuses = True
            before = len(driver.calls)
            reply = await call(stack, tool, **target, **arguments)
            assert (reply.outcome, reply.code) == ("refused", "consent_missing")
            assert len(driver.calls) == before

    play(main)


def test_a_call_after_the_end_is_refused_and_starts_no_driver() -> None:
    async def main() -> None:
        driver = SafariDriver()
        async with staged(driver) as (host, stack):
            assert (await call(stack, "tabs")).outcome == "done"
            await stack.close()
            reply = await call(stack, "tabs")
            assert (reply.outcome, reply.code) == ("refused", "stack_closed")
            assert len(host.processes) == 1

    play(main)


def test_everything_else_asks_nobody() -> None:
    async def main() -> None:
        driver, gate = SafariDriver(), ScriptedGate(refuses=True)
        driver.add()
        async with staged(driver, gate=gate) as (_, stack):
            target = await first_tab(stack)
            scroll = {"type": "scroll", "purpose": "p", "scrollDelta": {"x": 0, "y": 1}}
            ways: list[tuple[str, dict[str, Any]]] = [
                ("read", {}), ("snapshot", {}), ("find", {"text": "x"}), ("inspect", {"selector": "a"}),
                ("wait", {"expectedUrl": SHOP, "text": "x"}), ("screenshot", {}), ("console", {}), ("network", {}),
                ("follow_link", {"expectedUrl": SHOP, "selector": "a"}),
                ("interact", {"expectedUrl": SHOP, "action": scroll}), ("close", {}),
            ]  # fmt: skip
            for tool, arguments in ways:
                assert (await call(stack, tool, **target, **arguments)).outcome == "done"
            for tool, arguments in (("open", {"url": SHOP}), ("search", {"query": "q"}), ("tabs", {})):
                assert (await call(stack, tool, **arguments)).outcome == "done"
        assert gate.asked == []

    play(main)


def test_a_stack_without_a_gate_refuses_what_is_restricted() -> None:
    async def main() -> None:
        driver = SafariDriver()
        driver.add()
        async with anyio.create_task_group() as tasks:
            host = ScriptedHost(tasks, {Program.SAFARIDRIVER: driver})
            async with open_stack(host, Settings(platform=PLATFORM)) as stack:
                target = await seen_tab(stack)
                sent = len(driver.names)
                for tool, arguments, _ in RESTRICTED:
                    assert (await call(stack, tool, **target, **arguments)).code == "consent_missing"
                assert (await stack.status())["consent"] is False
            tasks.cancel_scope.cancel()
        assert len(driver.names) == sent

    play(main)


@pytest.mark.parametrize(("tool", "arguments", "code"), [
    ("no_such_tool", {}, "unknown_tool"), ("evaluate_javascript", {"expression": "1"}, "unknown_tool"),
    ("open", {"url": "file:///"}, "invalid_url"), ("open", {}, "invalid_arguments"),
    ("read", {"targetId": "a", "epoch": "e"}, "stale_target"),
    ("interact", {"targetId": "a", "epoch": "e", "expectedUrl": SHOP, "action": {"type": "click", "purpose": "p"}},
     "invalid_arguments"),
    ("wait", {"targetId": "a", "epoch": "e", "expectedUrl": "about:blank", "text": "x"}, "invalid_url"),
])  # fmt: skip
def test_what_is_refused_before_anything_is_asked_or_started(tool: str, arguments: dict[str, Any], code: str) -> None:
    async def main() -> None:
        gate = ScriptedGate()
        async with staged(gate=gate) as (host, stack):
            reply = await call(stack, tool, **arguments)
            assert (reply.outcome, reply.code, reply.is_error) == ("refused", code, True)
            assert host.processes == []
        assert gate.asked == []

    play(main)


def test_a_node_that_was_never_shown_is_refused_before_anybody_is_asked() -> None:
    async def main() -> None:
        driver, gate = SafariDriver(), ScriptedGate()
        driver.add()
        driver.add()
        async with staged(driver, gate=gate) as (_, stack):
            target = await first_tab(stack)
            click = {"expectedUrl": SHOP, "action": ACTION}
            other = {**target, "targetId": "page-2"}
            await call(stack, "snapshot", **other)
            sent = len(driver.names)
            assert (await call(stack, "interact", **target, **click)).code == "node_not_shown"
            await call(stack, "snapshot", **target)
            for node, url, code in (("4", SHOP, "node_not_shown"), ("3", f"{SHOP}b", "page_moved")):
                asked = {"expectedUrl": url, "action": {**ACTION, "node": node}}
                assert (await call(stack, "interact", **target, **asked)).code == code
            assert (len(driver.names), gate.asked) == (sent + 6, [])
            assert (await call(stack, "interact", **target, **click)).outcome == "done"

    play(main)


def test_a_node_of_before_a_navigation_is_refused_at_its_turn() -> None:
    async def main() -> None:
        driver = SafariDriver()
        driver.add()
        async with staged(driver) as (_, stack):
            target = await seen_tab(stack)
            codes: list[Any] = []

            async def act(tool: str, **arguments: Any) -> None:
                codes.append((await call(stack, tool, **target, expectedUrl=SHOP, **arguments)).code)

            async with anyio.create_task_group() as tasks:
                tasks.start_soon(partial(act, "navigate", url=SHOP))
                await anyio.wait_all_tasks_blocked()
                tasks.start_soon(partial(act, "interact", action=ACTION))
            assert sorted(codes, key=str) == [None, "node_not_shown"]
            assert "page_interactions" not in driver.names

    play(main)


def test_leave_is_asked_for_outside_the_turn_and_its_time() -> None:
    async def main() -> None:
        driver, gate = SafariDriver(), ScriptedGate(takes_s=30)
        driver.add()
        async with staged(driver, gate=gate) as (_, stack):
            target = await first_tab(stack)
            replies: list[Any] = []

            async def activate() -> None:
                replies.append(await call(stack, "activate", **target))

            async with anyio.create_task_group() as tasks:
                tasks.start_soon(activate)
                await anyio.sleep(1)
                assert (await call(stack, "tabs")).outcome == "done"
            assert replies[0].outcome == "done"

    play(main)


def test_what_was_last_seen_goes_with_the_proposal() -> None:
    async def main() -> None:
        driver, gate = SafariDriver(), ScriptedGate()
        driver.add()
        async with staged(driver, gate=gate) as (_, stack):
            target = await first_tab(stack)
            click = {"expectedUrl": SHOP, "action": {"type": "keyPress", "purpose": "p", "value": "a"}}
            await call(stack, "interact", **target, **click)
            await call(stack, "snapshot", **target)
            sent = len(driver.calls)
            gate.refuses = True
            await call(stack, "interact", **target, **click)
            assert len(driver.calls) == sent
            gate.refuses = False
            await call(stack, "navigate", **target, expectedUrl=SHOP, url=SHOP)
            await call(stack, "interact", **target, **click)
            seen = {**target, "url": SHOP, "text": json.dumps({"content": TREE, "format": "textTree"})}
            assert [proposal.context for proposal in gate.asked] == [None, seen, seen, None]
            await call(stack, "snapshot", **target)
            await stack.tell("session_switch", None)
            assert stack._observed._latest == {}

    play(main)


@pytest.mark.parametrize("event", ["user_input", "task_end", "grant", "revoke", *sorted(ENDS_SESSIONS)])
def test_the_gate_hears_of_everything_and_only_some_end_the_session(event: Any) -> None:
    async def main() -> None:
        gate = ScriptedGate()
        async with staged(gate=gate) as (_, stack):
            await call(stack, "tabs")
            await stack.tell(event, None)
            assert gate.told == [event]
            assert ((await stack.status())["epoch"] is None) is (event in ENDS_SESSIONS)

    play(main)


def test_cancel_takes_back_every_call_in_flight() -> None:
    async def main() -> None:
        driver = SafariDriver({"list_tabs": lambda _: []})
        replies: list[Any] = []
        async with staged(driver) as (_, stack), anyio.create_task_group() as tasks:

            async def one() -> None:
                replies.append(await call(stack, "tabs"))

            tasks.start_soon(one)
            tasks.start_soon(one)
            await anyio.sleep(1)
            await stack.tell("cancel", None)
        assert [(reply.outcome, reply.code) for reply in replies] == [("refused", "cancelled")] * 2
        assert vars(stack)["_calls"] == set(), "a call that is over is kept, as long as the session lasts"

    play(main)


def test_a_result_that_is_too_large_says_how_to_ask_for_less() -> None:
    async def main() -> None:
        driver = SafariDriver(pages={"read": lambda *_: {"text": "x" * 50_000}})
        driver.add()
        async with staged(driver) as (_, stack):
            reply = await call(stack, "read", **await first_tab(stack))
            assert (reply.outcome, reply.code) == ("done", "result_too_large")
            assert "Ask for less" in said(reply)

    play(main)


def test_an_answer_that_had_come_stays_the_answer() -> None:
    """The call is taken back in the very moment in which its answer is there."""

    async def main() -> None:
        driver = SafariDriver({"list_tabs": [1.0, texts("[]")]})
        async with staged(driver) as (_, stack), anyio.create_task_group() as tasks:
            replies: list[Any] = []

            async def one() -> None:
                replies.append(await call(stack, "tabs"))

            tasks.start_soon(one)
            await anyio.sleep(1.0)
            await stack.tell("cancel", None)
        assert (replies[0].outcome, replies[0].code) in (("done", None), ("refused", "cancelled"))

    play(main)


def test_what_the_body_raises_comes_out_as_it_is() -> None:
    async def fail(host: ScriptedHost) -> None:
        async with open_stack(host, Settings(platform=PLATFORM)):
            raise CallError("cancelled", "x")

    async def fail_twice(host: ScriptedHost) -> None:
        async with open_stack(host, Settings(platform=PLATFORM)) as stack:
            stack._drivers._tasks.start_soon(fail_inside)
            try:
                await anyio.sleep(1)
            finally:
                raise CallError("cancelled", "another")

    async def fail_inside() -> None:
        raise CallError("cancelled", "x")

    async def main() -> None:
        async with anyio.create_task_group() as tasks:
            host = ScriptedHost(tasks, {Program.SAFARIDRIVER: SafariDriver()})
            with pytest.raises(CallError):
                await fail(host)
            with pytest.raises(BaseExceptionGroup):
                await fail_twice(host)

    play(main)


def test_status_says_what_the_ends_have_come_to() -> None:
    async def main() -> None:
        async with staged() as (_, stack):
            await call(stack, "tabs")
            await stack.tell("session_switch", None)
            status = await stack.status()
            assert status == {
                "system": "safari-mcp",
                "driver": "/scripted/bin/safaridriver",
                "platformHasSafari": True,
                "binariesVerified": True,
                "epoch": None,
                "consent": True,
                "cleanup": {"verified": 1, "problems": []},
            }

    play(main)
