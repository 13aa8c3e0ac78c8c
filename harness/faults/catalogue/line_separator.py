"""A line separator of Unicode stands unescaped inside a JSON string, where it is legal. Python's `str.splitlines`
splits the frame there; codex app-server really sends U+2028 and U+0085 so (trailcam facts, measured on 0.144.2 and
0.171.0). Only what a message carries is changed, never its id, so a reply says all it said before. A request asks for
something else then, or is refused by a program that reads ASCII only.
"""
from __future__ import annotations

from harness.faults.argument import Argument
from harness.faults.body import each_body
from harness.faults.members import payload, put_in_text, under, values_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.faults.registry import Chance
    from harness.faults.steps import Step
    from harness.wire.jsontext import Json

NAME, LAYER, WAYS = "line_separator", "byte", {">>", "<<"}
FORGES = True
HIDES_OUTCOME = True
HIDES_KINDS = {"request"}
RECOVERABLE = True
ARGS = {
    "character": Argument("text", "2028", "", "code point in hexadecimal", choices=("2028", "2029", "0085")),
}


def apply(steps: list[Step], args: Mapping[str, Json], rng: Chance) -> list[Step]:
    data = chr(int(str(args["character"]), 16)).encode()
    return each_body(steps, lambda body: _put(body, data))


def _put(body: bytes, data: bytes) -> bytes | None:
    values = values_of(body)
    strings = [one for one in under(values, payload(values)) if body[values[one][0] : values[one][0] + 1] == b'"']
    return put_in_text(body, values, strings[-1], data) if strings else None
