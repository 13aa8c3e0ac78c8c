"""A byte order mark stands before the message, as writers on Windows put it. JSON parsers of most languages refuse
it, and say only that the first character is wrong."""
from __future__ import annotations

from harness.faults.body import each_body

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.faults.argument import Argument
    from harness.faults.registry import Chance
    from harness.faults.steps import Step
    from harness.wire.jsontext import Json

NAME, LAYER, WAYS = "bom", "byte", {">>", "<<"}
HIDES_OUTCOME = True
RECOVERABLE = True
ARGS: dict[str, Argument] = {}


def apply(steps: list[Step], args: Mapping[str, Json], rng: Chance) -> list[Step]:
    return each_body(steps, lambda body: b"\xef\xbb\xbf" + body)
