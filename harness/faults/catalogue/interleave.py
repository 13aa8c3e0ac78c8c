"""Something else is written into the middle of the frame: two writers on one stdout without a lock, or a library
that prints (chroma-mcp #66, ha-mcp #2374)."""
from __future__ import annotations

from harness.faults.argument import Argument
from harness.faults.body import cut, each_raw

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.faults.registry import Chance
    from harness.faults.steps import Step
    from harness.wire.jsontext import Json

NAME, LAYER, WAYS = "interleave", "frame", {"<<"}
HIDES_OUTCOME = True
RECOVERABLE = True
ARGS = {
    "text": Argument("text", "INFO: server is ready\n", "", "what is written"),
    "offset": Argument("int", None, "bytes", "where in the frame, framing included; by default in the middle", low=1),
}


def apply(steps: list[Step], args: Mapping[str, Json], rng: Chance) -> list[Step]:
    offset, junk = args["offset"], str(args["text"]).encode()
    assert offset is None or isinstance(offset, int)
    return each_raw(steps, lambda raw: _with(raw, cut(raw, offset), junk))


def _with(raw: bytes, where: int | None, junk: bytes) -> bytes | None:
    return None if where is None else raw[:where] + junk + raw[where:]
