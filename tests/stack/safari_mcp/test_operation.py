"""What is known of an effect at every point of an operation."""

from __future__ import annotations

from typing import Any

import anyio
import pytest

from stack.contract import Proposal
from stack.errors import CallError, StackError
from stack.safari_mcp.operation import Operation, created_handle
from stack.safari_mcp.tabs import Target
from tests.stack.scripted_host import ScriptedCaller
from tests.stack.scripted_safaridriver import (
    Exit,
    Leave,
    SafariDriver,
    ScriptedGate,
    call,
    error,
    first_tab,
    seen_tab,
    staged,
    texts,
)
from tests.stack.staging import play

CLICK: dict[str, Any] = {
    "expectedUrl": "http://shop.test/",
    "action": {"type": "click", "purpose": "p", "node": "3"},
}
COUNTS = '{"requested": 1, "successful": 1}'


def click(steps: list[Any], gate: ScriptedGate | None = None) -> tuple[Any, SafariDriver]:
    """The reply to one click whose interaction is answered so."""

    async def main() -> tuple[Any, SafariDriver]:
        driver = SafariDriver({"page_interactions": steps})
        driver.add()
        async with staged(driver, gate=gate) as (_, stack):
            return await call(stack, "interact", **await seen_tab(stack), **CLICK), driver

    return play(main)


@pytest.mark.parametrize(("steps", "outcome", "code"), [
    ([texts(COUNTS)], "done", None),
    ([texts("Tool error: no", failed=True)], "refused", "driver_failed"),
    ([error(-32602, "no")], "refused", "driver_failed"),
    ([texts('{"requested": 1, "successful": 0, "failureReason": "gone"}')], "refused", "interaction_failed"),
    ([texts('{"requested": 1, "successful": 0}')], "refused", "interaction_failed"),
    ([texts('{"requested": 1}')], "unknown", "interaction_unclear"),
    ([texts('{"requested": 1, "successful": true}')], "unknown", "interaction_unclear"),
    ([texts('{"requested": 2, "successful": 1}')], "unknown", "interaction_unclear"),
    ([texts('{"requested": 1, "successful": 2}')], "unknown", "interaction_unclear"),
    ([texts("[]")], "unknown", "interaction_unclear"),
    ([texts("clicked")], "unknown", "interaction_unclear"),
    ([texts()], "unknown", "interaction_unclear"),
    ([{"jsonrpc": "2.0", "id": "$id", "result": {}}], "unknown", "driver_malformed"),
    ([Exit(1)], "unknown", "driver_closed"),
    ([], "unknown", "operation_timeout"),
])  # fmt: skip
def test_the_outcome_of_one_interaction(steps: list[Any], outcome: str, code: str | None) -> None:
    reply, driver = click(steps)
    assert (reply.outcome, reply.code) == (outcome, code)
    assert driver.names.count("page_interactions") == 1


@pytest.mark.parametrize(("ends_at", "sent"), [(1, False), (2, False), (3, False), (0, True)])
def test_leave_is_looked_at_again_until_the_first_byte(ends_at: int, sent: bool) -> None:
    gate = ScriptedGate(Leave(ends_at=ends_at))
    reply, driver = click([texts(COUNTS)], gate)
    assert reply.outcome == ("done" if sent else "refused")
    assert ("page_interactions" in driver.names) is sent
    assert gate.leave.checks == (ends_at or 3)


def test_the_handle_of_a_new_tab() -> None:
    assert created_handle(('{"handle": "page-1"}',)) == "page-1"
    for text in ("", "page-1", "[]", "{}"):
        assert created_handle((text,)) is None


async def mutation(operation: Operation) -> None:
    """A program of somebody's that acts, and what its answer says is left to whoever reads it."""
    assert await operation.run_once("return 1") == "1"
    assert operation.outcome == "unknown"
    operation.outcome = "done"


async def looks(operation: Operation) -> None:
    assert await operation.look("return 2") == "2"
    assert operation.outcome == "refused"


async def forgets(operation: Operation) -> None:
    await operation.run_once("return 1")
    raise CallError("page_moved", "an error that says nothing of the effect")


