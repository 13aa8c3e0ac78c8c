"""What a search drew, ran and judged, counted: here alone is seen what a generator never draws."""
from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from harness.faults.registry import FAULTS


@dataclass(slots=True)
class Tally:
    """Counters by name. steps: kind of step; calls: tool; faults and layers: of faults that fired; aimed: of those in a
    plan; outcomes: of answers; laws: `NUMBER VERDICT`. examples: drafts judged; runs: made; inapplicable: runs in which
    a fault of the plan did not fire; repeated: runs that were not made, since the same had been before; first: number
    of the example, from 1, that failed first, 0 for none."""

    examples: int = 0
    runs: int = 0
    inapplicable: int = 0
    repeated: int = 0
    first: int = 0
    steps: Counter[str] = field(default_factory=Counter)
    calls: Counter[str] = field(default_factory=Counter)
    aimed: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    layers: Counter[str] = field(default_factory=Counter)
    outcomes: Counter[str] = field(default_factory=Counter)
    laws: Counter[str] = field(default_factory=Counter)

    def fired(self, fault: str) -> None:
        """A fault fired in a run."""
        self.faults[fault] += 1
        self.layers[FAULTS[fault].layer] += 1

    def step(self, step: Mapping[str, Any], kinds: tuple[str, ...]) -> None:
        """A step of a draft. kinds: the keys that say what a step does."""
        self.steps[next(kind for kind in kinds if kind in step)] += 1
        if "call" in step:
            self.calls[step["call"]] += 1

    @property
    def words(self) -> str:
        """One line for people."""
        judged = sum(count for word, count in self.laws.items() if not word.endswith("moot"))
        return (
            f"{self.examples} examples of {self.steps.total()} steps, {self.runs} runs ({self.inapplicable} "
            f"inapplicable, {self.repeated} not repeated), {self.faults.total()} faults fired of "
            f"{len(self.faults)} kinds, {judged} verdicts"
        )

    def as_json(self) -> dict[str, Any]:
        """Everything, each counter sorted by name."""
        names = ("steps", "calls", "aimed", "faults", "layers", "outcomes", "laws")
        return {
            "examples": self.examples, "runs": self.runs, "inapplicable": self.inapplicable, "repeated": self.repeated,
            "first": self.first,
            **{name: dict(sorted(getattr(self, name).items())) for name in names},
        }  # fmt: skip
