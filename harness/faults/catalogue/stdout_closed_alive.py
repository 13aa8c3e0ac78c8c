"""The program closes its stdout and lives on, whatever its stdin does. To Chrome such a host has exited although it
has not, and is killed two seconds later (trailcam facts: Chrome, measured on 156); a client that waits for the
process waits for ever."""
from __future__ import annotations

from harness.faults.steps import FRAMES, Close, Ignore

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.faults.argument import Argument
    from harness.faults.registry import Chance
    from harness.faults.steps import Step
    from harness.wire.jsontext import Json

NAME, LAYER, WAYS = "stdout_closed_alive", "stream", {">>", "<<", "moment"}
HIDES_OUTCOME = True
RECOVERABLE = True
ARGS: dict[str, Argument] = {}


def apply(steps: list[Step], args: Mapping[str, Json], rng: Chance) -> list[Step]:
    wire = next((step.wire for step in steps if isinstance(step, FRAMES)), "stdio")
    return [Close(wire), Ignore(0), *steps]
