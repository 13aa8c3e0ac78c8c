"""`trailcam live`: the scenarios below scenarios/live/ against the real programs of a Mac. Runs only when asked for.

First the doctor, which changes nothing: where anything is missing it says what and what to do, and nothing is started.
`--doctor` stops there. `--rehearse` takes the same path anywhere, with our fakes in the places of the real programs;
its evidence says so, and is never live. Exit code 0 where all holds and nothing drifted, 1 where something is broken or
a drift can break a client, 3 where something is missing, unknown or could not run, 130 after an interrupt.
"""
from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from harness.claims import FOLDER as CLAIMS
from harness.claims import load_claims
from harness.live.doctor import Check, as_text, examine, lacking
from harness.live.machine import Machine, ThisMachine, official_table
from harness.live.places import real, rehearsal
from harness.live.systems import SYSTEMS, live_system
from harness.live.work import Work
from harness.problem import UsageProblem
from harness.scenario.scenario import ROOT, Scenario, load_scenario
from harness.subjects import Subject, subject

FOLDER = ROOT / "live"
OUT = Path("build/live")
REHEARSED = Path("build/rehearsal")
NOT_STARTED = 3


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser("live", help="run the opted-in scenarios against the real programs of a Mac")
    parser.add_argument("--system", choices=tuple(SYSTEMS), default=next(iter(SYSTEMS)), help="which system")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--doctor", action="store_true", help="only say what is here, what is missing and what to do")
    what.add_argument("--rehearse", action="store_true", help="with our fakes in the places of the real programs")
    parser.add_argument("--scenarios", type=Path, default=FOLDER, help=f"folder of the scenarios (default: {FOLDER})")
    parser.add_argument("--claims", type=Path, default=CLAIMS, help=f"folder of the claims (default: {CLAIMS})")
    parser.add_argument("--out", type=Path, help=f"where all of it goes (default: {OUT}, for a rehearsal {REHEARSED})")
    parser.add_argument("--json", action="store_true", help="one JSON document on stdout")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Look, run, judge, report. Raises UsageProblem, ScenarioProblem, and KeyboardInterrupt after an interrupt."""
    of = subject(args.system)
    return run_on(args, of, ThisMachine(of))


def run_on(args: argparse.Namespace, of: Subject, machine: Machine) -> int:
    """The same on a machine."""
    system = live_system(args.system)
    if not args.rehearse:
        checks = examine(system, official_table(of), machine)
        if args.doctor or lacking(checks):
            return diagnosed(checks, args)
        say("it touches this and nothing else: " + "; ".join(system.touches))
    claims = load_claims(args.claims)
    scenarios = load_all(args.scenarios, claims, of)
    places = rehearsal(of, machine) if args.rehearse else real(system, of, machine)
    out = args.out or (REHEARSED if args.rehearse else OUT)
    results = Work(system, of, claims, args.claims, machine, places, out, say).do(scenarios)
    if args.json:
        print(json.dumps(results.as_json(), indent=2))
    else:
        print("\n".join(results.as_text()))
    return results.exit_code


def say(text: str) -> None:
    """Progress."""
    print(f"trailcam live: {text}", file=sys.stderr, flush=True)


def diagnosed(checks: Sequence[Check], args: argparse.Namespace) -> int:
    """Say what was looked for; 3 where no run may start."""
    missing = lacking(checks)
    if args.json:
        rows = [check.as_json() for check in checks]
        print(json.dumps({"checks": rows, "missing": [check.name for check in missing], "started": False}, indent=2))
    else:
        print("\n".join(as_text(checks)))
    if missing:
        names = ", ".join(check.name for check in missing)
        say(f"missing: {names}; nothing was started, and nothing is shown live")
    return NOT_STARTED if missing else 0


def load_all(folder: Path, claims: Any, of: Subject) -> list[Scenario]:
    """The scenarios of a system that are opted in, which their folder says. Raises UsageProblem where there is none."""
    found = [load_scenario(path, claims, f"{folder.name}/{path.name}") for path in sorted(folder.glob("*.yaml"))]
    found = [scenario for scenario in found if scenario.system.name == of.name]
    if not found:
        raise UsageProblem(f"no scenario of {of.name} in {folder}", "scenarios that may run live", "name their folder")
    return found

