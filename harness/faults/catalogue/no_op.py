"""Changes nothing. It proves that the machinery around a fault leaves every byte as it is, and is what a new fault
starts from."""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.faults.argument import Argument
    from harness.faults.registry import Chance
    from harness.faults.steps import Step
    from harness.wire.jsontext import Json

NAME, LAYER, WAYS = "no_op", "message", {">>", "<<", "moment"}
HIDES_OUTCOME = False
RECOVERABLE = True
ARGS: dict[str, Argument] = {}


def apply(steps: list[Step], args: Mapping[str, Json], rng: Chance) -> list[Step]:
    return steps
