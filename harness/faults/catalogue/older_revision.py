"""The reply to MCP's initialize names another protocol revision than was asked for. An older server answers so; the
client must speak that revision or leave."""
from __future__ import annotations

from harness.faults.argument import Argument
from harness.faults.body import each_body
from harness.faults.members import kind_of, replaced, text, values_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.faults.registry import Chance
    from harness.faults.steps import Step
    from harness.wire.jsontext import Json

NAME, LAYER, WAYS = "older_revision", "session", {"<<"}
KINDS = {"reply"}
HIDES_OUTCOME = False
RECOVERABLE = True
ARGS = {
    "revision": Argument("text", "2024-11-05", "", "the revision that the reply names"),
}


def apply(steps: list[Step], args: Mapping[str, Json], rng: Chance) -> list[Step]:
    revision = text(args["revision"])
    return each_body(steps, lambda body: _downgraded(body, revision))


def _downgraded(body: bytes, revision: bytes) -> bytes | None:
    values = values_of(body)
    if kind_of(values) != "reply" or "/result/protocolVersion" not in values:
        return None
    return replaced(body, values, "/result/protocolVersion", revision)
