"""The line ends with a carriage return and a newline, as text-mode output on Windows does. It is still JSON: white
space after the value (codex app-server tolerates it; trailcam facts, measured on 0.144.2 and 0.171.0). Only for
lines."""
from __future__ import annotations

from harness.faults.body import each_raw, is_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.faults.argument import Argument
    from harness.faults.registry import Chance
    from harness.faults.steps import Step
    from harness.wire.jsontext import Json

NAME, LAYER, WAYS = "crlf", "byte", {">>", "<<"}
HIDES_OUTCOME = False
RECOVERABLE = True
ARGS: dict[str, Argument] = {}


def apply(steps: list[Step], args: Mapping[str, Json], rng: Chance) -> list[Step]:
    return each_raw(steps, _ended)


def _ended(raw: bytes) -> bytes | None:
    if not is_line(raw) or not raw.endswith(b"\n") or raw.endswith(b"\r\n"):
        return None
    return raw[:-1] + b"\r\n"
