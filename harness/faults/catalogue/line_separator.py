"""A line separator of Unicode stands unescaped inside a JSON string, where it is legal. Python's `str.splitlines`
splits the frame there; codex app-server really sends U+2028 and U+0085 so (trailcam facts, measured on 0.144.2 and
0.171.0)."""
from __future__ import annotations

from harness.faults.argument import Argument
from harness.faults.body import each_body
from harness.faults.members import put_in_text, values_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.faults.registry import Chance
    from harness.faults.steps import Step
    from harness.wire.jsontext import Json

NAME, LAYER, WAYS = "line_separator", "byte", {">>", "<<"}
FORGES = True
HIDES_OUTCOME = False
RECOVERABLE = True
ARGS = {
    "character": Argument("text", "2028", "", "code point in hexadecimal", choices=("2028", "2029", "0085")),
}


def apply(steps: list[Step], args: Mapping[str, Json], rng: Chance) -> list[Step]:
    data = chr(int(str(args["character"]), 16)).encode()
    return each_body(steps, lambda body: put_in_text(body, values_of(body), None, data))
