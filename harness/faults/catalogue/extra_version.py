"""The message has a `jsonrpc` member where its protocol has none. Whoever speaks both kinds through one library
sends it; codex app-server tolerates it (trailcam facts)."""
from __future__ import annotations

from harness.faults.body import each_body
from harness.faults.members import added, kind_of, values_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.faults.argument import Argument
    from harness.faults.registry import Chance
    from harness.faults.steps import Step
    from harness.wire.jsontext import Json

NAME, LAYER, WAYS = "extra_version", "message", {">>", "<<"}
KINDS = {"request", "reply", "notice"}
HIDES_OUTCOME = False
RECOVERABLE = True
ARGS: dict[str, Argument] = {}


def apply(steps: list[Step], args: Mapping[str, Json], rng: Chance) -> list[Step]:
    return each_body(steps, _with)


def _with(body: bytes) -> bytes | None:
    values = values_of(body)
    if "/jsonrpc" in values or kind_of(values) == "raw":
        return None
    return added(body, values, "", "jsonrpc", b'"2.0"')
