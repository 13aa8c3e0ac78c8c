"""The reply comes after the caller gave up, and after newer replies. codex app-server has no way to cancel: a late
answer arrives whenever it is ready, and must not be taken for that of a newer call (trailcam facts)."""
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

NAME, LAYER, WAYS = "late_reply", "session", {"<<"}
KINDS = {"reply"}
HIDES_OUTCOME = True
HIDES_AFTER = "ms"
RECOVERABLE = True
ARGS = {
    "ms": Argument("number", 160_000, "ms", "how late; the default is beyond what any call has", low=0),
}


def apply(steps: list[Step], args: Mapping[str, Json], rng: Chance) -> list[Step]:
    ms = args["ms"]
    assert isinstance(ms, int | float)
    return each_frame(steps, lambda step: [Aside(ms, [step])])
