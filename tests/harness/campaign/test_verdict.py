"""The words for what came of a guard."""
from __future__ import annotations

import pytest

from harness.campaign.equivalent import Reason
from harness.campaign.executor import Lost
from harness.campaign.guards import Guard
from harness.campaign.scripts.browser import Kept
from harness.campaign.trial import Tried
from harness.campaign.verdict import STATES, Verdict, by_its_reason, counts, lost, of_a_browser

GUARD = Guard("guard:a.py#f:raise:1", "raise", "a.py", (1, 1), "raise ValueError")
TRIED = Tried(False, made=2, reach=3)
REASON = Reason(GUARD.id, ("guard:b.py#g:raise:1",), "The other one does it.", 1)


@pytest.mark.parametrize(("both", "one_sided", "state", "shown", "words"), [
    (Tried(True, "law 1", "s: base"), False, "equivalent", True, "Without both: law 1 (s: base)"),
    (Tried(True, "law 1", "s: base"), True, "equivalent", True, "Without both: law 1 (s: base)"),
    (Tried(False), True, "equivalent", False, "no more is noticed than without guard:b.py#g:raise:1 alone"),
    (Tried(False), False, "survived", True, "its reason is wrong"),
])  # fmt: skip
def test_a_reason_counts_where_the_removal_of_both_is_noticed(
    both: Tried, one_sided: bool, state: str, shown: bool, words: str
) -> None:
    verdict = by_its_reason(GUARD, TRIED, REASON, both, one_sided)
    assert (verdict.state, verdict.shown) == (state, shown)
    assert words in verdict.why


@pytest.mark.parametrize(("answer", "state"), [
    (Lost("RuntimeError: of the harness", defect=True), "untried"),
    (Lost("hangs"), "survived"),
])  # fmt: skip
def test_where_nobody_knows_what_the_others_do_alone_no_reason_counts(answer: Lost, state: str) -> None:
    verdict = lost(GUARD, TRIED, REASON, answer)
    assert verdict.state == state
    assert verdict.why == f"The other one does it. Without guard:b.py#g:raise:1 alone the run {answer.why}."


def test_what_no_browser_has_tried_is_untried_and_says_how() -> None:
    verdict = of_a_browser(GUARD, {})
    assert verdict.state == "untried"
    assert "make guards-browser" in verdict.why


@pytest.mark.parametrize("state", ["killed", "survived"])
def test_what_a_browser_has_tried_is_what_it_found(state: str) -> None:
    verdict = of_a_browser(GUARD, {GUARD.id: Kept(GUARD.id, state, "a page knew", "tests/x.py", 1, 4)})
    assert (verdict.state, verdict.tried.killed, verdict.tried.reach) == (state, state == "killed", 4)
    assert verdict.tried.again == "python -m pytest 'tests/x.py'"
    assert verdict.why == ("" if state == "killed" else "a page knew")


def test_counts_name_every_state() -> None:
    verdicts = [Verdict(GUARD, "killed", TRIED), Verdict(GUARD, "survived", TRIED), Verdict(GUARD, "killed", TRIED)]
    assert counts(verdicts) == {**dict.fromkeys(STATES, 0), "killed": 2, "survived": 1}
