"""`trailcam verify`: the main job. Runs every scenario on every back that is here, judges, keeps evidence, and reports.

Kept runs go to build/runs, evidence to build/evidence, the report to build/report. Progress is on stderr. Exit code 0
where all holds, 1 where anything is broken, 3 where anything is unknown or could not be run; an engine that is missing
is named, and changes nothing.
"""
from __future__ import annotations

import argparse
import json
import os
import platform
import re
import shutil
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from harness.claims import FOLDER as CLAIMS
from harness.claims import Claim, load_claims
from harness.evidence.ledger import PATH as LEDGER
from harness.evidence.ledger import Ledger
from harness.evidence.ledger import add as add_to_ledger
from harness.evidence.record import record_from
from harness.evidence.seen import Sighting, beside, note_sightings
from harness.evidence.summary import is_current, summary
from harness.garbage import collected_rarely
from harness.kept.sources import changed_since, source_hashes
from harness.problem import UsageProblem
from harness.scenario.keep import NAME_LENGTH
from harness.scenario.scenario import ROOT, Scenario, load_scenario
from harness.serve.dotted import resolve
from harness.strangers.adapter import load_adapter
from harness.strangers.binding import scenarios_of
from harness.subjects import SUBJECTS, subject
from harness.verify.again import alone
from harness.verify.outcome import Outcome
from harness.verify.pool import Pool
from harness.verify.units import Unit, units_of
from harness.verify.work import Finding, Result, work

RUNS = Path("build/runs")
REPORT = Path("build/report")
WRITER = "reports.render:write"
"""Called with the folder of runs, the ledger, the folder of claims and the folder to write into, and what the runs of
now say of build, missing evidence and missing engines; gives what it shows, and the files."""
STRANGERS_RUNS = Path("build/runs-of-strangers")
NOT_SCENARIOS = ("claims", "tapes", "pages", "adapters", "strangers", "public-reports")
"""Folders below scenarios/ that hold something else."""
KEPT = re.compile(rf"[0-9a-f]{{{NAME_LENGTH}}}\Z")


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser("verify", help="run all scenarios, judge them, and write evidence and report")
    parser.add_argument("--system", choices=tuple(SUBJECTS), help="only scenarios of this system")
    parser.add_argument("--only", action="append", default=[], metavar="TEXT",
                        help="only scenarios with this in their path; repeatable")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N",
                        help="workers for runs in virtual time (default: one a core); 1: none, all in this process")
    parser.add_argument("--scenarios", type=Path, default=ROOT, help=f"folder of the scenarios (default: {ROOT})")
    parser.add_argument("--claims", type=Path, default=CLAIMS, help=f"folder of the claims (default: {CLAIMS})")
    parser.add_argument("--runs", type=Path, default=RUNS, help=f"where runs are kept (default: {RUNS})")
    parser.add_argument("--ledger", type=Path, default=LEDGER, help=f"where evidence is added (default: {LEDGER})")
    parser.add_argument("--report", type=Path, default=REPORT, help=f"where the report goes (default: {REPORT})")
    parser.add_argument("--stack", type=Path, metavar="ADAPTER",
                        help=f"somebody else's stack, by its adapter: its scenarios alone, kept in {STRANGERS_RUNS}/")
    parser.add_argument("--json", action="store_true", help="one JSON document on stdout")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """All of it. Raises ScenarioProblem and the like where an input is wrong, before anything runs."""
    if args.jobs < 1:
        raise UsageProblem(f"--jobs {args.jobs}", "a number from 1", "correct it")
    if args.stack is not None:
        return verify_stranger(args)
    claims = load_claims(args.claims)
    scenarios = load_all(args.scenarios, claims, args.system, args.only)
    units, missing = units_of(scenarios)
    clear(args.runs)
    build = source_hashes(sorted({name for each in SUBJECTS.values() for name in each.packages}))
    progress = Progress(len(units))
    work_off(units, scenarios, claims, args, progress)
    ledger = write_evidence(progress.results, args.ledger, build)
    here = frozenset(claim for scenario in scenarios for claim in scenario.claims)
    outcome = Outcome(progress.results, missing, summary(ledger, claims, build), here)
    written = write_report(args, outcome, build)
    if args.json:
        print(json.dumps({**outcome.as_json(), "report": [str(path) for path in written]}, indent=2))
    else:
        print("\n".join(outcome.as_text()))
        if written:
            print(f"report    {written[0]}")
    return outcome.exit_code if written or outcome.exit_code == 1 else 3


def verify_stranger(args: argparse.Namespace) -> int:
    """The scenarios of somebody else's stack, one at a time. There is no evidence and no report: no claim stands on it.

    Raises AdapterProblem or ScenarioProblem where an input is wrong, before anything runs.
    """
    adapter = load_adapter(args.stack)
    scenarios = [each for each in scenarios_of(adapter, args.scenarios)
                 if not args.only or any(text in each.file for text in args.only)]
    units, missing = units_of(scenarios)
    runs = STRANGERS_RUNS / adapter.stack
    clear(runs)
    progress = Progress(len(units))
    by_file = {scenario.file: scenario for scenario in scenarios}
    for unit in units:
        progress.done(work(by_file[unit.file], unit, {}, runs))
    outcome = Outcome(progress.results, missing, (), frozenset())
    if args.json:
        print(json.dumps({"stack": adapter.identity, **outcome.as_json()}, indent=2))
    else:
        print(f"stack     {adapter.stack} {adapter.version} ({adapter.origin})")
        print("\n".join(line for line in outcome.as_text() if not line.startswith("claims ")))
        print(f"kept      {runs}")
    return outcome.exit_code


