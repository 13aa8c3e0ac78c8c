"""A scenario while it is drawn: plain data, from which the scenario that is run, and the file that is kept, are made.

Separate from the machine that draws it, so that both are made by one function: what is kept is what was run.
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from harness.properties.aim import Aim
from harness.scenario.scenario import Case, Item, Scenario
from harness.subjects import subject
from harness.wire.jsontext import dumps

CASE = "faults"
"""Name of the case that has the faults of a draft."""


@dataclass(slots=True)
class Draft:
    """One scenario. sections: of the scenario file beside its steps (world, programs, settings, modes, canaries)."""

    system: str
    about: tuple[str, ...]
    profile: str
    sections: dict[str, Any] = field(default_factory=dict)
    steps: list[dict[str, Any]] = field(default_factory=list)
    aims: list[Aim] = field(default_factory=list)

    def key(self, faults: Sequence[Mapping[str, Any]] = ()) -> str:
        """Text that is equal for drafts that run alike with these faults."""
        return dumps([self.system, self.profile, self.sections, self.steps, list(faults)], sort=True)

    def scenario(self, faults: Sequence[Mapping[str, Any]] = ()) -> Scenario:
        """The scenario, with these faults as its case, in the form in which a file of it is read."""
        cases = {CASE: Case(CASE, {"faults": [dict(each) for each in faults]}, {}, (), 0)} if faults else {}
        return Scenario(
            name="drawn.yaml", file="drawn.yaml", title="drawn", system=subject(self.system), about=self.about,
            profiles=(self.profile,), backs=("model",), runs=("virtual",),
            given={**self.sections, "steps": self.steps}, then=(Item({}, (), {}, 0),)[:0], laws={}, cases=cases,
        )  # fmt: skip
