"""The program asks the same thing twice, with the same id or (`fresh`) another one. A question to the user must be
asked once and answered once: the answer to a stale one still completes its call (trailcam facts: codex app-server)."""
from __future__ import annotations

from harness.faults.argument import Argument
from harness.faults.body import body_of, carrying, each_frame, raw_of, with_body
from harness.faults.members import kind_of, replaced, text, value_at, values_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.faults.registry import Chance
    from harness.faults.steps import Deliver, Feed, Raw, Step
    from harness.wire.jsontext import Json

NAME, LAYER, WAYS = "duplicate_request", "session", {"<<"}
KINDS = {"request"}
HIDES_OUTCOME = True
RECOVERABLE = True
ARGS = {
    "fresh": Argument("bool", False, "", "whether the second has an id of its own"),
}


def apply(steps: list[Step], args: Mapping[str, Json], rng: Chance) -> list[Step]:
    return each_frame(steps, lambda step: _again(step, args["fresh"] is True))


def _again(step: Deliver | Raw | Feed, fresh: bool) -> list[Step] | None:
    body = body_of(raw_of(step))
    values = values_of(body)
    if kind_of(values) != "request":
        return None
    id = value_at(body, values, "/id")
    other = id + 100_000 if isinstance(id, int | float) else f"{id}-again"
    again = replaced(body, values, "/id", text(other)) if fresh else body
    return [step, carrying(step, with_body(raw_of(step), again))]
