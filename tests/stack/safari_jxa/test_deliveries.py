"""Deliveries with random faults at every phase: no law is broken, and every answer agrees with the world. Ten thousand
of them: `python -m tests.bench.bench_deliveries`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from harness.properties.draft import CASE
from harness.scenario.compile import Choice, compile_sheet
from harness.scenario.runner import run
from stack.safari_jxa import delivery as deliveries_of_the_stack
from stack.safari_jxa.delivery import Outcome
from tests.stack.safari_jxa import deliveries
from tests.stack.safari_jxa.deliveries import (
    ACTIONS,
    AN_EVENT,
    CHANGES,
    CLOSES,
    LOSSES,
    PHASES,
    TABS,
    WINDOWS,
    Delivery,
    Struck,
    counted,
    draft,
    drawn,
    held_back_ms,
    plan_of,
    seen,
)

DELIVERIES = 150


@pytest.mark.claim("JXA-DLV-01", "JXA-DLV-02", "JXA-DLV-03", tooth="a phase that is read wrong: see below")
@settings(max_examples=DELIVERIES, deadline=None, database=None, derandomize=True,
          suppress_health_check=list(HealthCheck))  # fmt: skip
@given(st.data())
def test_no_fault_breaks_a_law_or_the_agreement_with_the_world(data: st.DataObject) -> None:
    def choose(options: Sequence[Any]) -> Any:
        return data.draw(st.sampled_from(list(options)))

    delivery = drawn(choose)
    found = seen(delivery)
    assert not found.wrong, (delivery, found)


@pytest.mark.parametrize("held", TABS)
@pytest.mark.parametrize("action", ACTIONS)
def test_without_faults_an_action_is_done_once_or_held_by_its_own_dialog(held: str, action: str) -> None:
    found = seen(Delivery(held, action, ()))
    assert found.wrong == ()
    assert (found.outcome, found.effects) == ("unknown" if "dialog" in action else "done", 1)


LOST = Delivery("lent", "click", (Struck("on the way back", "drop", {}),))
GIVEN_UP = Struck("before the event", "apple_event_error", {"number": -1712, "runs": "never"})
NEVER = Delivery("lent", "click", (GIVEN_UP,))


@pytest.mark.parametrize(
    ("phase", "read", "delivery", "answer"),
    [
        ("finished", Outcome.NEVER_RAN, LOST, ("refused", "never_ran", 1)),
        ("void", Outcome.LANDED, NEVER, ("done", "", 0)),
    ],
)
def test_an_answer_that_does_not_agree_is_seen(
    monkeypatch: pytest.MonkeyPatch, phase: str, read: Outcome, delivery: Delivery, answer: tuple[str, str, int]
) -> None:
    assert seen(delivery).wrong == ()
    wrong = {**deliveries_of_the_stack.PHASES, phase: read}
    monkeypatch.setattr(deliveries_of_the_stack, "PHASES", wrong)
    found = seen(delivery)
    assert (found.outcome, found.code, found.effects) == answer
    assert any("law 3" in why for why in found.wrong)
    assert any("the answer is" in why for why in found.wrong)


@pytest.mark.parametrize("phase", PHASES)
def test_every_phase_is_a_place_of_a_run(phase: str) -> None:
    """Where a reply is lost, the faults of the look-up fire as well."""
    struck = Struck(phase, "delay", {"ms": 5})
    looked_up = (LOST.faults[0],) if phase not in LOSSES else ()
    found = seen(Delivery("owned", "click", (*looked_up, struck)))
    assert phase in found.fired
    assert found.wrong == ()


@pytest.mark.parametrize("number", range(len(CHANGES)))
@pytest.mark.parametrize("held", TABS)
def test_every_change_is_one_of_the_world(number: int, held: str) -> None:
    change = CHANGES[number](TABS[held], WINDOWS[held])
    delivery = Delivery(held, "click", (Struck("before the event", "world", change),))
    records = run(compile_sheet(draft(held, "click").scenario(plan_of(delivery)), Choice(case=CASE)))
    assert any(line["e"] == "changed" and line["by"] == "fault:f1" for line in records.world)


def test_what_is_drawn_is_held_back_told_apart_and_counted() -> None:
    slow = Struck("before the event", "delay", {"ms": 12_000})
    found = replace(LOST, faults=(slow, slow, *LOST.faults))
    assert held_back_ms(found) == 24_000
    first = drawn(lambda options: options[0])
    assert (first.held, first.action, len(first.faults)) == ("lent", "fill", 1)
    last = drawn(lambda options: options[-1])
    assert [each.fault for each in last.faults].count("world") <= 1
    closing = drawn(lambda options: CLOSES if CLOSES in options else options[-1])
    assert all(each.fault != "world" for each in closing.faults)
    answers, phases = counted([seen(LOST)])
    assert dict(answers) == {"done": 1}
    assert dict(phases) == {"on the way back": 1}
    assert {name for name, _ in AN_EVENT} >= {"crash", "apple_event_error", "delay"}


def test_a_repeated_request_is_not_drawn_beside_an_error_that_denies_it() -> None:
    both = {"apple_event_error", "duplicate"}
    found = [{each.fault for each in drawn(Random(number).choice).faults} for number in range(600)]
    assert all(len(names & both) < 2 for names in found)
    assert all(any(name in names and len(names) > 1 for names in found) for name in both)


@pytest.mark.claim("JXA-BRG-06", tooth="a bound of one event less")
@pytest.mark.parametrize(("name", "says"), [("MUTATION_EVENTS", "the action: 3"), ("READ_EVENTS", "observe: 2")])
def test_what_costs_more_apple_events_than_it_may_is_seen(
    monkeypatch: pytest.MonkeyPatch, name: str, says: str
) -> None:
    assert seen(LOST).wrong == ()
    monkeypatch.setattr(deliveries, name, {"MUTATION_EVENTS": 2, "READ_EVENTS": 1}[name])
    assert any(why.startswith(says) for why in seen(LOST).wrong)
