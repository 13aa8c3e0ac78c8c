"""A problem of a tape names its place and its way out, and is no pass."""
from __future__ import annotations

import pytest

from harness.tape.problem import NewerTape, OlderTape, TapeProblem, TornTape


@pytest.mark.parametrize("kind", [TapeProblem, NewerTape, OlderTape, TornTape])
def test_message_and_exit_code(kind: type[TapeProblem]) -> None:
    problem = kind("a hole", "none", "fill it", file="a.jsonl", line=3)
    assert str(problem) == "a.jsonl:3: saw a hole; expected none; fill it"
    assert problem.exit_code == 3
    assert problem.as_json()["error"] == kind.__name__
