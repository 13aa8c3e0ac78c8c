"""The frame comes again. An MCP server that answers twice; a client that does not remember what was answered takes
the second answer for that of its next call. On its way to the program (`>>`) it makes the world act twice, which the
stack can't help: the standard plans use `<<` only. A frame that comes in pieces comes again as a whole. A request of
the program that comes twice is a `duplicate_request`, and hides the outcome as that does."""
from __future__ import annotations

from harness.faults.argument import Argument
from harness.faults.body import each_frame, is_native, raw_of
from harness.faults.steps import Deliver, Feed, Raw

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.faults.registry import Chance
    from harness.faults.steps import Step
    from harness.wire.jsontext import Json

NAME, LAYER, WAYS = "duplicate", "message", {">>", "<<"}
FORGES = True
HIDES_OUTCOME = True
HIDES_KINDS = {"request"}
HIDES_WAYS = {"<<"}
RECOVERABLE = True
ARGS = {
    "copies": Argument("int", 1, "", "how many more", low=1, high=1000),
}


def apply(steps: list[Step], args: Mapping[str, Json], rng: Chance) -> list[Step]:
    copies = args["copies"]
    assert isinstance(copies, int)
    if _in_pieces(steps):
        return steps * (1 + copies)
    return each_frame(steps, lambda step: [step] * (1 + copies))


def _in_pieces(steps: list[Step]) -> bool:
    pieces = [raw_of(step) for step in steps if isinstance(step, Deliver | Raw | Feed)]
    whole = b"".join(pieces)
    return len(pieces) > 1 and (is_native(whole) or whole.find(b"\n") == len(whole) - 1)
