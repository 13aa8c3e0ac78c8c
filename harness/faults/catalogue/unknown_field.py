"""What the message carries has one member more, which no schema names. Real replies of codex app-server have
several, and more with each version (trailcam facts): they must be tolerated."""
from __future__ import annotations

from harness.faults.argument import Argument
from harness.faults.body import each_body
from harness.faults.members import added, payload, text, values_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.faults.registry import Chance
    from harness.faults.steps import Step
    from harness.wire.jsontext import Json

NAME, LAYER, WAYS = "unknown_field", "message", {">>", "<<"}
HIDES_OUTCOME = False
RECOVERABLE = True
ARGS = {
    "name": Argument("text", "trailcamUnknown", "", "name of the member"),
    "value": Argument("json", True, "", "its value"),
}


def apply(steps: list[Step], args: Mapping[str, Json], rng: Chance) -> list[Step]:
    name, value = str(args["name"]), text(args["value"])
    return each_body(steps, lambda body: _extended(body, name, value))


def _extended(body: bytes, name: str, value: bytes) -> bytes | None:
    values = values_of(body)
    return None if f"{payload(values)}/{name}" in values else added(body, values, payload(values), name, value)
