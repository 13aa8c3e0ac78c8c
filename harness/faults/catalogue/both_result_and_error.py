"""A reply has a result and an error. JSON-RPC forbids it, and clients differ in which one they look at first."""
from __future__ import annotations

from harness.faults.body import each_body
from harness.faults.members import added, kind_of, text, values_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.faults.argument import Argument
    from harness.faults.registry import Chance
    from harness.faults.steps import Step
    from harness.wire.jsontext import Json

NAME, LAYER, WAYS = "both_result_and_error", "message", {">>", "<<"}
KINDS = {"reply"}
HIDES_OUTCOME = True
RECOVERABLE = True
ARGS: dict[str, Argument] = {}


def apply(steps: list[Step], args: Mapping[str, Json], rng: Chance) -> list[Step]:
    return each_body(steps, _doubled)


def _doubled(body: bytes) -> bytes | None:
    values = values_of(body)
    if kind_of(values) != "reply":
        return None
    if "/error" in values:
        return added(body, values, "", "result", b"{}")
    return added(body, values, "", "error", text({"code": -32603, "message": "Internal error"}))
