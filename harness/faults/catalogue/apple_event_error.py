"""The script gets an error for an Apple Event, and the event happens never, all the same, or later. An application that
is busy answers -1712, and does what it was asked when it is free again (trailcam facts: JXA; apple-mail-fast-mcp #227);
-609 follows when it ends in the middle. Only for programs that send Apple Events."""
from __future__ import annotations

from harness.faults.argument import Argument
from harness.faults.steps import Change

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.faults.registry import Chance
    from harness.faults.steps import Step
    from harness.wire.jsontext import Json

NAME, LAYER, WAYS = "apple_event_error", "message", {"moment"}
MOMENTS = {"apple_event"}
HIDES_OUTCOME = True
RECOVERABLE = False
ARGS = {
    "number": Argument("int", -1712, "", "number of the error", low=-32768, high=-1),
    "runs": Argument("text", "never", "", "whether the event happens all the same", choices=("never", "now", "later")),
    "wait_ms": Argument("number", 0, "ms", "how much later than usual the script gets the error", low=0),
    "late_ms": Argument("number", 5000, "ms", "how long after the error an event happens that runs later", low=0),
}


def apply(steps: list[Step], args: Mapping[str, Json], rng: Chance) -> list[Step]:
    return [Change({"apple_event": {name: args[name] for name in ARGS}}), *steps]
