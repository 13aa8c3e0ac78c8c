"""The frame comes in small pieces over a long time. A timer that each read resets never runs out; one that none
resets runs out in mid-frame."""
from __future__ import annotations

from harness.faults.argument import Argument
from harness.faults.body import carrying, each_frame, raw_of
from harness.faults.steps import Wait

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.faults.registry import Chance
    from harness.faults.steps import Deliver, Feed, Raw, Step
    from harness.wire.jsontext import Json

NAME, LAYER, WAYS = "slow_drip", "stream", {">>", "<<"}
HIDES_OUTCOME = True
HIDES_AFTER = "ms"
RECOVERABLE = True
ARGS = {
    "ms": Argument("number", 5000, "ms", "from the first piece to the last", low=0),
    "pieces": Argument("int", 16, "", "how many pieces", low=2, high=4096),
}


def apply(steps: list[Step], args: Mapping[str, Json], rng: Chance) -> list[Step]:
    ms, pieces = args["ms"], args["pieces"]
    assert isinstance(ms, int | float)
    assert isinstance(pieces, int)
    return each_frame(steps, lambda step: _drops(step, ms, pieces))


def _drops(step: Deliver | Raw | Feed, ms: float, pieces: int) -> list[Step] | None:
    raw = raw_of(step)
    pieces = min(pieces, len(raw))
    if pieces < 2:
        return None
    drops: list[Step] = []
    for index in range(pieces):
        if index:
            drops.append(Wait(ms / (pieces - 1)))
        drops.append(carrying(step, raw[len(raw) * index // pieces : len(raw) * (index + 1) // pieces]))
    return drops
