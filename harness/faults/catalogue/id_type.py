"""The id has the same value in another type: 4 for "4", or the reverse; or it is null. Ids are compared with their
type: an answer to server request 0 with "0" is ignored by codex, and the call hangs (trailcam facts; python-sdk
#192)."""
from __future__ import annotations

from harness.faults.argument import Argument
from harness.faults.body import each_body
from harness.faults.members import kind_of, replaced, text, value_at, values_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.faults.registry import Chance
    from harness.faults.steps import Step
    from harness.wire.jsontext import Json

NAME, LAYER, WAYS = "id_type", "message", {">>", "<<"}
KINDS = {"request", "reply"}
HIDES_OUTCOME = True
RECOVERABLE = True
ARGS = {
    "to": Argument("text", "other", "", "the other of number and text, or null", choices=("other", "null")),
}


def apply(steps: list[Step], args: Mapping[str, Json], rng: Chance) -> list[Step]:
    return each_body(steps, lambda body: _retyped(body, args["to"] == "null"))


def _retyped(body: bytes, to_null: bool) -> bytes | None:
    values = values_of(body)
    if kind_of(values) not in KINDS:
        return None
    id = value_at(body, values, "/id")
    if to_null:
        return replaced(body, values, "/id", b"null")
    if isinstance(id, str):
        digits = id.isdecimal() and id.isascii()
        return replaced(body, values, "/id", (id.lstrip("0") or "0").encode()) if digits else None
    return replaced(body, values, "/id", text(text(id).decode()))
