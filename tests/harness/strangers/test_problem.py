"""Whose fault it is: an adapter's is one of usage, a stranger's is for the laws."""

from __future__ import annotations

from harness.problem import Problem, UsageProblem
from harness.strangers.problem import AdapterProblem, AskFailed, StrangerError


def test_what_is_wrong_with_an_adapter_is_usage() -> None:
    problem = AdapterProblem("this", "that", "correct it", file="a.yaml", line=3)
    assert isinstance(problem, UsageProblem)
    assert (problem.exit_code, problem.line) == (2, 3)


def test_what_a_stranger_does_is_no_problem_of_the_harness() -> None:
    assert not issubclass(StrangerError, Problem)
    assert not issubclass(AskFailed, Problem)
