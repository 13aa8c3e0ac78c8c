"""The stream stops in mid-frame, and stays open: nothing more comes (`<<`), or nothing more is read (`>>`). A
program that hangs: a page that shows an alert, a tool that waits for a person (trailcam facts: Chrome has six calls
that hang for ever)."""
from __future__ import annotations

from harness.faults.argument import Argument
from harness.faults.body import FOREVER_MS, carrying, each_frame, raw_of
from harness.faults.steps import Deliver, Wait

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.faults.registry import Chance
    from harness.faults.steps import Feed, Raw, Step
    from harness.wire.jsontext import Json

NAME, LAYER, WAYS = "stall", "stream", {">>", "<<"}
HIDES_OUTCOME = True
HIDES_AFTER = "ms"
RECOVERABLE = True
ARGS = {
    "bytes": Argument("int", 0, "bytes", "how much of the frame still comes, framing included", low=0),
    "ms": Argument("number", None, "ms", "how long; by default for ever", low=0),
}


def apply(steps: list[Step], args: Mapping[str, Json], rng: Chance) -> list[Step]:
    size, ms = args["bytes"], FOREVER_MS if args["ms"] is None else args["ms"]
    assert isinstance(size, int)
    assert isinstance(ms, int | float)
    return each_frame(steps, lambda step: _stalled(step, size, ms))


def _stalled(step: Deliver | Raw | Feed, size: int, ms: float) -> list[Step] | None:
    raw = raw_of(step)
    if size >= len(raw):
        return None
    if isinstance(step, Deliver) and size == 0:
        return [Wait(ms), step]
    return [carrying(step, raw[:size]), Wait(ms), carrying(step, raw[size:])]
