"""Many notices come before the frame, in one write. A client that lists its tools anew for each of them sends as
many requests, or runs out of memory."""
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

NAME, LAYER, WAYS = "notice_storm", "session", {"<<"}
KINDS = {"request", "reply", "notice"}
HIDES_OUTCOME = False
RECOVERABLE = True
ARGS = {
    "count": Argument("int", 1000, "", "how many", low=1, high=100_000),
    "method": Argument("text", "notifications/tools/list_changed", "", "their method"),
}


def apply(steps: list[Step], args: Mapping[str, Json], rng: Chance) -> list[Step]:
    return each_frame(steps, lambda step: _storm(step, args))


def _storm(step: Deliver | Raw | Feed, args: Mapping[str, Json]) -> list[Step] | None:
    body = body_of(raw_of(step))
    if kind_of(values_of(body)) not in KINDS:
        return None
    assert isinstance(args["count"], int)
    notice = with_body(raw_of(step), message_like(body, {"method": args["method"], "params": {}}))
    return [carrying(step, notice * args["count"]), step]
