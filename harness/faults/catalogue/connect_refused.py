"""A connection to the program is refused: nothing listens there. A service that is down or restarts; a client gets
ECONNREFUSED at once, and may say for certain that nothing was sent."""
from __future__ import annotations

from harness.faults.steps import Exit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.faults.argument import Argument
    from harness.faults.registry import Chance
    from harness.faults.steps import Step
    from harness.wire.jsontext import Json

NAME, LAYER, WAYS = "connect_refused", "process", {"moment"}
MOMENTS = {"connecting"}
HIDES_OUTCOME = False
RECOVERABLE = True
ARGS: dict[str, Argument] = {}


def apply(steps: list[Step], args: Mapping[str, Json], rng: Chance) -> list[Step]:
    return [*steps, Exit(1)]
