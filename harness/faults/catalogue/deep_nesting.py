"""What the message carries has a member of many arrays, one in another. A parser that calls itself runs out of
stack: Python raises RecursionError near 1,000, Chrome takes 50,000 (trailcam facts: Chrome, measured on 156)."""
from __future__ import annotations

from harness.faults.argument import Argument
from harness.faults.body import each_body
from harness.faults.members import added, payload, values_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.faults.registry import Chance
    from harness.faults.steps import Step
    from harness.wire.jsontext import Json

NAME, LAYER, WAYS = "deep_nesting", "message", {">>", "<<"}
HIDES_OUTCOME = True
RECOVERABLE = True
ARGS = {
    "depth": Argument("int", 10_000, "", "how many arrays", low=1, high=1_000_000),
}


def apply(steps: list[Step], args: Mapping[str, Json], rng: Chance) -> list[Step]:
    depth = args["depth"]
    assert isinstance(depth, int)
    return each_body(steps, lambda body: _nested(body, depth))


def _nested(body: bytes, depth: int) -> bytes | None:
    values = values_of(body)
    return added(body, values, payload(values), "trailcamNested", b"[" * depth + b"]" * depth)
