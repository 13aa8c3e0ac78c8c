"""A whole number that a double cannot hold stands where another whole number stood: 2^53 + 1, which JavaScript
rounds, or more than 64 bits. Ids and times of 64 bits come back changed (replay of such ids is a case of the peers'
fidelity table; trailcam facts: peers)."""
from __future__ import annotations

from harness.faults.argument import Argument
from harness.faults.body import each_body
from harness.faults.members import payload, replaced, under, values_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.faults.members import Values
    from harness.faults.registry import Chance
    from harness.faults.steps import Step
    from harness.wire.jsontext import Json

NAME, LAYER, WAYS = "big_integer", "message", {">>", "<<"}
NUMBERS = ("9007199254740993", "9223372036854775808", "18446744073709551616")
"""2^53 + 1, 2^63 and 2^64."""
FORGES = True
HIDES_OUTCOME = True
RECOVERABLE = True
ARGS = {
    "value": Argument("text", NUMBERS[0], "", "the number", choices=NUMBERS),
    "pointer": Argument("text", None, "", "JSON pointer of a whole number; by default the first that there is"),
}


def apply(steps: list[Step], args: Mapping[str, Json], rng: Chance) -> list[Step]:
    pointer, value = args["pointer"], str(args["value"]).encode()
    assert pointer is None or isinstance(pointer, str)
    return each_body(steps, lambda body: _enlarged(body, pointer, value))


def _enlarged(body: bytes, pointer: str | None, value: bytes) -> bytes | None:
    values = values_of(body)
    candidates = under(values, payload(values)) if pointer is None else [pointer]
    found = next((other for other in candidates if _is_integer(body, values, other)), None)
    return None if found is None else replaced(body, values, found, value)


def _is_integer(body: bytes, values: Values, pointer: str) -> bool:
    if pointer not in values:
        return False
    start, end = values[pointer]
    return body[start:end].lstrip(b"-").isdigit()
