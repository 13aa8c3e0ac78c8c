"""A connection to the program is not made: no answer comes to the attempt, as behind a firewall that drops packets or
a listener whose queue is full. A client without a deadline of its own waits for as long as its system tries."""
from __future__ import annotations

from harness.faults.argument import Argument
from harness.faults.body import FOREVER_MS
from harness.faults.steps import Wait

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.faults.registry import Chance
    from harness.faults.steps import Step
    from harness.wire.jsontext import Json

NAME, LAYER, WAYS = "connect_hangs", "process", {"moment"}
MOMENTS = {"connecting"}
HIDES_OUTCOME = False
RECOVERABLE = True
ARGS = {
    "ms": Argument("number", None, "ms", "how long; by default for ever", low=0),
}


def apply(steps: list[Step], args: Mapping[str, Json], rng: Chance) -> list[Step]:
    ms = FOREVER_MS if args["ms"] is None else args["ms"]
    assert isinstance(ms, int | float)
    return [Wait(ms), *steps]
