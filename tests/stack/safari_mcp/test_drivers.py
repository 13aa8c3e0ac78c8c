"""Turns, the idle end, and what waits when a session ends."""

from __future__ import annotations

from typing import Any

import anyio
import pytest

from stack.safari_mcp import SafariMcp
from tests.stack.scripted_host import ScriptedCaller
from tests.stack.scripted_safaridriver import SHOP, SafariDriver, call, first_tab, staged, texts
from tests.stack.staging import play


def test_operations_take_turns_in_their_order() -> None:
    async def main() -> None:
        seen: list[str] = []
        driver = SafariDriver({"list_tabs": lambda _: [1.0, texts("[]")]})

        async def one(stack: SafariMcp, name: str) -> None:
            assert (await call(stack, "tabs")).outcome == "done"
            seen.append(name)

        async with staged(driver) as (_, stack):
            async with anyio.create_task_group() as tasks:
                for name in "abc":
                    tasks.start_soon(one, stack, name)
                    await anyio.sleep(0.1)
            assert seen == ["a", "b", "c"]
            assert anyio.current_time() == pytest.approx(3, abs=0.001)

    play(main)


def test_five_minutes_without_an_operation_end_the_driver() -> None:
    async def main() -> None:
        driver = SafariDriver()
        driver.add()
        async with staged(driver) as (host, stack):
            target = await first_tab(stack)
            await anyio.sleep(299.9)
            assert (await call(stack, "read", **target)).outcome == "done"
            await anyio.sleep(299.9)
            assert host.running() == ["safaridriver"]
            await anyio.sleep(0.2)
            assert host.running() == []
            assert (await stack.status())["epoch"] is None
            assert (await call(stack, "read", **target)).code == "stale_target"
            assert len(host.processes) == 1
            assert (await first_tab(stack))["epoch"] != target["epoch"]

    play(main)


def test_a_long_operation_is_not_idle() -> None:
    async def main() -> None:
        driver = SafariDriver({"list_tabs": lambda _: [15.0, texts("[]")]})
        async with staged(driver) as (host, stack):
            for _ in range(25):
                assert (await call(stack, "tabs")).outcome == "done"
            assert len(host.processes) == 1

    play(main)


@pytest.mark.parametrize("event", ["session_switch", "close"])
def test_what_waits_when_the_session_ends_is_dropped(event: str) -> None:
    async def main() -> None:
        replies: list[Any] = []
        driver = SafariDriver({"list_tabs": lambda _: []})

        async def one(stack: SafariMcp) -> None:
            replies.append(await call(stack, "tabs"))

        async with staged(driver) as (_, stack):
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(one, stack)
                await anyio.sleep(0.1)
                tasks.start_soon(one, stack)
                await anyio.sleep(0.1)
                await (stack.close() if event == "close" else stack.tell("session_switch", None))
            assert [reply.code for reply in replies] == ["cancelled", "operation_dropped"]
            assert driver.names == ["list_tabs"]
            driver.answers.clear()
            after = await call(stack, "tabs")
            assert after.code == ("stack_closed" if event == "close" else None)

    play(main)


def test_a_session_that_ends_while_the_old_driver_does() -> None:
    async def main() -> None:
        replies: list[Any] = []
        driver = SafariDriver({"list_tabs": lambda _: []}, stays=True)

        async def one(stack: SafariMcp) -> None:
            replies.append(await call(stack, "tabs"))

        async with staged(driver) as (host, stack):
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(one, stack)
                await anyio.sleep(20.5)  # the first has timed out, and its driver takes two seconds to end
                tasks.start_soon(one, stack)
                await anyio.sleep(0.5)
                await stack.tell("session_switch", None)
            assert [reply.code for reply in replies] == ["operation_timeout", "operation_dropped"]
            assert len(host.processes) == 1

    play(main)


def test_a_new_driver_starts_when_the_old_one_has_ended() -> None:
    async def main() -> None:
        driver = SafariDriver({"list_tabs": lambda _: []}, stays=True)
        async with staged(driver) as (host, stack):
            assert (await call(stack, "tabs")).code == "operation_timeout"
            driver.answers.clear()
            assert (await call(stack, "tabs")).outcome == "done"
            assert anyio.current_time() == pytest.approx(22, abs=0.1)
            assert host.processes[0].signals == [15]

    play(main)


def test_cancelling_what_waits_sends_nothing_and_keeps_the_epoch() -> None:
    async def main() -> None:
        driver = SafariDriver({"list_tabs": lambda _: [1.0, texts('[{"handle": "page-1"}]')]})
        async with staged(driver) as (_, stack):
            target = await first_tab(stack)
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(call, stack, "tabs")
                await anyio.sleep(0.5)
                with anyio.move_on_after(0.1) as scope:
                    reply = await stack.call("read", target, ScriptedCaller())
                assert (reply.outcome, reply.code) == ("refused", "cancelled")
                assert scope.cancel_called
            assert driver.names == ["list_tabs", "list_tabs"]
            assert (await stack.status())["epoch"] == target["epoch"]

    play(main)


def test_cancelling_a_request_under_way_retires_the_epoch() -> None:
    async def main() -> None:
        driver = SafariDriver()
        driver.add()
        async with staged(driver) as (_, stack):
            target = await first_tab(stack)
            driver.answers["page_info"] = lambda _: []
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(call, stack, "tabs")
                reply: list[Any] = []

                async def read() -> None:
                    reply.append(await call(stack, "read", **target))

                tasks.start_soon(read)
                await anyio.sleep(1)
                await stack.tell("cancel", None)
            assert [each.code for each in reply] == ["cancelled"]
            assert (await stack.status())["epoch"] is None
            assert SHOP

    play(main)