def operated(work: Any, answer: Any, gate: ScriptedGate | None = None, asks: bool = False) -> tuple[Any, SafariDriver]:
    """What came of an operation of code in this process, whose scripts are answered so."""

    async def main() -> tuple[Any, SafariDriver]:
        driver = SafariDriver({"evaluate_javascript": answer})
        driver.add()
        async with staged(driver, gate=gate) as (_, stack):
            row = await first_tab(stack)
            proposal = Proposal("click", "run", {}), ScriptedCaller()
            try:
                await stack.operate("op", Target(row["targetId"], row["epoch"]), work, proposal if asks else None)
            except StackError as raised:
                return (raised.code, raised.outcome), driver
            finally:
                assert vars(stack)["_calls"] == set(), "an operation that is over is kept, as long as the session lasts"
            return None, driver

    return play(main)


@pytest.mark.parametrize(
    ("work", "answer", "expected"),
    [
        (mutation, [texts("1")], None),
        (looks, [texts("2")], None),
        (looks, [texts("Tool error: x", failed=True)], ("driver_failed", "refused")),
        (mutation, [texts("Tool error: x", failed=True)], ("interaction_unclear", "unknown")),
        (mutation, [Exit(1)], ("interaction_unclear", "unknown")),
        (mutation, [], ("interaction_unclear", "unknown")),
        (mutation, [{"jsonrpc": "2.0", "id": "$id", "result": {}}], ("driver_malformed", "unknown")),
        (forgets, [texts("1")], ("interaction_unclear", "unknown")),
        (looks, [], ("operation_timeout", "refused")),
    ],
)
def test_whatever_is_said_of_a_program_that_acts_its_effect_is_unknown_until_it_is_read(
    work: Any, answer: Any, expected: Any
) -> None:
    assert operated(work, answer)[0] == expected


@pytest.mark.parametrize(("ends_at", "sent"), [(1, 0), (2, 0), (0, 1)])
def test_an_operation_with_leave_looks_at_it_before_the_first_byte(ends_at: int, sent: int) -> None:
    gate = ScriptedGate(leave=Leave(ends_at=ends_at))
    found, driver = operated(mutation, [texts("1")], gate, asks=True)
    assert found == (("operation_dropped", "refused") if ends_at else None)
    assert driver.names.count("evaluate_javascript") == sent
    assert [each.scope for each in gate.asked] == ["click"]


def test_an_operation_that_nobody_allows_never_gets_its_turn() -> None:
    found, driver = operated(mutation, [texts("1")], ScriptedGate(refuses=True), asks=True)
    assert (found, driver.names) == (("consent_missing", "refused"), ["list_tabs"])


@pytest.mark.parametrize(("target", "code"), [(Target("page-1", "another"), "stale_target"), (None, "stack_closed")])
def test_an_operation_on_what_is_over_is_refused(target: Target | None, code: str) -> None:
    async def main() -> None:
        driver = SafariDriver()
        driver.add()
        async with staged(driver) as (_, stack):
            row = await first_tab(stack)
            assert stack.epoch == row["epoch"]
            if target is None:
                await stack.close()
            with pytest.raises(StackError) as caught:
                await stack.operate("op", target or Target(row["targetId"], row["epoch"]), looks)
            assert (caught.value.code, caught.value.outcome) == (code, "refused")

    play(main)


@pytest.mark.parametrize(("work", "outcome"), [(looks, "refused"), (mutation, "unknown")])
@pytest.mark.parametrize("told", [True, False])
def test_an_operation_is_taken_back_like_a_call(work: Any, outcome: str, told: bool) -> None:
    async def main() -> None:
        driver = SafariDriver({"evaluate_javascript": [9.0, texts("1")]})
        driver.add()
        async with staged(driver) as (_, stack):
            row = await first_tab(stack)
            found: list[StackError] = []

            async def operate() -> None:
                with anyio.CancelScope() as scope:
                    scopes.append(scope)
                    try:
                        await stack.operate("op", Target(row["targetId"], row["epoch"]), work)
                    except StackError as error:
                        found.append(error)

            scopes: list[anyio.CancelScope] = []
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(operate)
                await anyio.sleep(1)
                if told:
                    await stack.tell("cancel", None)
                else:
                    scopes[0].cancel()
            assert [error.outcome for error in found] == [outcome]
            assert "cancelled" in str(found[0])

    play(main)
