"""`trailcam guards`: every guard of a stack taken out in turn, and every named wrong logic put in; what nobody notices.

Survivors first, each with what was tried; then reasons (scenarios/equivalent.yaml) with their check, wrong logic, and
counts by kind. What the trials say about claims goes to build/evidence/teeth.jsonl for `trailcam verify`. Exit code 0
where every guard is noticed or explained and every mistake caught, 1 where one is not, 3 where something could not be
tried.
"""
from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from harness.campaign.bench import Bench, package_of, stale_reasons
from harness.campaign.equivalent import PATH as REASONS
from harness.campaign.equivalent import read_reasons
from harness.campaign.guards import KINDS
from harness.campaign.killers import PATH as KILLERS
from harness.campaign.killers import read_killers, write_killers
from harness.campaign.scripts.find import KINDS as SCRIPT_KINDS
from harness.campaign.teeth import PATH as TEETH
from harness.campaign.teeth import gather, write_teeth
from harness.campaign.trial import Tried
from harness.campaign.tries import all_of, scenarios_of
from harness.campaign.verdict import Verdict, counts
from harness.campaign.wrong_logic import Mistake, mistakes_of
from harness.commands.mutate import number
from harness.problem import UsageProblem
from harness.scenario.runner import ROOT as CHECKOUT
from harness.scenario.scenario import ROOT
from harness.subjects import SUBJECTS, subject


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser("guards", help="take out every guard of a stack, and say what nobody notices")
    parser.add_argument("--system", choices=tuple(SUBJECTS), default=next(iter(SUBJECTS)), help="whose stack")
    parser.add_argument("--module", default="", metavar="TEXT", help="only guards with this in their name")
    parser.add_argument("--list", action="store_true", help="name the guards, and try none")
    parser.add_argument("--thorough", action="store_true",
                        help="all runs that reach a guard, not only until one notices: every tooth of every claim")
    parser.add_argument("--jobs", type=number, default=os.cpu_count() or 1, metavar="N",
                        help="processes at once (default: one a core)")
    parser.add_argument("--scenarios", type=Path, default=ROOT, help=f"folder of the scenarios (default: {ROOT})")
    parser.add_argument("--reasons", type=Path, default=REASONS, help=f"equivalent guards (default: {REASONS})")
    parser.add_argument("--killers", type=Path, default=KILLERS,
                        help=f"in which run a guard is tried first (default: {KILLERS})")
    parser.add_argument("--learn", action="store_true", help="put down there which run noticed each guard")
    parser.add_argument("--teeth", type=Path, default=TEETH, help=f"where teeth are kept (default: {TEETH})")
    parser.add_argument("--json", action="store_true", help="one JSON document on stdout")
    parser.set_defaults(run=run)


@dataclass(slots=True)
class Outcome:
    """What came of it. stale: reasons that are none; baseline: runs that are broken with the stack as it is."""

    verdicts: list[Verdict] = field(default_factory=list)
    mistakes: list[tuple[Mistake, Tried]] = field(default_factory=list)
    stale: list[str] = field(default_factory=list)
    unable: list[str] = field(default_factory=list)
    baseline: list[str] = field(default_factory=list)
    tries: int = 0

    @property
    def exit_code(self) -> int:
        """0 all noticed or explained, 1 not, 3 where not everything could be tried."""
        unnoticed = any(verdict.state in ("survived", "unreached") for verdict in self.verdicts)
        if unnoticed or self.stale or any(not tried.killed for _, tried in self.mistakes):
            return 1
        untried = any(verdict.state == "untried" for verdict in self.verdicts)
        return 3 if untried or self.unable or self.baseline else 0


def run(args: argparse.Namespace) -> int:
    """Try everything and print it. Raises UsageProblem where there is nothing to try."""
    system = subject(args.system)
    package = package_of(system, CHECKOUT)
    guards = [guard for guard in package.guards() if args.module in guard.id]
    if not guards:
        raise UsageProblem(f"no guard with {args.module!r} in its name", f"a file of {package.name}", "see --list")
    if args.list:
        rows = [{"id": guard.id, "kind": guard.kind, "line": guard.lines[0], "text": guard.text} for guard in guards]
        print(json.dumps(rows, indent=2) if args.json else "\n".join(f"{row['id']}  {row['text']}" for row in rows))
        return 0
    scenarios = scenarios_of(args.system, None, args.scenarios)
    if not scenarios:
        raise UsageProblem(f"no scenario of {args.system} that runs in virtual time on the model",
                           f"some below {args.scenarios}/", "choose another system or folder")
    killers = read_killers(args.killers)
    bench = Bench(system, package, scenarios, max(1, args.jobs), _say, killers)
    outcome = _outcome(bench, args, mistakes_of(args.system) if not args.module else ())
    if args.learn:
        write_killers(args.killers, killers, (each.guard.id for each in outcome.verdicts), bench.noticed)
    write_teeth(gather((each.guard.id, each.tried.turned) for each in outcome.verdicts), args.teeth)
    print(json.dumps(as_json(outcome), indent=2) if args.json else "\n".join(as_text(outcome)))
    return outcome.exit_code


