"""Something that is no frame is written to stdout, before the frame or at a moment: a banner, a log line, a
traceback (chroma-mcp #66, ha-mcp #603, open-webSearch #23). In Chrome's framing its first four bytes are read as a
length."""
from __future__ import annotations

from harness.faults.argument import Argument
from harness.faults.steps import Raw

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.faults.registry import Chance
    from harness.faults.steps import Step
    from harness.wire.jsontext import Json

NAME, LAYER, WAYS = "garbage", "stream", {"<<", "moment"}
HIDES_OUTCOME = True
RECOVERABLE = True
ARGS = {
    "text": Argument("text", "Traceback (most recent call last):", "", "what is written"),
    "newline": Argument("bool", True, "", "whether a newline ends it"),
}


def apply(steps: list[Step], args: Mapping[str, Json], rng: Chance) -> list[Step]:
    junk = str(args["text"]).encode() + (b"\n" if args["newline"] else b"")
    wire = next((step.wire for step in steps if isinstance(step, Raw)), "stdio")
    return [Raw(junk, wire), *steps]
