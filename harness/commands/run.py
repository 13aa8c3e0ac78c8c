"""`trailcam run`: one scenario, run once, judged, with the verdicts on the terminal.

The exit code is that of the verdict; a run that does not hold prints the one command that makes it again. Whatever a
command of a verdict names can be given here: case, plan, seed, profile, mode, back, broken stack.
"""
from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from harness.claims import FOLDER as CLAIMS
from harness.claims import load_claims
from harness.judged.run import INAPPLICABLE, Judged
from harness.kept.origin import BACKS
from harness.problem import UsageProblem
from harness.scenario.compile import SEED, Choice, compile_sheet, plan_of
from harness.scenario.keep import judge_records, keep
from harness.scenario.runner import run as run_sheet
from harness.scenario.scenario import ROOT, Scenario, load_scenario
from harness.strangers.adapter import load_adapter
from harness.strangers.binding import bound

WIDTH = 9


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser("run", help="run one scenario once, and judge it")
    parser.add_argument("scenario", metavar="SCENARIO", help=f"a scenario file, or its path below {ROOT}/")
    parser.add_argument("--case", default="", metavar="NAME", help="one of the scenario's cases")
    parser.add_argument("--without", default="", metavar="ID",
                        help="leave out this fault of the case, or its `situation`")
    parser.add_argument("--plan", metavar="PLAN", help="a fault plan: a file, JSON, or the name of a case")
    parser.add_argument("--seed", type=_seed, default=SEED, metavar="N", help=f"seed of the run (default: {SEED})")
    parser.add_argument("--profile", default="", metavar="NAME", help="version of the programs (default: the newest)")
    parser.add_argument("--mode", choices=tuple(BACKS), help="virtual, or process (the default where a back needs it)")
    parser.add_argument("--back", choices=("model", "tape", "engine"), default="model",
                        help="what stands behind the main program (default: model)")
    parser.add_argument("--stack", type=Path, metavar="ADAPTER", help="somebody else's stack, by its adapter")
    parser.add_argument("--broken", metavar="JSON", help="a deliberately broken stack: {broken, with}")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="keep the run in a folder below this one")
    parser.add_argument("--json", action="store_true", help="one JSON document on stdout")
    parser.set_defaults(run=run)


def _seed(text: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise argparse.ArgumentTypeError(f"saw {text!r}; expected a whole number from 0")
    return int(text)


def run(args: argparse.Namespace) -> int:
    """Load, compile, run, judge, print. Raises ScenarioProblem, PlanProblem, or Problem where it can't be run."""
    scenario = load_scenario(find(args.scenario), load_claims(CLAIMS) if CLAIMS.is_dir() else None)
    if args.stack is not None:
        scenario = bound(scenario, load_adapter(args.stack))
    sheet = compile_sheet(scenario, choice_of(scenario, args))
    if sheet["mode"] != "virtual":
        print(f"trailcam run: {scenario.name} as processes", file=sys.stderr)
    judged = judge_records(run_sheet(sheet))
    folder = keep(judged, args.keep) if args.keep is not None else None
    if args.json:
        print(json.dumps({**judged.as_json(), "kept": None if folder is None else str(folder)}, indent=2))
    else:
        print("\n".join(as_text(judged)))
        if folder is not None:
            print(f"{'kept':<{WIDTH}}{folder}")
    return judged.exit_code


def find(name: str) -> Path:
    """The file that a word of the command line means. Raises UsageProblem."""
    for path in (Path(name), ROOT / name):
        if path.is_file():
            return path
    raise UsageProblem(f"no scenario {name!r}", f"a file, or a path below {ROOT}/", "see `ls scenarios/*`")


def choice_of(scenario: Scenario, args: argparse.Namespace) -> Choice:
    """How the command line wants the scenario to be run."""
    plan: dict[str, Any] | None = None
    case = args.case
    if args.plan is not None:
        if args.plan in scenario.cases:
            if case and case != args.plan:
                raise UsageProblem(f"--case {case} and --plan {args.plan}", "one case", "leave one out")
            case = args.plan
        else:
            plan = _plan(args.plan)
    mode = args.mode or ("process" if args.back not in BACKS["virtual"] or scenario.stranger else "virtual")
    broken = None if args.broken is None else _broken(args.broken)
    return Choice(args.profile, args.back, mode, args.seed, case, plan, args.without, broken)


def _plan(text: str) -> dict[str, Any]:
    if text.lstrip().startswith("{"):
        return plan_of(text)
    path = Path(text)
    try:
        return plan_of(path.read_text(encoding="utf-8"), str(path))
    except (OSError, UnicodeDecodeError) as error:
        raise UsageProblem(f"--plan {text!r} ({type(error).__name__})", "a file, JSON, or the name of a case",
                           "correct it; see docs/faults.md") from None


def _broken(text: str) -> dict[str, Any]:
    try:
        entry = json.loads(text)
    except ValueError:
        entry = None
    if not isinstance(entry, dict):
        raise UsageProblem(f"--broken {text!r:.80}", "a JSON object {broken, with}", "see docs/scenarios.md")
    return entry


def as_text(judged: Judged) -> Iterator[str]:
    """What a person reads: the verdict, each law and item, the claims, and how to make the run again."""
    sheet = judged.run.sheet
    word = judged.word if judged.applicable else INAPPLICABLE
    if "stack" in sheet:
        yield f"{'stack':<{WIDTH}}{sheet['stack']['name']} {sheet['stack']['version']} ({sheet['stack']['from']})"
    how = ", ".join((sheet["profile"], sheet["back"], sheet["mode"], f"seed {sheet['seed']}"))
    yield f"{word}: {sheet['scenario']}{': ' + sheet['case'] if 'case' in sheet else ''} ({how})"
    for law in judged.laws:
        yield f"law {law.law:<{WIDTH - 4}}{'-' if law.moot else law.verdict:<{WIDTH}}{law.why}"
    for said in judged.then:
        yield f"{'then':<{WIDTH}}{said.verdict:<{WIDTH}}{said.says} ({said.why})"
    for claim, verdict in judged.claims.items():
        yield f"{'claim':<{WIDTH}}{verdict:<{WIDTH}}{claim}"
    for id in judged.unfired:
        yield f"{'fault':<{WIDTH}}{'-':<{WIDTH}}{id} did not fire, so this run says nothing of it"
    if word != "holds":
        yield f"{'again':<{WIDTH}}{judged.again}"
