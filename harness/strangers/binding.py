"""A scenario of a stranger's subject, put to one stranger: its steps in that stranger's tools, and whose stack it was.

A scenario names its steps by words; the adapter has the stranger's tool for each. What a scenario may not say here is
refused: claims, since a stranger's run is no evidence for this project; settings of a stack that is not ours; canaries
in surroundings that a stranger does not get.
"""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from harness.scenario.compile import SURROUNDINGS
from harness.scenario.problem import ScenarioProblem
from harness.scenario.scenario import ROOT, Case, Scenario, load_scenario
from harness.strangers.adapter import Adapter, call_of
from harness.strangers.wording import translated

NOT_HERE = ("settings", "host", "teeth", "tapes")
"""Sections that speak of a stack of ours."""
ADVICE = "see docs/bring-your-own-stack.md"


def scenarios_of(adapter: Adapter, folder: Path = ROOT) -> list[Scenario]:
    """The scenarios that an adapter names, bound to it. Raises ScenarioProblem or AdapterProblem."""
    return [bound(load_scenario(folder / name, (), name), adapter) for name in adapter.scenarios]


def bound(scenario: Scenario, adapter: Adapter) -> Scenario:
    """The scenario put to this stranger. Raises ScenarioProblem or AdapterProblem."""
    _check(scenario, adapter)
    cases = {name: _bound_case(case, adapter) for name, case in scenario.cases.items()}
    given = _bound_given(scenario.given, adapter)
    steps = [step for each in (given, *(case.given for case in cases.values())) for step in each.get("steps", ())]
    changing = {call_of(step["call"], step["arguments"]) for step in steps if step.get("means")}
    given["settings"] = replace(adapter, changing=tuple(sorted(changing))).as_json()
    given["bounds"] = {"call_ms": adapter.call_ms, **given.get("bounds", {})}
    return replace(scenario, given=given, cases=cases, backs=("model",), runs=("process",), stranger=adapter.identity)


def _check(scenario: Scenario, adapter: Adapter) -> None:
    def refuse(seen: str, expected: str, advice: str = ADVICE) -> ScenarioProblem:
        return ScenarioProblem(seen, expected, advice, file=scenario.file)

    if scenario.system.name != adapter.subject:
        raise refuse(f"a scenario of the subject {scenario.system.name!r}",
                     f"one of {adapter.subject!r}, as {adapter.file} says", "name another adapter, or another scenario")
    if scenario.claims:
        raise refuse(f"claims {', '.join(sorted(scenario.claims))}", "no claim: a stranger's run shows none of ours",
                     "take them out")
    for where in (scenario.given, *(case.given for case in scenario.cases.values())):
        for key in NOT_HERE:
            if where.get(key) or (key == "teeth" and scenario.teeth):
                raise refuse(f"{key!r} in a scenario of strangers", f"none of {', '.join(NOT_HERE)}")
    for canary in scenario.given.get("canaries", []):
        if str(canary.get("planted", "")).startswith(SURROUNDINGS):
            raise refuse("a canary in the surroundings",
                         "one in the world: a stranger gets no variable and no home of this machine")


def _bound_case(case: Case, adapter: Adapter) -> Case:
    return replace(case, given=_bound_given(case.given, adapter))


def _bound_given(given: Mapping[str, Any], adapter: Adapter) -> dict[str, Any]:
    steps = {"steps": [translated(adapter, step) for step in given["steps"]]} if "steps" in given else {}
    return {**given, **steps}
