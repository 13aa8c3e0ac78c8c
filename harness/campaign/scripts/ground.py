"""The runs in which a system's JavaScript is really carried out, and which of its guards each of them comes by.

Each run is made with the stack as it is, to know what it comes to, and once more with a counter at every guard. On an
engine that is each scenario and case which the engine has, as processes with the newest profile; a run that comes to
something else the second time says nothing of a change, and is left out. On the model it is every run that there is.
"""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from harness.campaign.removal import Package
from harness.campaign.scripts.find import counted
from harness.campaign.scripts.lending import lent, listening
from harness.campaign.scripts.programs import MARK, back_of, counter, learn
from harness.campaign.tries import Said, Try, attempt
from harness.engines import ENGINES, locate
from harness.scenario.compile import Choice, applies, compile_sheet, runs_on
from harness.scenario.scenario import Scenario
from harness.subjects import Backing, Subject

ON_ENGINE = "{} on the engine"


def backing_of(system: Subject) -> Backing | None:
    """What an engine stands behind, of the newest profile."""
    return list(system.profiles.values())[-1].backing


def lacking(backing: Backing | None) -> str:
    """Which engine is missing for runs on it; empty where there is none missing."""
    if backing is None:
        return "an engine behind its fakes"
    rows = {row.name: row for row in ENGINES}
    return ", ".join(name for name in backing.needs if locate(rows[name]) is None)


def sheets_on_engine(scenario: Scenario) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """(kind, what, sheet) of a scenario and its cases on the engine."""
    if "engine" not in scenario.backs:
        return
    profile = scenario.profiles[-1]
    for case in (None, *scenario.cases.values()):
        if case is None or (applies(case.only, profile, "process", "engine") and runs_on(scenario, case, "engine")):
            name = "" if case is None else case.name
            sheet = compile_sheet(scenario, Choice(profile, "engine", "process", case=name))
            yield "base" if case is None else "case", ON_ENGINE.format(name or "base"), sheet


def install_counted(package: Package, system: str, back: str, numbers: Mapping[str, int]) -> None:
    """Import the stack with a counter at each guard of the programs that are carried out on this back."""
    says = counter(back, numbers)
    package.install({}, {
        file: counted(text, file, says) for file, text in package.scripts.items() if back_of(system, file) == back
    })  # fmt: skip
    learn(system)


def explored_on_engine(
    scenario: Scenario, system: Subject, package: Package, numbers: Mapping[str, int]
) -> list[tuple[dict[str, Any], list[int]]]:
    """(the run, the numbers of the guards that it comes by) of a scenario on the engine."""
    backing = backing_of(system)
    assert backing is not None
    found: list[tuple[Try, list[int]]] = []
    with lent(backing):
        for kind, what, sheet in sheets_on_engine(scenario):
            said, judged, _ = attempt(sheet)
            if said.applicable:
                again = "" if judged is None else judged.again
                found.append((Try(scenario.name, what, kind, sheet, said, again), []))
        install_counted(package, system.name, "engine", numbers)
        for each, numbered in found:
            reached: set[int] = set()
            with listening(backing, reached):
                said, _, _ = attempt(each.sheet)
            numbered += sorted(reached) if same(each.said, said) else [-1]
    return [(each.as_json(), numbered) for each, numbered in found if numbered != [-1]]


def same(one: Said, other: Said) -> bool:
    """Whether two runs came to the same."""
    return one.broken == other.broken and one.word == other.word


def reached_on_model(
    tries: Sequence[Try], system: str, package: Package, numbers: Mapping[str, int]
) -> list[list[int]]:
    """The numbers of the guards that each run comes by, in programs that say so on their stderr."""
    install_counted(package, system, "model", numbers)
    return [_said_on_stderr(each.sheet) for each in tries]


def _said_on_stderr(sheet: Mapping[str, Any]) -> list[int]:
    _, _, records = attempt(sheet)
    lines = [event.get("b", "") for event in records.journal if event["e"] == "bytes"] if records is not None else []
    words = [part for line in lines if MARK in line for part in line.split(MARK)[1:]]
    return sorted({int(word.split()[0]) for word in words})
