"""What is known of an effect at every point of an operation."""

from __future__ import annotations

from typing import Any

import pytest

from stack.safari_mcp.operation import created_handle
from tests.stack.scripted_safaridriver import (
    Exit,
    Leave,
    SafariDriver,
    ScriptedGate,
    call,
    error,
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
