"""Bytes that are no UTF-8 stand inside a JSON string. codex app-server ends with status 0 on them, and Chrome puts
U+FFFD in their place (trailcam facts, measured on codex 0.144.2 and 0.171.0, and on Chromium 156). In a client the
task that reads may die of them, and every later call hangs."""
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

NAME, LAYER, WAYS = "invalid_utf8", "byte", {">>", "<<"}
SEQUENCES = {
    "lone": b"\xff",
    "overlong": b"\xc0\xaf",
    "surrogate": b"\xed\xa0\x80",
    "cut": b"\xe2\x82",
}
"""Name -> bytes: a byte that UTF-8 never has, `/` in two bytes, half of a UTF-16 pair, a character that breaks off."""
FORGES = True
HIDES_OUTCOME = True
RECOVERABLE = True
ARGS = {
    "sequence": Argument("text", "lone", "", "which bytes, at the end of the last text", choices=tuple(SEQUENCES)),
}


def apply(steps: list[Step], args: Mapping[str, Json], rng: Chance) -> list[Step]:
    data = SEQUENCES[str(args["sequence"])]
    return each_body(steps, lambda body: put_in_text(body, values_of(body), None, data))
