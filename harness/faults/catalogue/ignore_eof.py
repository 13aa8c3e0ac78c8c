"""From here on the process does not end when its stdin does. The largest class of public reports: orphans after
every session (playwright-mcp #1634, chrome-devtools-mcp #2116, openai/codex #17832 with 213 orphaned pairs)."""
from __future__ import annotations

from harness.faults.steps import Ignore

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.faults.argument import Argument
    from harness.faults.registry import Chance
    from harness.faults.steps import Step
    from harness.wire.jsontext import Json

NAME, LAYER, WAYS = "ignore_eof", "process", {">>", "<<", "moment"}
HIDES_OUTCOME = False
RECOVERABLE = True
ARGS: dict[str, Argument] = {}


def apply(steps: list[Step], args: Mapping[str, Json], rng: Chance) -> list[Step]:
    return [Ignore(0), *steps]
