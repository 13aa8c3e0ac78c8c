"""A NUL byte stands unescaped inside a JSON string, which JSON forbids. A reader in C that takes it for the end of
the text sees half a message."""
from __future__ import annotations

from harness.faults.body import each_body
from harness.faults.members import put_in_text, values_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.faults.argument import Argument
    from harness.faults.registry import Chance
    from harness.faults.steps import Step
    from harness.wire.jsontext import Json

NAME, LAYER, WAYS = "nul", "byte", {">>", "<<"}
FORGES = True
HIDES_OUTCOME = True
RECOVERABLE = True
ARGS: dict[str, Argument] = {}


def apply(steps: list[Step], args: Mapping[str, Json], rng: Chance) -> list[Step]:
    return each_body(steps, lambda body: put_in_text(body, values_of(body), None, b"\0"))
