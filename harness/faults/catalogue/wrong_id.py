"""A request or reply has an id that belongs to nothing. A reply that matches no request must be no answer to the one
that waits; codex ignores such replies of its servers (trailcam facts)."""
from __future__ import annotations

from harness.faults.argument import Argument
from harness.faults.body import each_body
from harness.faults.members import kind_of, replaced, text, value_at, values_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.faults.registry import Chance
    from harness.faults.steps import Step
    from harness.wire.jsontext import Json

NAME, LAYER, WAYS = "wrong_id", "message", {">>", "<<"}
KINDS = {"request", "reply"}
HIDES_OUTCOME = True
RECOVERABLE = True
ARGS = {
    "to": Argument("json", None, "", "the id; by default one of the same type that nobody uses"),
}


def apply(steps: list[Step], args: Mapping[str, Json], rng: Chance) -> list[Step]:
    return each_body(steps, lambda body: _with_id(body, args["to"]))


def _with_id(body: bytes, to: Json) -> bytes | None:
    values = values_of(body)
    if kind_of(values) not in KINDS:
        return None
    return replaced(body, values, "/id", text(_other(value_at(body, values, "/id")) if to is None else to))


def _other(id: Json) -> Json:
    """An id of the same type, far from those in use."""
    if isinstance(id, int | float) and not isinstance(id, bool):
        return id + 100_000
    return f"{id}-other"
