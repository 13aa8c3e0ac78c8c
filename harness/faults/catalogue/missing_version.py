"""The message lacks its `jsonrpc` member, as all messages of codex app-server do. MCP requires it, so a client of
MCP may refuse the message."""
from __future__ import annotations

from harness.faults.body import each_body
from harness.faults.members import removed, values_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.faults.argument import Argument
    from harness.faults.registry import Chance
    from harness.faults.steps import Step
    from harness.wire.jsontext import Json

NAME, LAYER, WAYS = "missing_version", "message", {">>", "<<"}
KINDS = {"request", "reply", "notice"}
HIDES_OUTCOME = True
RECOVERABLE = True
ARGS: dict[str, Argument] = {}


def apply(steps: list[Step], args: Mapping[str, Json], rng: Chance) -> list[Step]:
    return each_body(steps, _without)


def _without(body: bytes) -> bytes | None:
    values = values_of(body)
    return removed(body, values, "/jsonrpc") if "/jsonrpc" in values else None
