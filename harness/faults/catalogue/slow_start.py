"""The program takes long to come up. Through a version manager's shim an interpreter needs 104 ms instead of 8
(trailcam facts: peers); codex app-server answers its first request after 0.2 s. Whoever takes the start for the
readiness acts before the other side listens."""
from __future__ import annotations

from harness.faults.argument import Argument
from harness.faults.steps import Wait

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.faults.registry import Chance
    from harness.faults.steps import Step
    from harness.wire.jsontext import Json

NAME, LAYER, WAYS = "slow_start", "process", {"moment"}
MOMENTS = {"started"}
HIDES_OUTCOME = False
RECOVERABLE = True
ARGS = {
    "ms": Argument("number", 5000, "ms", "how long", low=0),
}


def apply(steps: list[Step], args: Mapping[str, Json], rng: Chance) -> list[Step]:
    assert isinstance(args["ms"], int | float)
    return [Wait(args["ms"]), *steps]