def load_all(folder: Path, claims: Mapping[str, Claim], system: str | None, only: Sequence[str]) -> list[Scenario]:
    """The scenarios of a folder, in the order of their paths. Raises UsageProblem where there is none."""
    files = sorted(path for path in folder.glob("*/*.yaml") if path.parent.name not in NOT_SCENARIOS)
    chosen = [path for path in files if not only or any(text in path.as_posix() for text in only)]
    scenarios = [load_scenario(path, claims, path.relative_to(folder).as_posix()) for path in chosen]
    scenarios = [scenario for scenario in scenarios if system is None or scenario.system is subject(system)]
    if not scenarios:
        raise UsageProblem(f"no scenario in {folder}", "scenarios, as <system>/<behaviour>.yaml",
                           "run in the checkout, or choose less narrowly")
    return scenarios


def clear(runs: Path) -> None:
    """Remove the runs that an earlier verification kept, and nothing else."""
    for path in (*runs.glob("*"), *repeated_runs(runs).glob("*")):
        if KEPT.match(path.name) and path.is_dir():
            shutil.rmtree(path)


def repeated_runs(runs: Path) -> Path:
    """Where the runs go that were made again: kept for whoever wants to look, and no part of the report."""
    return runs.with_name(f"{runs.name}-repeated")


class Progress:
    """Results as they come, and a line on stderr for each unit."""

    def __init__(self, total: int) -> None:
        self.results: list[Result] = []
        self._total = total
        self._again = False

    def done(self, result: Result) -> None:
        self.results.append(result)
        runs = sum(result.runs.values()) - result.runs["inapplicable"]
        broken = sum(finding.verdict == "broken" for finding in result.findings)
        said = f", {broken} broken" if broken else f", {len(result.findings)} unknown" if result.findings else ""
        place = "again" if self._again else f"{len(self.results)} of {self._total}"
        print(f"trailcam verify: {place}: {result.unit.words}: {runs} runs{said}", file=sys.stderr, flush=True)

    def repeats(self, late: Result) -> None:
        """A unit is about to be run again."""
        self._again = True
        print(f"trailcam verify: again, alone: {late.unit.words}: {late.findings[0].why}", file=sys.stderr, flush=True)


def work_off(
    units: Sequence[Unit], scenarios: Sequence[Scenario], claims: Mapping[str, Claim], args: argparse.Namespace,
    progress: Progress,
) -> None:
    """Run every unit, here or by workers, and then alone what came too late for its clock; afterwards the results are
    in the order of the units."""
    by_file = {scenario.file: scenario for scenario in scenarios}

    def these(units: Sequence[Unit], jobs: int) -> None:
        if args.jobs == 1:
            for unit in units:
                progress.done(work(by_file[unit.file], unit, claims, args.runs))
        else:
            Pool(args.claims, args.runs, progress.done).work(units, jobs)

    def again(late: Result) -> Result:
        repeated_runs(args.runs).mkdir(parents=True, exist_ok=True)
        for name in late.kept:
            shutil.move(args.runs / name, repeated_runs(args.runs) / name)
        progress.repeats(late)
        these([late.unit], 1)
        return progress.results.pop()

    these(units, args.jobs)
    if args.jobs > 1:  # else everything ran alone already
        progress.results[:] = alone(progress.results, again)
    places = {unit: place for place, unit in enumerate(units)}
    progress.results.sort(key=lambda result: places[result.unit])


def write_evidence(results: Sequence[Result], path: Path, build: Mapping[str, str]) -> Ledger:
    """Add the records of all results to the ledger, and when and where the runs were made beside it. Records of other
    sources than those of now show nothing of them, which is a finding."""
    records = [record_from(line, str(path), 0) for result in results for line in result.records]
    if changed_since(build) or not all(is_current(record, build) for record in records):
        why = "the sources were changed while they were verified: what was run first is not what stands there now"
        results[0].findings.append(Finding("unknown", "verify", why, "trailcam verify"))
    ledger = add_to_ledger(records, path)
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    machine = f"{platform.system()} {platform.release()} {platform.machine()}"
    names = dict.fromkeys(name for result in results for name in result.names)
    note_sightings(beside(path), [Sighting(name, now, machine) for name in names])
    return ledger


def write_report(args: argparse.Namespace, outcome: Outcome, build: Mapping[str, str]) -> list[Path]:
    """The files of the report; none, with the reason on stderr, where the reports can't be imported."""
    try:
        write = resolve(WRITER)
    except (ImportError, AttributeError) as error:
        print(f"trailcam verify: no report was written: {WRITER} can't be imported ({error})", file=sys.stderr)
        return []
    lacking = {claim: [why] for claim, why in outcome.not_shown.items()}
    notes = [f"{each.what}: {each.unit.words} was not run" for each in outcome.missing] + outcome.repeated
    with collected_rarely():
        _, paths = write(args.runs, args.ledger, args.claims, args.report, build=build, lacking=lacking, notes=notes)
    return list(paths)
