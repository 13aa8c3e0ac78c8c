"""A notice that nobody knows comes before the frame (or after it). New versions send new notices; they owe no
answer, and must be ignored."""
from __future__ import annotations

from harness.faults.argument import Argument
from harness.faults.body import body_of, carrying, each_frame, raw_of, with_body
from harness.faults.members import kind_of, message_like, values_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.faults.registry import Chance
    from harness.faults.steps import Deliver, Feed, Raw, Step
    from harness.wire.jsontext import Json

NAME, LAYER, WAYS = "unknown_notice", "session", {"<<"}
KINDS = {"request", "reply", "notice"}
HIDES_OUTCOME = False
RECOVERABLE = True
ARGS = {
    "method": Argument("text", "trailcam/unknown", "", "its method"),
    "params": Argument("object", {}, "", "its params"),
    "after": Argument("bool", False, "", "whether it follows the frame instead"),
}


def apply(steps: list[Step], args: Mapping[str, Json], rng: Chance) -> list[Step]:
    return each_frame(steps, lambda step: _with_notice(step, args))


def _with_notice(step: Deliver | Raw | Feed, args: Mapping[str, Json]) -> list[Step] | None:
    body = body_of(raw_of(step))
    if kind_of(values_of(body)) not in KINDS:
        return None
    notice = message_like(body, {"method": args["method"], "params": args["params"]})
    new = carrying(step, with_body(raw_of(step), notice))
    return [step, new] if args["after"] else [new, step]
