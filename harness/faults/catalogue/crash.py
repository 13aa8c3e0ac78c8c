"""The process ends before the frame comes, before it sees it, or at a moment: before or after the effect, during the
handshake. The helper of Computer Use is killed so when its signature does not satisfy the launch constraint
(openai/codex #21200)."""
from __future__ import annotations

from harness.faults.argument import Argument
from harness.faults.steps import FRAMES, Exit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.faults.registry import Chance
    from harness.faults.steps import Step
    from harness.wire.jsontext import Json

NAME, LAYER, WAYS = "crash", "process", {">>", "<<", "moment"}
HIDES_OUTCOME = True
RECOVERABLE = True
ARGS = {
    "status": Argument("int", 1, "", "exit code, or a signal's number negated", low=-64, high=255),
}


def apply(steps: list[Step], args: Mapping[str, Json], rng: Chance) -> list[Step]:
    assert isinstance(args["status"], int)
    return [*(step for step in steps if not isinstance(step, FRAMES)), Exit(args["status"])]
