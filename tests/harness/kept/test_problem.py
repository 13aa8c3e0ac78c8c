"""A run that can't be judged is exit code 3: neither a pass nor a usage error."""
from __future__ import annotations

from harness.kept.problem import KeptProblem


def test_it_could_not_run() -> None:
    assert KeptProblem("a", "b", "c").exit_code == 3
