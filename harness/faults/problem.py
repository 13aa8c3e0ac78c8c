"""What can be wrong with a fault plan. Separate because plan, registry and arguments all raise it."""
from __future__ import annotations

from harness.problem import UsageProblem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


class PlanProblem(UsageProblem):
    """A plan names a fault, place or argument that does not exist or does not fit. Nothing was run."""


def nearest(name: str, known: Sequence[str], nearness: float = 0.6) -> str:
    """` (did you mean x?)`, or nothing where no known name is that near (1 is equal)."""
    from difflib import get_close_matches  # slow to import, and only a wrong plan pays for it

    found = get_close_matches(name, known, 1, nearness)
    return f" (did you mean {found[0]}?)" if found else ""
