"""The result of a reply is null. Null is no success: Chrome gives it wherever an injected function threw, was
interrupted or returned nothing (trailcam facts: Chrome, measured on 156)."""
from __future__ import annotations

from harness.faults.body import each_body
from harness.faults.members import kind_of, replaced, values_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.faults.argument import Argument
    from harness.faults.registry import Chance
    from harness.faults.steps import Step
    from harness.wire.jsontext import Json

NAME, LAYER, WAYS = "null_result", "message", {">>", "<<"}
KINDS = {"reply"}
HIDES_OUTCOME = True
RECOVERABLE = True
ARGS: dict[str, Argument] = {}


def apply(steps: list[Step], args: Mapping[str, Json], rng: Chance) -> list[Step]:
    return each_body(steps, _emptied)


def _emptied(body: bytes) -> bytes | None:
    values = values_of(body)
    return replaced(body, values, "/result", b"null") if kind_of(values) == "reply" and "/result" in values else None
