"""A notice that a model turn has begun comes before the frame. Where no turn was started, a model acts on its own,
and whatever it does has no caller: the session must end. The notice is codex app-server's own (trailcam facts,
recorded on 0.171.0)."""
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

NAME, LAYER, WAYS = "inject_turn", "session", {"<<"}
KINDS = {"request", "reply", "notice"}
THREAD = "01999999-0000-7000-8000-000000000001"
TURN_ID = "01999999-0000-7000-8000-000000000002"
TURN: dict[str, Json] = {"id": TURN_ID, "items": [], "status": "inProgress", "error": None}
HIDES_OUTCOME = True
RECOVERABLE = True
ARGS = {
    "method": Argument("text", "turn/started", "", "the notice", choices=("turn/started", "turn/completed")),
}


def apply(steps: list[Step], args: Mapping[str, Json], rng: Chance) -> list[Step]:
    return each_frame(steps, lambda step: _with_turn(step, str(args["method"])))


def _with_turn(step: Deliver | Raw | Feed, method: str) -> list[Step] | None:
    body = body_of(raw_of(step))
    if kind_of(values_of(body)) not in KINDS:
        return None
    notice = message_like(body, {"method": method, "params": {"threadId": THREAD, "turn": TURN}})
    return [carrying(step, with_body(raw_of(step), notice)), step]
