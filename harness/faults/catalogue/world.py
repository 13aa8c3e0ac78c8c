"""The world changes by itself, before the frame or at a moment: a tab is closed or navigated, a window gains a tab,
a permission is revoked, the screen is locked. The arguments are the world's own (the fields of its `change`); it
refuses what it does not know."""
from __future__ import annotations

from harness.faults.steps import Change

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.faults.registry import Chance
    from harness.faults.steps import Step
    from harness.wire.jsontext import Json

NAME, LAYER, WAYS = "world", "world", {">>", "<<", "moment"}
HIDES_OUTCOME = False
RECOVERABLE = False
ARGS = None


def apply(steps: list[Step], args: Mapping[str, Json], rng: Chance) -> list[Step]:
    return [Change(dict(args)), *steps]
