"""`trailcam mutate`: every scenario under every fault at every class of place, judged by the laws.

Broken first, each once with the command that repeats it; then the matrix of faults and laws. A plan whose fault did not
fire is inapplicable, and counted. Exit code 0 where every law holds, 1 where one is broken, 3 where one is unknown or a
run could not be made.
"""
from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from harness.campaign.faults import Campaign, campaign
from harness.campaign.tries import scenarios_of
from harness.faults.registry import FAULTS
from harness.laws.verdict import EXIT_CODES
from harness.problem import UsageProblem
from harness.scenario.compile import SEED
from harness.scenario.scenario import ROOT
from harness.strangers.adapter import load_adapter
from harness.strangers.binding import scenarios_of as strangers_scenarios
from harness.subjects import SUBJECTS


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser("mutate", help="run every scenario under every fault, and say what breaks")
    parser.add_argument("--system", choices=tuple(SUBJECTS), default=next(iter(SUBJECTS)), help="whose scenarios")
    parser.add_argument("--stack", type=Path, metavar="ADAPTER",
                        help="somebody else's stack, by its adapter, on its scenarios; one run at a time")
    parser.add_argument("--scenario", type=Path, metavar="PATH", help="only this one")
    parser.add_argument("--fault", choices=tuple(FAULTS), metavar="NAME", help="only this fault; see `trailcam faults`")
    parser.add_argument("--seed", type=number, default=SEED, metavar="N",
                        help=f"of the runs, and of which variants are met (default: {SEED})")
    parser.add_argument("--all", action="store_true",
                        help="every variant of each fault at the first and last of each class of place")
    parser.add_argument("--jobs", type=number, default=os.cpu_count() or 1, metavar="N",
                        help="processes at once (default: one a core); 1: all in this process")
    parser.add_argument("--scenarios", type=Path, default=ROOT, help=f"folder of the scenarios (default: {ROOT})")
    parser.add_argument("--json", action="store_true", help="one JSON document on stdout")
    parser.set_defaults(run=run)


def number(text: str) -> int:
    """A whole number from 0."""
    if not text.isascii() or not text.isdigit():
        raise argparse.ArgumentTypeError(f"saw {text!r}; expected a whole number from 0")
    return int(text)


def run(args: argparse.Namespace) -> int:
    """Make the campaign and print it. Raises UsageProblem where there is nothing to run."""
    if args.stack is not None:
        scenarios = strangers_scenarios(load_adapter(args.stack), args.scenarios)
        args.jobs = 1  # a program of somebody's may not live within the bounds of a forked child
    else:
        scenarios = scenarios_of(args.system, args.scenario, args.scenarios)
    if not scenarios:
        raise UsageProblem(f"no scenario of {args.system} that runs in virtual time on the model",
                           f"some below {args.scenarios}/", "choose another system or folder")
    made = campaign(scenarios, args.seed, max(1, args.jobs), every=args.all, fault=args.fault, say=_say)
    print(json.dumps(as_json(made), indent=2) if args.json else "\n".join(as_text(made)))
    return EXIT_CODES[made.word]


def _say(words: str) -> None:
    print(f"trailcam mutate: {words}", file=sys.stderr, flush=True)


def as_json(made: Campaign) -> dict[str, object]:
    """`{verdict, scenarios, plans, possible, inapplicable, could_not_run, unable, findings, matrix}`."""
    return {
        "verdict": made.word,
        "scenarios": made.scenarios,
        "plans": made.plans,
        "possible": made.possible,
        "inapplicable": made.matrix.total("inapplicable"),
        "could_not_run": made.matrix.total("could not run"),
        "unable": made.unable,
        "findings": [finding.as_json() for finding in made.matrix.in_order],
        "matrix": made.matrix.as_json(),
    }


def as_text(made: Campaign) -> Iterator[str]:
    """What a person reads."""
    yield (
        f"{made.word}: {made.plans} plans of {made.possible} in {made.scenarios} scenarios, "
        f"{made.matrix.total('inapplicable')} inapplicable, {made.matrix.total('could not run')} could not run"
    )
    for words in made.unable:
        yield f"could not run  {words}"
    for finding in made.matrix.in_order:
        faults = ", ".join(f"{name} {count}" for name, count in sorted(finding.faults.items()))
        law = f"law {finding.law}: " if finding.law else ""
        yield f"{finding.verdict}  {law}{finding.why}  ({finding.runs} runs: {faults})"
        yield f"    again  {finding.again}"
    yield ""
    yield "verdicts as broken/unknown/holds; n/a: the fault did not fire"
    yield from made.matrix.as_text()
