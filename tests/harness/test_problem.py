"""Errors say where, what was seen, what was expected and what to do, in words and as JSON."""
from __future__ import annotations

import pytest

from harness.problem import Problem, UsageProblem


@pytest.mark.claim("HAR-CLI-01")
@pytest.mark.parametrize(
    ("place", "text"),
    [
        ({}, "saw 3; expected 4; count again"),
        ({"file": "a.yaml"}, "a.yaml: saw 3; expected 4; count again"),
        ({"file": "a.yaml", "line": 7}, "a.yaml:7: saw 3; expected 4; count again"),
    ],
)
def test_the_message_has_all_its_parts(place: dict[str, str | int], text: str) -> None:
    problem = Problem("3", "4", "count again", **place)  # type: ignore[arg-type]
    assert str(problem) == text
    assert problem.as_json() == {
        "error": "Problem", "file": place.get("file"), "line": place.get("line"),
        "seen": "3", "expected": "4", "advice": "count again",
    }


def test_the_class_says_whose_fault_it_is() -> None:
    assert Problem("", "", "").exit_code == 3
    assert UsageProblem("", "", "").exit_code == 2
