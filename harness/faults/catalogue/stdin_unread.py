"""From here on the process reads nothing more, its end of input included; what it has read it still handles. A small
message waits in the pipe for ever, and who writes more than the pipe holds (64 KiB on Linux) waits in mid-write: an
event loop that hangs, or two programs that each write and wait for the other to read (pipe(7), "I/O on pipes and
FIFOs")."""
from __future__ import annotations

from harness.faults.steps import FRAMES, Unread

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.faults.argument import Argument
    from harness.faults.registry import Chance
    from harness.faults.steps import Step
    from harness.wire.jsontext import Json

NAME, LAYER, WAYS = "stdin_unread", "stream", {"<<", "moment"}
HIDES_OUTCOME = True
RECOVERABLE = False  # the next attempt is the one that meets it
ARGS: dict[str, Argument] = {}


def apply(steps: list[Step], args: Mapping[str, Json], rng: Chance) -> list[Step]:
    wire = next((step.wire for step in steps if isinstance(step, FRAMES)), "stdio")
    return [Unread(wire), *steps]
