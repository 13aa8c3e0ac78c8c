"""What can be drawn for a system, and what is known beforehand: which calls are sure to be done.

Law 8 (useful) needs expectations. A drawn call has one only where nothing that was drawn before can stand in its way;
where that is not certain, nothing is expected, and the other laws judge alone. Separate from the machine, which is the
same for every system.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hypothesis.strategies import SearchStrategy

from harness.faults.registry import FAULTS
from harness.faults.standard import NOT_IN_CAMPAIGN

Step = Mapping[str, Any]
Sections = Mapping[str, Any]
LONG_WAIT_MS = 60_000
"""From this on, what was shown may have been given up meanwhile."""


@dataclass(frozen=True, slots=True)
class Act:
    """One call on a target. sure: it is done wherever the target was just shown. spoils: the targets of which nothing
    is certain after it."""

    step: Step
    sure: bool
    spoils: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Numbered:
    """What a look shows is named by the look's number among all of the draft, from 1. at: (call, number) -> the call on
    what was shown then; kept: of how many looks the latest are remembered."""

    at: Callable[[Step, int], Step]
    kept: int


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """One system.

    surroundings: sections of the scenario. ready: the targets whose calls are sure to be done in such sections. looks:
    target -> the call that shows it. acts: target -> calls on it. strays: steps that may come at any time, sensible or
    not. changes: (arguments of a change of the world, targets that it spoils). tells: events. answers: what the caller
    may answer in such sections. overlap: whether a call may begin before another has ended. faults: names of those that
    may strike. canaries: secrets, each planted where a step has its value. begins: the steps that come first in such
    sections. doubts: events after which nothing is certain, and `wait_ms` where that is so after a long wait. again:
    the call that has to be done after a fault, where a target may be gone with it; a look where None. What is empty is
    not drawn.
    """

    system: str
    about: tuple[str, ...]
    surroundings: SearchStrategy[dict[str, Any]]
    ready: Callable[[Sections], frozenset[str]]
    looks: Mapping[str, Step]
    acts: Mapping[str, Sequence[Act]]
    strays: Sequence[Step]
    changes: Sequence[tuple[Mapping[str, Any], frozenset[str]]]
    tells: Sequence[Step]
    answers: Callable[[Sections], Sequence[Step]]
    waits_ms: Sequence[int]
    overlap: bool = True
    faults: Sequence[str] = tuple(name for name in FAULTS if name not in NOT_IN_CAMPAIGN)
    canaries: Sequence[Mapping[str, Any]] = ()
    begins: Callable[[Sections], Sequence[Step]] = lambda sections: ()
    doubts: frozenset[str] = frozenset()
    again: Step | None = None
    numbered: Numbered | None = None
    ends: Sequence[Step] = ()


@dataclass(slots=True)
class Outlook:
    """What is certain at one point of a draft. ready: targets that can be shown; shown: those that were, and still
    are; looked: those that were shown at all. looks: how many there were; number: target -> that of its latest."""

    ready: set[str] = field(default_factory=set)
    shown: set[str] = field(default_factory=set)
    looked: list[str] = field(default_factory=list)
    looks: int = 0
    number: dict[str, int] = field(default_factory=dict)

    def look(self, target: str) -> bool:
        """A target is shown now: whether that is sure."""
        self.count(target)
        if target not in self.looked:
            self.looked.append(target)
        if target in self.ready:
            self.shown.add(target)
            return True
        self.shown.discard(target)
        return False

    def count(self, target: str) -> None:
        """One look more."""
        self.looks += 1
        self.number[target] = self.looks

    def keep(self, kept: int) -> None:
        """Of the looks only the latest are remembered."""
        self.shown = {target for target in self.shown if self.number[target] > self.looks - kept}

    def act(self, target: str, act: Act) -> bool:
        """A call on a target: whether it is sure to be done. One that is not may end what was shown."""
        sure = act.sure and target in self.shown
        if not sure:
            self.shown.discard(target)
        self.spoil(act.spoils)
        return sure

    def spoil(self, targets: frozenset[str]) -> None:
        """Something changed on these targets, of which nobody knows what it does to later calls."""
        self.ready -= targets
        self.shown -= targets

    def forget(self) -> None:
        """What was shown may be given up by now."""
        self.shown.clear()

    def doubt(self) -> None:
        """Calls overlap, or were taken back: from now on nothing is certain."""
        self.ready.clear()
        self.shown.clear()
