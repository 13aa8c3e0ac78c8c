"""The program asks something that it has no business to ask, before the frame. It must get error -32601 and nothing
else; whoever answers an approval that nobody needed has approved it."""
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

NAME, LAYER, WAYS = "unsolicited_request", "session", {"<<"}
KINDS = {"request", "reply", "notice"}
HIDES_OUTCOME = True
RECOVERABLE = True
ARGS = {
    "method": Argument("text", "trailcam/unsolicited", "", "its method"),
    "id": Argument("json", "trailcam-1", "", "its id"),
    "params": Argument("object", {}, "", "its params"),
}


def apply(steps: list[Step], args: Mapping[str, Json], rng: Chance) -> list[Step]:
    return each_frame(steps, lambda step: _with_request(step, args))


def _with_request(step: Deliver | Raw | Feed, args: Mapping[str, Json]) -> list[Step] | None:
    body = body_of(raw_of(step))
    if kind_of(values_of(body)) not in KINDS:
        return None
    request = message_like(body, {"id": args["id"], "method": args["method"], "params": args["params"]})
    return [carrying(step, with_body(raw_of(step), request)), step]
