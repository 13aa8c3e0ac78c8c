"""Some bits of one byte of the frame are flipped; the framing stays whole. Storage or memory that went bad, or a
transport that does not check: toxiproxy's users ask for it (toxiproxy #451)."""
from __future__ import annotations

from harness.faults.argument import Argument
from harness.faults.body import each_body

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.faults.registry import Chance
    from harness.faults.steps import Step
    from harness.wire.jsontext import Json

NAME, LAYER, WAYS = "corrupt", "byte", {">>", "<<"}
FORGES = True
HIDES_OUTCOME = True
RECOVERABLE = True
ARGS = {
    "offset": Argument("int", None, "bytes", "which byte of the body, from 0; by default drawn by the seed", low=0),
    "mask": Argument("int", None, "bits", "which bits are flipped; by default one, drawn by the seed", low=1, high=255),
}


def apply(steps: list[Step], args: Mapping[str, Json], rng: Chance) -> list[Step]:
    return each_body(steps, lambda body: _flipped(body, args, rng))


def _flipped(body: bytes, args: Mapping[str, Json], rng: Chance) -> bytes | None:
    offset = int(rng.random() * len(body)) if args["offset"] is None else args["offset"]
    if not isinstance(offset, int) or offset >= len(body):
        return None
    mask = 1 << int(rng.random() * 8) if args["mask"] is None else args["mask"]
    assert isinstance(mask, int)
    return body[:offset] + bytes([body[offset] ^ mask]) + body[offset + 1 :]
