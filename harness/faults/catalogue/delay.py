"""The frame comes late, or the program takes longer at a moment. A tool that runs into the caller's deadline: the
app-server's own timer and the client's race each other (trailcam facts: codex app-server)."""
from __future__ import annotations

from harness.faults.argument import Argument
from harness.faults.steps import Wait

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.faults.registry import Chance
    from harness.faults.steps import Step
    from harness.wire.jsontext import Json

NAME, LAYER, WAYS = "delay", "message", {">>", "<<", "moment"}
HIDES_OUTCOME = True
HIDES_KINDS = {"request", "reply", "raw"}
HIDES_AFTER = "ms"
RECOVERABLE = True
ARGS = {
    "ms": Argument("number", 30_000, "ms", "how much later", low=0),
}


def apply(steps: list[Step], args: Mapping[str, Json], rng: Chance) -> list[Step]:
    assert isinstance(args["ms"], int | float)
    return [Wait(args["ms"]), *steps]
