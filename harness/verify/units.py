"""What `trailcam verify` has to run: one unit a scenario, profile, back and mode. Pure, but for where engines lie.

A unit that can't be run because an engine or a tape is missing is named with what is missing, never left out quietly.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from harness.engines import ENGINES, locate
from harness.kept.origin import BACKS
from harness.scenario.runner import ROOT
from harness.scenario.scenario import Scenario
from harness.subjects import STRANGERS


@dataclass(frozen=True, slots=True)
class Unit:
    """One scenario with one profile on one back in one mode. file: its path; teeth: whether its broken stacks are run
    too: once a scenario is enough, since they try its checks and not the programs."""

    file: str
    name: str
    profile: str
    back: str
    mode: str
    teeth: bool

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Unit:
        return cls(**data)

    @property
    def words(self) -> str:
        """How progress and findings name it."""
        return f"{self.name} ({self.profile}, {self.back}, {self.mode})"


@dataclass(frozen=True, slots=True)
class Missing:
    """A unit that can't be run here, and what is missing."""

    unit: Unit
    what: str


def engine_is_here(name: str) -> bool:
    """Whether an engine of harness/engines.py can be run."""
    row = next((row for row in ENGINES if row.name == name), None)
    return row is not None and locate(row) is not None


def units_of(
    scenarios: Iterable[Scenario], is_here: Callable[[str], bool] = engine_is_here, root: Path = ROOT
) -> tuple[list[Unit], list[Missing]]:
    """(units, what can't be run). Runs on the real clock come first: they take longest."""
    units: list[Unit] = []
    missing: list[Missing] = []
    for scenario in scenarios:
        for profile in scenario.profiles:
            for back in scenario.backs:
                for mode in _modes(scenario, profile, back):
                    teeth = (back, mode, profile) == ("model", "virtual", scenario.profiles[-1])
                    unit = Unit(scenario.file, scenario.name, profile, back, mode, teeth)
                    lacks = lacking(scenario, profile, back, is_here, root)
                    if lacks is None:
                        units.append(unit)
                    else:
                        missing.append(Missing(unit, lacks))
    units.sort(key=lambda unit: (unit.mode == "virtual", unit.back != "engine"))
    return units, missing


def _modes(scenario: Scenario, profile: str, back: str) -> tuple[str, ...]:
    """The modes of a back: the scenario's own for the model, and the one that it can have for the others. Processes on
    the model are a sample of fidelity: the newest profile is enough."""
    if back == "model":
        return tuple(mode for mode in scenario.runs if mode == "virtual" or profile == scenario.profiles[-1])
    return ("virtual",) if back in BACKS["virtual"] else ("process",)


def lacking(
    scenario: Scenario, profile: str, back: str, is_here: Callable[[str], bool], root: Path
) -> str | None:
    """What a back needs and is not here; None where nothing is missing."""
    if scenario.system.name in STRANGERS and scenario.stranger is None:
        return "somebody's stack (--stack ADAPTER.yaml)"
    if back == "engine":
        names = scenario.system.profiles[profile].needs
        absent = [name for name in names if not is_here(name)]
        return f"engine {', '.join(absent)}" if absent else None if names else f"an engine for {profile}"
    if back == "tape":
        tapes = scenario.given.get("tapes", {}).get(profile, {})
        absent = [tape for tape in tapes.values() if not (root / tape).is_file()]
        return f"tape {', '.join(absent)}" if absent else None if tapes else f"a tape for {profile}"
    return None
