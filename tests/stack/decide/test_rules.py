"""The table of what a decision leads to: each input has one row, and each row is what the claims say."""

from __future__ import annotations

import itertools

import pytest

from stack.decide.answer import Decision
from stack.decide.rules import RULES, Choice, Known, Question, Then, known
from stack.decide.settings import PAUSES_MS, Options
from tests.stack.decide.deciding import ACTIONS

INPUTS = [Known(*row) for row in itertools.product(Choice, (True, False), (True, False), (True, False))]
POSSIBLE = [row for row in INPUTS if row.choice is Choice.DONE or not row.disputed]


def test_each_input_that_there_can_be_has_a_row_and_no_other_has() -> None:
    assert set(RULES) == set(POSSIBLE)


def test_no_row_looks_more_often_than_there_are_pauses() -> None:
    assert max(row.looks for row in RULES.values()) == len(PAUSES_MS)


@pytest.mark.claim("JXA-RUN-03", tooth="a row that acts though it is not sure")
def test_only_a_sure_action_is_done() -> None:
    acts = {row for row, rule in RULES.items() if rule.then is Then.ACT}
    assert acts == {row for row in POSSIBLE if row.choice is Choice.ACTION and row.sure}


@pytest.mark.claim("JXA-RUN-04", tooth="a row that believes BLOCKED of a leg that has not acted")
def test_blocked_of_a_leg_that_has_not_acted_gets_three_looks() -> None:
    for sure in (True, False):
        assert RULES[Known(Choice.BLOCKED, sure, False, False)].looks == 3
    assert RULES[Known(Choice.BLOCKED, True, True, False)].looks == 0
    assert RULES[Known(Choice.BLOCKED, False, True, False)].looks == 2


@pytest.mark.claim("JXA-RUN-05", tooth="a row that ends a leg which acted because of a dispute")
def test_a_dispute_ends_only_a_leg_that_has_done_nothing() -> None:
    for sure in (True, False):
        assert RULES[Known(Choice.DONE, sure, False, True)].then is Then.ASK
        assert RULES[Known(Choice.DONE, sure, True, True)].then in (Then.DOUBT, Then.PASS_IN_DOUBT)
    assert {rule.question for row, rule in RULES.items() if row.disputed} == {Question.DISPUTE}


def decided(operation: str, sure: float, *, action: bool = False, visible: float | None = None) -> Decision:
    return Decision(operation, ACTIONS[4] if action else None, sure, None, visible)


@pytest.mark.parametrize(
    ("given", "floor", "expected"),
    [
        (decided("CLICK", 0.5, action=True), 0.5, Known(Choice.ACTION, True, False, False)),
        (decided("CLICK", 0.4999, action=True), 0.5, Known(Choice.ACTION, False, False, False)),
        (decided("CLICK", 1.0), 0.0, Known(Choice.ACTION, False, False, False)),
        (decided("BLOCKED", 0.6), 0.1, Known(Choice.BLOCKED, True, False, False)),
        (decided("BLOCKED", 0.599), 0.1, Known(Choice.BLOCKED, False, False, False)),
        (decided("BLOCKED", 0.69), 0.7, Known(Choice.BLOCKED, False, False, False)),
        (decided("DONE", 0.5, visible=0.25), 0.5, Known(Choice.DONE, True, False, True)),
        (decided("DONE", 0.4, visible=0.2501), 0.5, Known(Choice.DONE, False, False, False)),
    ],
)
def test_what_is_known_of_a_decision(given: Decision, floor: float, expected: Known) -> None:
    assert known(given, Options(("g",), floor=floor), acted=False) == expected
