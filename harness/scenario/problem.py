"""What can be wrong with a scenario file. Separate, because reading, schema and compiling all raise it."""
from __future__ import annotations

from harness.problem import UsageProblem


class ScenarioProblem(UsageProblem):
    """A scenario can't be read, says something that it may not, or asks for what this run can't have. Exit code 2:
    nothing was run."""
