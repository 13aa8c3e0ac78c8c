"""A member stands twice in one object, with two values. JSON leaves open which one counts: Python and Chrome take
the last, others the first, so a check and its use may see two different messages."""
from __future__ import annotations

from harness.faults.argument import Argument
from harness.faults.body import each_body
from harness.faults.members import is_member, key_of, payload, text, values_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.faults.registry import Chance
    from harness.faults.steps import Step
    from harness.wire.jsontext import Json

NAME, LAYER, WAYS = "duplicate_member", "message", {">>", "<<"}
FORGES = True
HIDES_OUTCOME = True
RECOVERABLE = True
ARGS = {
    "pointer": Argument("text", None, "", "JSON pointer of the member; by default what the message carries"),
    "value": Argument("json", None, "", "the second value"),
}


def apply(steps: list[Step], args: Mapping[str, Json], rng: Chance) -> list[Step]:
    pointer, value = args["pointer"], text(args["value"])
    assert pointer is None or isinstance(pointer, str)
    return each_body(steps, lambda body: _twice(body, pointer, value))


def _twice(body: bytes, pointer: str | None, value: bytes) -> bytes | None:
    values = values_of(body)
    if pointer is None:
        pointer = payload(values)
    if not is_member(body, values, pointer):
        return None
    end = values[pointer][1]
    return body[:end] + b"," + text(key_of(pointer)) + b":" + value + body[end:]
