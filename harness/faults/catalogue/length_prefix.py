"""The length before a native message is wrong. Chrome ends the port on a length above its limit, drops an empty
frame without a word, and waits for ever where the length is too large; text on stdout reads as a length of
1,953,720,652 bytes (trailcam facts: Chrome, measured on 156; browserpass-legacy #29, Native-Messaging #1). Only for
native messaging."""
from __future__ import annotations

import sys

from harness.faults.argument import Argument
from harness.faults.body import LENGTH_BYTES, each_raw, is_native

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from harness.faults.registry import Chance
    from harness.faults.steps import Step
    from harness.wire.jsontext import Json

NAME, LAYER, WAYS = "length_prefix", "frame", {">>", "<<"}
LIES: dict[str, Callable[[int], bytes]] = {
    "zero": lambda length: bytes(LENGTH_BYTES),
    "too_small": lambda length: max(0, length - 1).to_bytes(LENGTH_BYTES, sys.byteorder),
    "too_large": lambda length: (length + 1).to_bytes(LENGTH_BYTES, sys.byteorder),
    "over_limit": lambda length: (64 * 1024 * 1024 + 1).to_bytes(LENGTH_BYTES, sys.byteorder),
    "swapped": lambda length: length.to_bytes(LENGTH_BYTES, "big" if sys.byteorder == "little" else "little"),
    "text": lambda length: b"Trac",
}
"""Name -> the four bytes that stand before a body of that length."""
HIDES_OUTCOME = True
RECOVERABLE = True
ARGS = {
    "length": Argument("text", "too_large", "", "what stands in its place", choices=tuple(LIES)),
}


def apply(steps: list[Step], args: Mapping[str, Json], rng: Chance) -> list[Step]:
    lie = LIES[str(args["length"])]
    return each_raw(steps, lambda raw: lie(len(raw) - LENGTH_BYTES) + raw[LENGTH_BYTES:] if is_native(raw) else None)
