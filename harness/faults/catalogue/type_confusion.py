"""One value of what the message carries has another type: a number for a text, a list for an object. The mutation
that protocol fuzzers start with, and what a changed schema looks like to a client that trusts the old one."""
from __future__ import annotations

from harness.faults.argument import Argument
from harness.faults.body import each_body
from harness.faults.members import drawn, payload, replaced, under, values_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.faults.registry import Chance
    from harness.faults.steps import Step
    from harness.wire.jsontext import Json

NAME, LAYER, WAYS = "type_confusion", "message", {">>", "<<"}
OTHER = {b'"': b"1", b"{": b"[]", b"[": b"{}", b"t": b'"true"', b"f": b'"false"', b"n": b"{}"}
"""First byte of a JSON value -> a value of another type; a number becomes a text."""
FORGES = True
HIDES_OUTCOME = True
RECOVERABLE = True
ARGS = {
    "pointer": Argument("text", None, "", "JSON pointer of the value; by default drawn by the seed"),
}


def apply(steps: list[Step], args: Mapping[str, Json], rng: Chance) -> list[Step]:
    pointer = args["pointer"]
    assert pointer is None or isinstance(pointer, str)
    return each_body(steps, lambda body: _confused(body, pointer, rng))


def _confused(body: bytes, pointer: str | None, rng: Chance) -> bytes | None:
    values = values_of(body)
    if pointer is None:
        pointer = drawn(under(values, payload(values)), rng)
    if pointer is None or pointer not in values:
        return None
    start = values[pointer][0]
    return replaced(body, values, pointer, OTHER.get(body[start : start + 1], b'"1"'))
