"""The nearest name, for those who slipped."""
from __future__ import annotations

import pytest

from harness.faults.problem import PlanProblem, nearest


@pytest.mark.parametrize(
    ("name", "nearness", "hint"),
    [
        ("dorp", 0.6, " (did you mean drop?)"),
        ("zzz", 0.6, ""),
        ("drop", 1.0, " (did you mean drop?)"),
        ("drops", 1.0, ""),
    ],
)
def test_only_what_is_near(name: str, nearness: float, hint: str) -> None:
    assert nearest(name, ("drop", "delay"), nearness) == hint


def test_the_caller_is_at_fault() -> None:
    assert PlanProblem("a", "b", "c").exit_code == 2
