"""Phases to outcomes, as a table over all of them."""

from __future__ import annotations

from stack.safari_jxa.delivery import ATTEMPTS, LOST, PHASES, Outcome
from stack.safari_jxa.page import STATUSES


def test_each_phase_has_one_outcome_and_only_an_end_is_one() -> None:
    assert {phase: outcome for phase, outcome in PHASES.items() if outcome is not Outcome.UNKNOWN} == {
        "finished": Outcome.LANDED,
        "refused": Outcome.REFUSED,
        "void": Outcome.NEVER_RAN,
    }
    assert set(PHASES) == {"armed", "refused", "started", "finished", "void"}


def test_each_status_of_a_reply_says_whether_the_outcome_is_known() -> None:
    assert set(LOST) == STATUSES
    assert {status for status, lost in LOST.items() if not lost} == {"finished", "refused", "document"}


def test_a_mutation_and_its_look_up_are_four_events() -> None:
    assert 2 + ATTEMPTS == 4
