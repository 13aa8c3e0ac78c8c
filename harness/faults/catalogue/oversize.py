"""The frame is padded to a size with white space inside its outermost brackets, so that it means the same. Readers
with a limit of 64 KiB a line hang or die (IBM/mcp-context-forge #2591, inspect_ai #4280 and others); Chrome takes
1,048,576 bytes and not one more; codex 0.171.0 drops lines above 16 MiB without a word."""
from __future__ import annotations

from harness.faults.argument import Argument
from harness.faults.body import each_body

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.faults.registry import Chance
    from harness.faults.steps import Step
    from harness.wire.jsontext import Json

NAME, LAYER, WAYS = "oversize", "frame", {">>", "<<"}
HIDES_OUTCOME = True
RECOVERABLE = True
ARGS = {
    "bytes": Argument("int", 8 * 1024 * 1024 + 1, "bytes", "size of the body then", low=1, high=256 * 1024 * 1024),
}


def apply(steps: list[Step], args: Mapping[str, Json], rng: Chance) -> list[Step]:
    size = args["bytes"]
    assert isinstance(size, int)
    return each_body(steps, lambda body: _padded(body, size))


def _padded(body: bytes, size: int) -> bytes | None:
    if body[:1] not in (b"{", b"[") or size <= len(body):
        return None
    return body[:1] + b" " * (size - len(body)) + body[1:]
