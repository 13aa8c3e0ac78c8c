"""Much more than a pipe holds is written to stderr first. A client that does not read stderr stops the program in
mid-write, and waits for a reply that cannot come; healthy programs write there too."""
from __future__ import annotations

from harness.faults.argument import Argument
from harness.faults.steps import Raw

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.faults.registry import Chance
    from harness.faults.steps import Step
    from harness.wire.jsontext import Json

NAME, LAYER, WAYS = "stderr_flood", "stream", {"<<", "moment"}
LINE = b"W" * 999 + b"\n"
"""Short ones are no more to a pipe, and many times the events."""
HIDES_OUTCOME = False
RECOVERABLE = True
ARGS = {
    "bytes": Argument("int", 1024 * 1024, "bytes", "how much; a pipe holds 65,536", low=1, high=256 * 1024 * 1024),
}


def apply(steps: list[Step], args: Mapping[str, Json], rng: Chance) -> list[Step]:
    size = args["bytes"]
    assert isinstance(size, int)
    return [Raw((LINE * (size // len(LINE) + 1))[: size - 1] + b"\n", "stdio", "err"), *steps]
