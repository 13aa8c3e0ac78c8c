"""The world changes by itself."""
from __future__ import annotations

import pytest

from harness.faults.problem import PlanProblem
from harness.faults.registry import FAULTS
from harness.faults.steps import Change, Raw
from tests.harness.faults.catalogue.struck import REPLY, REQUEST, at_moment, back, strike, toward


@pytest.mark.claim("HAR-FLT-01")
def test_it_changes_before_the_frame_in_the_name_of_the_fault() -> None:
    assert back("world", REPLY, locked=True) == [Change({"locked": True}, "fault:f1"), Raw(REPLY)]
    assert toward("world", REQUEST, tab="gone")[0] == Change({"tab": "gone"}, "fault:f1")
    assert at_moment("world", a=1, b=[2]) == [Change({"a": 1, "b": [2]}, "fault:f1")]


def test_nothing_is_no_change() -> None:
    with pytest.raises(PlanProblem, match="at least one argument of world"):
        strike("world", [], {})


def test_the_next_attempt_need_not_succeed() -> None:
    assert not FAULTS["world"].recoverable
