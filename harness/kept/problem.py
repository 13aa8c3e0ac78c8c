"""What can be wrong with a kept run. Separate, because sheet, lines, origins and folder all raise it."""
from __future__ import annotations

from harness.problem import Problem


class KeptProblem(Problem):
    """A kept run can't be read, or its parts do not belong together: it can't be judged. Exit code 3."""
