"""The frame goes to stderr instead of stdout. codesign puts on stderr what one looks for on stdout, and says nothing
there when all is well (trailcam facts: codex app-server)."""
from __future__ import annotations

from harness.faults.steps import Raw

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.faults.argument import Argument
    from harness.faults.registry import Chance
    from harness.faults.steps import Step
    from harness.wire.jsontext import Json

NAME, LAYER, WAYS = "wrong_stream", "stream", {"<<"}
HIDES_OUTCOME = True
RECOVERABLE = True
ARGS: dict[str, Argument] = {}


def apply(steps: list[Step], args: Mapping[str, Json], rng: Chance) -> list[Step]:
    return [Raw(step.data, "stdio", "err") if isinstance(step, Raw) else step for step in steps]
