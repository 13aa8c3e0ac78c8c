"""The table of the conversation: every state with every event has one answer."""

from __future__ import annotations

import pytest

from fakes.fronts.codex_states import CARRIED_OUT, EVENTS, LEGAL, STATES, after

HAPPY = ("initialize", "initialized", "thread/start", "mcpServerStatus/list", "mcpServer/tool/call", "eof")


def test_the_happy_path_is_legal() -> None:
    state, seen = STATES[0], []
    for event in HAPPY:
        state, why = after(state, event)
        seen.append((state, why))
    assert [why for _, why in seen] == [None] * len(HAPPY)
    assert [state for state, _ in seen] == ["initialized", "ready", "threaded", "armed", "calling", "closing"]


@pytest.mark.parametrize("event", EVENTS)
@pytest.mark.parametrize("state", STATES)
def test_every_pair_is_a_row_or_a_violation(state: str, event: str) -> None:
    later, why = after(state, event)
    if (state, event) in LEGAL:
        assert (later, why) == (LEGAL[state, event], None)
    else:
        assert why == f"{event} in state {state}"
        assert later in (state, CARRIED_OUT.get(event))
        assert STATES.index(later) >= STATES.index(state), "nobody goes back"


def test_the_table_has_no_other_words() -> None:
    assert {state for state, _ in LEGAL} | set(LEGAL.values()) == set(STATES)
    assert {event for _, event in LEGAL} <= set(EVENTS)


def test_methods_outside_the_table_are_other_requests() -> None:
    assert after("armed", "turn/start") == ("armed", "other request in state armed")


def test_before_each_call_the_inventory_may_be_asked_again() -> None:
    assert after("armed", "mcpServerStatus/list") == ("armed", None)
    assert after("calling", "mcpServer/tool/call")[1] is not None, "a second call in flight"
