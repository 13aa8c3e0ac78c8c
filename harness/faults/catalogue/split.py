"""One frame comes in two pieces with a pause between. A reader that takes one read for one message breaks; pipes
split at 4 KiB and 64 KiB all the time."""
from __future__ import annotations

from harness.faults.argument import Argument
from harness.faults.body import carrying, cut, each_frame, raw_of
from harness.faults.steps import Wait

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.faults.registry import Chance
    from harness.faults.steps import Deliver, Feed, Raw, Step
    from harness.wire.jsontext import Json

NAME, LAYER, WAYS = "split", "frame", {">>", "<<"}
HIDES_OUTCOME = True
HIDES_AFTER = "ms"
RECOVERABLE = True
ARGS = {
    "offset": Argument("int", None, "bytes", "length of the first piece, framing included; by default half", low=1),
    "ms": Argument("number", 1, "ms", "pause between the pieces", low=0),
}


def apply(steps: list[Step], args: Mapping[str, Json], rng: Chance) -> list[Step]:
    return each_frame(steps, lambda step: _pieces(step, args["offset"], args["ms"]))


def _pieces(step: Deliver | Raw | Feed, offset: Json, ms: Json) -> list[Step] | None:
    raw = raw_of(step)
    assert offset is None or isinstance(offset, int)
    assert isinstance(ms, int | float)
    where = cut(raw, offset)
    return None if where is None else [carrying(step, raw[:where]), Wait(ms), carrying(step, raw[where:])]
