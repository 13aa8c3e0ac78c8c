"""The eight laws by number, and judging one run by all of them."""
from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from harness.kept.run import KeptRun
from harness.laws import (
    at_most_once,
    bounded,
    consent,
    honest_outcome,
    nothing_leaks,
    nothing_left,
    right_target,
    useful,
)
from harness.laws.attribution import Attribution
from harness.laws.facts import Facts
from harness.laws.verdict import Finding, Verdict
from harness.wire.jsontext import dumps


@dataclass(frozen=True, slots=True)
class Law:
    """One law. broken_when: its text; judged_by: what is compared with what; meaning: its module's docstring."""

    number: int
    name: str
    broken_when: str
    judged_by: str
    meaning: str
    judge: Callable[[Facts, Attribution], Finding]


def _law(module: ModuleType) -> Law:
    return Law(module.NUMBER, module.NAME, module.BROKEN_WHEN, module.JUDGED_BY, module.__doc__ or "", module.judge)


LAWS: Mapping[int, Law] = {
    law.number: law
    for law in map(_law, (at_most_once, right_target, honest_outcome, bounded, consent, nothing_leaks, nothing_left,
                          useful))
}


def judge(run: KeptRun, again: str | None = None) -> list[Verdict]:
    """What the eight laws say of a run, in their order. again: the command that makes the run again, where the sheet
    alone does not give it."""
    facts = Facts(run)
    attribution = Attribution(facts)
    name = run.name
    command = again or command_of(run.sheet)
    return [_verdict(law.number, law.judge(facts, attribution), name, command) for law in LAWS.values()]


def _verdict(number: int, found: Finding, name: str, command: str) -> Verdict:
    return Verdict(number, found.verdict, found.why, found.calls, found.world, found.frames, name, command, found.moot)


def command_of(sheet: Mapping[str, Any]) -> str:
    """The one line that makes a run again: its scenario, and all with which it was run. Faults that the scenario's own
    case plans need not be repeated. A live run is made again by its system: nobody can choose what a Mac has open."""
    if sheet["back"] == "live":
        return shlex.join(["trailcam", "live", "--system", sheet["subject"]])
    words = ["trailcam", "run", sheet["scenario"], "--seed", str(sheet["seed"])]
    if sheet.get("stack"):
        words += ["--stack", sheet["stack"]["file"]]
    for option in ("case", "without", "profile"):
        if sheet.get(option):
            words += [f"--{option}", sheet[option]]
    if sheet["mode"] != "virtual":
        words += ["--mode", sheet["mode"]]
    if sheet["back"] != "model":
        words += ["--back", sheet["back"]]
    plan = sheet.get("plan") or {}
    if plan.get("faults") and sheet.get("planned") != "case":
        words += ["--plan", dumps(plan)]
    if sheet.get("broken"):
        words += ["--broken", dumps(sheet["broken"])]
    return shlex.join(words)
