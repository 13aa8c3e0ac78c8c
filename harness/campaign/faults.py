"""The fault campaign: every scenario under every fault at every class of place of its census, judged by the laws.

The run without faults takes the census; the plans follow from it alone, so nobody chooses which faults apply. Jobs are
pieces of one scenario's plans, and their answers are put together in the order of the plans, whatever ended first.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from harness.campaign.executor import Job, Lost, forked, in_process, limit_run
from harness.campaign.matrix import Matrix, Row, row_of
from harness.campaign.selection import Plan, all_of, groups_of, rare_of, turn_of
from harness.campaign.trial import CPU_S
from harness.campaign.tries import attempt, warm
from harness.faults.standard import label
from harness.laws.table import command_of
from harness.problem import Problem
from harness.scenario.compile import Choice, compile_sheet
from harness.scenario.runner import run
from harness.scenario.scenario import Scenario

PIECE = 50
"""Plans a job has: a fork costs about a run."""


@dataclass(slots=True)
class Campaign:
    """What came of it. plans: made; possible: that there are; unable: scenarios without a census, and why."""

    matrix: Matrix = field(default_factory=Matrix)
    scenarios: int = 0
    plans: int = 0
    possible: int = 0
    unable: list[str] = field(default_factory=list)

    @property
    def word(self) -> str:
        return "unknown" if self.matrix.word == "holds" and self.unable else self.matrix.word


def campaign(
    scenarios: Sequence[Scenario], seed: int, jobs: int, *, every: bool, fault: str | None, say: Callable[[str], None]
) -> Campaign:
    """Make it. every: all variants at both ends, not a turn of them. jobs: 1 runs all in this process."""
    made = Campaign(scenarios=len(scenarios))
    pieces: list[tuple[Scenario, list[Plan]]] = []
    found = []
    warm(scenarios)
    for number, (scenario, census) in enumerate(_censuses(scenarios, seed, jobs)):
        if isinstance(census, Lost):
            made.unable.append(f"{scenario.name}: {census.why}")
        else:
            groups = groups_of(census, seed, fault=fault, changes=scenario.given.get("changes", ()))
            found.append((number, scenario, groups))
    rare = rare_of(groups for _, _, groups in found)
    for number, scenario, groups in found:
        plans = all_of(groups) if every else turn_of(groups, number + seed, rare)
        made.plans += len(plans)
        made.possible += len(all_of(groups))
        pieces += [(scenario, plans[place : place + PIECE]) for place in range(0, len(plans), PIECE)]
    say(f"{made.plans} plans of {made.possible}, in {len(scenarios)} scenarios")
    answers: dict[int, Any] = {}
    limit_s = CPU_S if jobs != 1 else 0.0  # in this process a limit would end the campaign
    work = [partial(_piece, scenario, plans, seed, limit_s) for scenario, plans in pieces]
    for done, (number, answer) in enumerate(_executed(work, jobs), 1):
        answers[number] = answer
        if done % 10 == 0 or done == len(work):
            say(f"[{done}/{len(work)}] {pieces[number][0].name}")
    for number, (scenario, plans) in enumerate(pieces):
        _take(made.matrix, scenario, plans, seed, answers[number])
    return made


def _executed(work: Sequence[Job], jobs: int) -> Iterator[tuple[int, Any]]:
    return in_process(work) if jobs == 1 else forked(work, jobs)


def _censuses(scenarios: Sequence[Scenario], seed: int, jobs: int) -> Iterator[tuple[Scenario, Any]]:
    answers = dict(_executed([partial(_census, scenario, seed) for scenario in scenarios], jobs))
    for number, scenario in enumerate(scenarios):
        answer = answers[number]
        yield scenario, Lost(answer) if isinstance(answer, str) else answer


def _choice(scenario: Scenario, seed: int, plan: Plan | None = None) -> Choice:
    """Virtual time, but for somebody else's stack, which is a process."""
    return Choice(mode="process" if scenario.stranger else "virtual", seed=seed, plan=plan)


def _census(scenario: Scenario, seed: int) -> Any:
    """The places, or why there are none."""
    try:
        return run(compile_sheet(scenario, _choice(scenario, seed)), census=True).census
    except Problem as problem:
        return str(problem)


def _piece(scenario: Scenario, plans: Sequence[Plan], seed: int, limit_s: float) -> Any:
    rows: list[Any] = []
    for plan in plans:
        limit_run(limit_s)
        said, judged, _ = attempt(compile_sheet(scenario, _choice(scenario, seed, plan)))
        fault = plan["faults"][0]["fault"]
        rows.append(said.broken[0] if judged is None else row_of(scenario.name, fault, judged).as_json())
    limit_run(0)
    return rows


def _take(matrix: Matrix, scenario: Scenario, plans: Sequence[Plan], seed: int, answer: Any) -> None:
    for place, plan in enumerate(plans):
        lost = answer.why if isinstance(answer, Lost) else answer[place] if isinstance(answer[place], str) else None
        if lost is None:
            matrix.add(Row(**answer[place]))
        else:
            again = command_of(compile_sheet(scenario, _choice(scenario, seed, plan)))
            words = f"{lost} (in a piece of {len(plans)})" if isinstance(answer, Lost) else f"{lost}; {label(plan)}"
            matrix.lost(scenario.name, plan["faults"][0]["fault"], words, again)