def _outcome(bench: Bench, args: argparse.Namespace, mistakes: Sequence[Mistake]) -> Outcome:
    outcome = Outcome()
    ground = bench.explore()
    outcome.tries, outcome.unable = len(ground.tries), ground.unable
    outcome.baseline = [f"{each.scenario}: {each.what}: {', '.join(each.said.broken)}"
                        for each in ground.tries if each.said.broken]  # fmt: skip
    reasons = read_reasons(args.reasons)
    bench.explore_scripts(all_of(args.system, None, args.scenarios), args.module, reasons)
    control = bench.control()
    if control.killed or control.how:
        outcome.unable.append(f"the stack with nothing taken out: {control.how} {control.by}")
        return outcome
    for file, tried in bench.blanks():
        if not tried.killed:
            outcome.unable.append(f"{file} taken out as a whole: nothing noticed it, so it is not what runs")
    for verdict in bench.judge(args.module, reasons, thorough=args.thorough):
        outcome.verdicts.append(verdict)
        if verdict.state not in ("killed", "equivalent"):  # said at once: the rest may take an hour
            _say(f"{verdict.state}: {verdict.guard.id} ({verdict.why})")
        if len(outcome.verdicts) % 20 == 0:
            _say(f"{len(outcome.verdicts)} guards tried")
    outcome.verdicts.sort(key=lambda verdict: bench.guards.index(verdict.guard))
    for each in bench.mistakes(mistakes):
        outcome.mistakes.append(each)
        _say(f"{each[0].name}: {'caught' if each[1].killed else 'NOT CAUGHT'}")
    outcome.mistakes.sort(key=lambda pair: pair[0].name)
    chosen = [reason for reason in reasons if args.module in reason.guard]
    outcome.stale = stale_reasons(chosen, outcome.verdicts, bench.guards)
    return outcome


def _say(words: str) -> None:
    print(f"trailcam guards: {words}", file=sys.stderr, flush=True)


def as_json(outcome: Outcome) -> dict[str, Any]:
    """`{guards, counts, kinds, mistakes, stale, unable, baseline, runs}`: survivors first among the guards."""
    rows = [
        {
            "guard": each.guard.id, "state": each.state, "line": each.guard.lines[0], "text": each.guard.text,
            "why": each.why or each.tried.how, "by": each.tried.by, "again": each.tried.again,
            "runs": each.tried.made, "reach": each.tried.reach, "shown": each.shown,
        }
        for each in in_order(outcome.verdicts)
    ]  # fmt: skip
    return {
        "guards": rows,
        "counts": counts(outcome.verdicts),
        "kinds": {kind: dict(found) for kind, found in by_kind(outcome.verdicts).items()},
        "mistakes": [
            {"name": mistake.name, "scenario": mistake.scenario, "caught": tried.killed, "how": tried.how,
             "by": tried.by}
            for mistake, tried in outcome.mistakes
        ],
        "stale": outcome.stale,
        "unable": outcome.unable,
        "baseline": outcome.baseline,
        "runs": outcome.tries,
    }


def in_order(verdicts: Sequence[Verdict]) -> list[Verdict]:
    """Survivors, then what no run reaches, then the explained, then the noticed."""
    places = {"survived": 0, "unreached": 1, "untried": 2, "equivalent": 3, "killed": 4}
    return sorted(verdicts, key=lambda verdict: places[verdict.state])


def by_kind(verdicts: Sequence[Verdict]) -> dict[str, Counter[str]]:
    """Kind of guard -> state -> how many."""
    found: dict[str, Counter[str]] = {kind: Counter() for kind in (*KINDS, *SCRIPT_KINDS)}
    for verdict in verdicts:
        found[verdict.guard.kind][verdict.state] += 1
    return {kind: states for kind, states in found.items() if states}


def as_text(outcome: Outcome) -> Iterator[str]:
    """What a person reads."""
    total = counts(outcome.verdicts)
    words = ", ".join(f"{count} {state}" for state, count in total.items())
    unshown = sum(not each.shown for each in outcome.verdicts)
    words += f" ({unshown} of the equivalent by a reason that no run bears out)" if unshown else ""
    yield f"{len(outcome.verdicts)} guards: {words}; tried against {outcome.tries} runs"
    for each in in_order(outcome.verdicts):
        if each.state != "killed":
            yield f"{each.state:<11} {each.guard.id}  {each.guard.text}"
            yield f"            {each.why}"
    for mistake, tried in outcome.mistakes:
        state, how = ("caught", tried.how) if tried.killed else ("NOT CAUGHT", tried.how or "noticed by nothing")
        yield f"{state:<11} {mistake.name}  ({how}; {mistake.scenario})"
    for heading, findings in (("stale reason", outcome.stale), ("could not run", outcome.unable),
                              ("broken as it is", outcome.baseline)):  # fmt: skip
        for finding in findings:
            yield f"{heading}  {finding}"
    for kind, states in by_kind(outcome.verdicts).items():
        yield f"{kind:<11} " + ", ".join(f"{states[state]} {state}" for state in total if states[state])
