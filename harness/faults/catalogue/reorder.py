"""The frame steps aside, and what comes soon after overtakes it. codex app-server promises no order between
`thread/started` and the start of its servers (reversed in 72 of 291 sessions), nor between a result and the end of
the question before it (trailcam facts: codex app-server, measured on 0.144.2 and 0.171.0)."""
from __future__ import annotations

from harness.faults.argument import Argument
from harness.faults.body import each_frame
from harness.faults.steps import Aside

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.faults.registry import Chance
    from harness.faults.steps import Step
    from harness.wire.jsontext import Json

NAME, LAYER, WAYS = "reorder", "message", {">>", "<<"}
HIDES_OUTCOME = True
HIDES_KINDS = {"request", "reply", "raw"}
HIDES_AFTER = "ms"
RECOVERABLE = True
ARGS = {
    "ms": Argument("number", 20, "ms", "how long others may overtake", low=0),
}


def apply(steps: list[Step], args: Mapping[str, Json], rng: Chance) -> list[Step]:
    ms = args["ms"]
    assert isinstance(ms, int | float)
    return each_frame(steps, lambda step: [Aside(ms, [step])])
