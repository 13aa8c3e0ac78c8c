"""Only the first bytes of the frame arrive, without its end; the next frame follows directly. A writer that gave up
in mid-write: the reader takes two messages for one broken one."""
from __future__ import annotations

from harness.faults.argument import Argument
from harness.faults.body import cut, each_raw

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.faults.registry import Chance
    from harness.faults.steps import Step
    from harness.wire.jsontext import Json

NAME, LAYER, WAYS = "truncate", "frame", {">>", "<<"}
FORGES = True
HIDES_OUTCOME = True
RECOVERABLE = True
ARGS = {
    "bytes": Argument("int", None, "bytes", "how many arrive, framing included; by default half", low=1),
}


def apply(steps: list[Step], args: Mapping[str, Json], rng: Chance) -> list[Step]:
    offset = args["bytes"]
    assert offset is None or isinstance(offset, int)
    return each_raw(steps, lambda raw: raw[: cut(raw, offset)])
