"""After the reply comes one to the request that will be sent next, before it was sent. A client that only compares
numbers takes it for the answer. Needs an id that counts: a number, or a text that ends in one."""
from __future__ import annotations

from harness.faults.body import body_of, carrying, each_frame, raw_of, with_body
from harness.faults.members import kind_of, replaced, text, value_at, values_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.faults.argument import Argument
    from harness.faults.registry import Chance
    from harness.faults.steps import Deliver, Feed, Raw, Step
    from harness.wire.jsontext import Json

NAME, LAYER, WAYS = "early_reply", "session", {"<<"}
KINDS = {"reply"}
DIGITS = 18
"""An id counts with this many digits at most."""
HIDES_OUTCOME = True
RECOVERABLE = True
ARGS: dict[str, Argument] = {}


def apply(steps: list[Step], args: Mapping[str, Json], rng: Chance) -> list[Step]:
    return each_frame(steps, _with_early)


def _with_early(step: Deliver | Raw | Feed) -> list[Step] | None:
    body = body_of(raw_of(step))
    values = values_of(body)
    if kind_of(values) != "reply":
        return None
    following = _next(value_at(body, values, "/id"))
    if following is None:
        return None
    return [step, carrying(step, with_body(raw_of(step), replaced(body, values, "/id", text(following))))]


def _next(id: Json) -> Json:
    if isinstance(id, int) and not isinstance(id, bool):
        return id + 1
    if not isinstance(id, str):
        return None
    start = len(id.rstrip("0123456789"))
    return f"{id[:start]}{int(id[start:]) + 1}" if 0 < len(id) - start <= DIGITS else None
