"""The frame never arrives. A server under load that drops answers: of 3,000 pipelined requests to codex app-server
621 to 2,470 were never answered (trailcam facts: codex app-server, measured on 0.144.2 and 0.171.0)."""
from __future__ import annotations

from harness.faults.steps import FRAMES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.faults.argument import Argument
    from harness.faults.registry import Chance
    from harness.faults.steps import Step
    from harness.wire.jsontext import Json

NAME, LAYER, WAYS = "drop", "message", {">>", "<<"}
HIDES_OUTCOME = True
HIDES_KINDS = {"request", "reply", "raw"}
RECOVERABLE = True
ARGS: dict[str, Argument] = {}


def apply(steps: list[Step], args: Mapping[str, Json], rng: Chance) -> list[Step]:
    return [step for step in steps if not isinstance(step, FRAMES)]
