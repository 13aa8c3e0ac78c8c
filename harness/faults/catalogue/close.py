"""The program closes its stdout, and the frame never comes. codex says `Transport closed` for the rest of the
session when a server does so (trailcam facts)."""
from __future__ import annotations

from harness.faults.steps import FRAMES, Close

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.faults.argument import Argument
    from harness.faults.registry import Chance
    from harness.faults.steps import Step
    from harness.wire.jsontext import Json

NAME, LAYER, WAYS = "close", "stream", {">>", "<<", "moment"}
HIDES_OUTCOME = True
RECOVERABLE = True
ARGS: dict[str, Argument] = {}


def apply(steps: list[Step], args: Mapping[str, Json], rng: Chance) -> list[Step]:
    wire = next((step.wire for step in steps if isinstance(step, FRAMES)), "stdio")
    return [Close(wire), *steps]
