"""The process is killed by a signal before the frame. The system kills the largest process when memory runs out, and
one whose code signature is invalid (SIGKILL; openai/codex #21200)."""
from __future__ import annotations

from harness.faults.argument import Argument
from harness.faults.steps import FRAMES, Exit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.faults.registry import Chance
    from harness.faults.steps import Step
    from harness.wire.jsontext import Json

NAME, LAYER, WAYS = "signal", "process", {">>", "<<", "moment"}
HIDES_OUTCOME = True
RECOVERABLE = True
ARGS = {
    "number": Argument("int", 9, "", "number of the signal", low=1, high=64),
}


def apply(steps: list[Step], args: Mapping[str, Json], rng: Chance) -> list[Step]:
    assert isinstance(args["number"], int)
    return [*(step for step in steps if not isinstance(step, FRAMES)), Exit(-args["number"])]
