"""The last line has no newline, and the stream ends. A reader that waits for the newline loses the message; codex
app-server itself does not answer such a line (trailcam facts, measured on 0.144.2 and 0.171.0). Only for lines."""
from __future__ import annotations

from harness.faults.body import body_of, each_raw, is_line
from harness.faults.steps import Close, Raw

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.faults.argument import Argument
    from harness.faults.registry import Chance
    from harness.faults.steps import Step
    from harness.wire.jsontext import Json

NAME, LAYER, WAYS = "no_final_newline", "frame", {"<<"}
HIDES_OUTCOME = True
RECOVERABLE = True
ARGS: dict[str, Argument] = {}


def apply(steps: list[Step], args: Mapping[str, Json], rng: Chance) -> list[Step]:
    shorter = each_raw(steps, lambda raw: body_of(raw) if is_line(raw) else None)
    return steps if shorter == steps else [*shorter, *(Close(s.wire, s.stream) for s in shorter if isinstance(s, Raw))]
