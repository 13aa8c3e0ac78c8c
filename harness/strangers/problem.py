"""What is wrong with an adapter, with its place; and what a stranger's stack did to its client."""
from __future__ import annotations

from harness.problem import UsageProblem


class AdapterProblem(UsageProblem):
    """An adapter that says something else than it may. Exit code 2."""


class StrangerError(Exception):
    """The stranger did not answer: it ended, did not speak MCP, or took too long. For the laws such a call was never
    answered."""


class AskFailed(Exception):
    """A stranger is never told of the scenario's caller, so nothing is asked of it."""
