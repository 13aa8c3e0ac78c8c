"""The process ends with an exit code directly after the frame, or at a moment. A reply and then a failure: the reply
counts. Chrome delivers such a message and then reports the exit, without its code (trailcam facts: Chrome, measured
on 156)."""
from __future__ import annotations

from harness.faults.argument import Argument
from harness.faults.steps import Exit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.faults.registry import Chance
    from harness.faults.steps import Step
    from harness.wire.jsontext import Json

NAME, LAYER, WAYS = "exit_code", "process", {"<<", "moment"}
HIDES_OUTCOME = True
HIDES_KINDS = {"request", "notice", "raw"}
RECOVERABLE = True
ARGS = {
    "code": Argument("int", 3, "", "exit code", low=0, high=255),
}


def apply(steps: list[Step], args: Mapping[str, Json], rng: Chance) -> list[Step]:
    assert isinstance(args["code"], int)
    return [*steps, Exit(args["code"])]
