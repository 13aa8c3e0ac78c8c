"""One line an attempt: what came of it, how sure the model was, where the time went, and why.

Separate from the loop, because it is what a reader checks a run by. A line is written for every attempt, whatever it
came to, and for a run without leave to act none says `did`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Final, Literal, TypeAlias

from stack.contract import Json

Tag: TypeAlias = Literal["did", "would", "ask", "done", "blocked", "RELOOK", "RESTALE", "UNPROVEN"]
_WIDTH: Final = 8


@dataclass(frozen=True, slots=True)
class Line:
    """attempt: counted within the leg; said: the action's label, or what was claimed; sure, target: confidences of
    operation and target, 0 to 1; model_ms: the model's time; step_ms: the whole attempt's; typed: what a fill wrote."""

    attempt: int
    tag: Tag
    said: str
    sure: float
    target: float | None
    model_ms: float
    step_ms: float
    reason: str | None = None
    typed: str | None = None

    def shown(self) -> Mapping[str, Json]:
        """As a value."""
        return asdict(self)

    def text(self) -> str:
        """As text, on one line, and a second one for what was typed."""
        sure = f"{self.sure:.0%} sure" + ("" if self.target is None else f"/{self.target:.0%} target")
        times = f"model {self.model_ms:.0f}ms, step {self.step_ms:.0f}ms"
        reason = "" if self.reason is None else f"  [{self.reason}]"
        typed = "" if self.typed is None else f'\n      typed: "{self.typed}"'
        return f"{self.attempt:2d}. {self.tag:<{_WIDTH}} {self.said}  ({sure}, {times}){reason}{typed}"
