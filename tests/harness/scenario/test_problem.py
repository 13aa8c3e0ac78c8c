"""A scenario's problem is the caller's: exit code 2."""

from __future__ import annotations

from harness.scenario.problem import ScenarioProblem


def test_it_is_a_usage_problem_with_its_place() -> None:
    problem = ScenarioProblem("x", "y", "do z", file="a.yaml", line=3)
    assert problem.exit_code == 2
    assert str(problem) == "a.yaml:3: saw x; expected y; do z"
