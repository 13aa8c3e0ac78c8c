"""The process dies while it writes: half a frame, then the end of the stream. No recorder of the field replays it
(trailcam facts: peers, 16 scripted sessions)."""
from __future__ import annotations

from harness.faults.argument import Argument
from harness.faults.body import cut, each_raw
from harness.faults.steps import Exit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.faults.registry import Chance
    from harness.faults.steps import Step
    from harness.wire.jsontext import Json

NAME, LAYER, WAYS = "half_frame_then_exit", "frame", {"<<"}
HIDES_OUTCOME = True
RECOVERABLE = True
ARGS = {
    "bytes": Argument("int", None, "bytes", "how many arrive, framing included; by default half", low=1),
    "status": Argument("int", 1, "", "exit code, or a signal's number negated", low=-64, high=255),
}


def apply(steps: list[Step], args: Mapping[str, Json], rng: Chance) -> list[Step]:
    offset, status = args["bytes"], args["status"]
    assert offset is None or isinstance(offset, int)
    assert isinstance(status, int)
    halves = each_raw(steps, lambda raw: raw[: cut(raw, offset)])
    return [*halves, Exit(status)] if halves != steps else steps
