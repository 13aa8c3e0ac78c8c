"""The message stands in an array, as JSON-RPC 2.0 and MCP of 2025-03-26 allow and later revisions do not. codex
app-server gives no answer to it at all (trailcam facts, measured on 0.144.2 and 0.171.0)."""
from __future__ import annotations

from harness.faults.body import each_body
from harness.faults.members import kind_of, values_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.faults.argument import Argument
    from harness.faults.registry import Chance
    from harness.faults.steps import Step
    from harness.wire.jsontext import Json

NAME, LAYER, WAYS = "batch", "message", {">>", "<<"}
KINDS = {"request", "reply", "notice"}
HIDES_OUTCOME = True
RECOVERABLE = True
ARGS: dict[str, Argument] = {}


def apply(steps: list[Step], args: Mapping[str, Json], rng: Chance) -> list[Step]:
    return each_body(steps, lambda body: b"[" + body + b"]" if kind_of(values_of(body)) in KINDS else None)
