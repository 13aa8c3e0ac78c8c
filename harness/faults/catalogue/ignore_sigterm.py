"""From here on the process does not end on SIGTERM, nor does its stdin's end help. Who stops there leaves it behind;
SIGKILL must follow after a stated time."""
from __future__ import annotations

from harness.faults.steps import Ignore

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.faults.argument import Argument
    from harness.faults.registry import Chance
    from harness.faults.steps import Step
    from harness.wire.jsontext import Json

NAME, LAYER, WAYS = "ignore_sigterm", "process", {">>", "<<", "moment"}
HIDES_OUTCOME = False
RECOVERABLE = True
ARGS: dict[str, Argument] = {}


def apply(steps: list[Step], args: Mapping[str, Json], rng: Chance) -> list[Step]:
    return [Ignore(0), Ignore(15), *steps]
