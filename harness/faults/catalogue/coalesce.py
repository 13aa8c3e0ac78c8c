"""The frame and what follows it soon are written at once. A host that reads one message a chunk answers one of three
pings and stays behind for ever (seen in a native-messaging host; trailcam facts: Chrome)."""
from __future__ import annotations

from harness.faults.argument import Argument
from harness.faults.steps import Cork, Raw

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.faults.registry import Chance
    from harness.faults.steps import Step
    from harness.wire.jsontext import Json

NAME, LAYER, WAYS = "coalesce", "frame", {"<<"}
HIDES_OUTCOME = True
HIDES_AFTER = "ms"
RECOVERABLE = True
ARGS = {
    "ms": Argument("number", 50, "ms", "how long frames are gathered", low=0),
}


def apply(steps: list[Step], args: Mapping[str, Json], rng: Chance) -> list[Step]:
    assert isinstance(args["ms"], int | float)
    ms = args["ms"]
    return [*(Cork(ms, step.wire, step.stream) for step in steps if isinstance(step, Raw)), *steps]
