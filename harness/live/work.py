"""A live run, or a rehearsal, from its scenarios to evidence and report.

The checks of each scenario are tried first, on our fakes in virtual time: so it is known that they can fail before
anything real is touched, and a scenario whose checks do not hold there is never run against real programs.
"""
from __future__ import annotations

import platform
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from harness.claims import Claim
from harness.evidence.collect import Lacking, evidence_of_run
from harness.evidence.ledger import add
from harness.evidence.record import record_from
from harness.evidence.seen import Sighting, note_sightings
from harness.evidence.summary import summary
from harness.judged.run import Judged, judge_run
from harness.kept.run import save
from harness.kept.sources import source_hashes
from harness.live.drift import Drift, committed, drift, forms
from harness.live.machine import Machine
from harness.live.places import Open
from harness.live.results import Results
from harness.live.session import Session
from harness.live.systems import LiveSystem
from harness.problem import Problem
from harness.scenario.compile import Choice, compile_sheet
from harness.scenario.keep import NAME_LENGTH
from harness.scenario.scenario import Scenario
from harness.serve.dotted import resolve
from harness.subjects import Subject
from harness.verify.units import Unit
from harness.verify.work import work

RUNS, TAPES, LEDGER, SEEN, REPORT = "runs", "tapes", "ledger.jsonl", "seen.jsonl", "report"
WRITER = "reports.render:write"


@dataclass(frozen=True, slots=True)
class Work:
    """One run of `trailcam live`. folder: of this kind of run alone; say: told what begins, one line each."""

    system: LiveSystem
    subject: Subject
    claims: Mapping[str, Claim]
    claims_folder: Path
    machine: Machine
    open_places: Open
    folder: Path
    say: Callable[[str], None]

    def do(self, scenarios: Sequence[Scenario]) -> Results:
        """Run all. Raises KeyboardInterrupt where one was interrupted: then nothing is written as evidence."""
        clear(self.folder)
        results = Results()
        try:
            for scenario in scenarios:
                self._one(scenario, results)
        except KeyboardInterrupt:
            clear(self.folder)
            for each in results.stays:
                self.say(f"stays open: {each}")
            raise
        if results.judged:
            self._add_up(results)
        return results

    def _one(self, scenario: Scenario, results: Results) -> None:
        self.say(f"{scenario.name}: trying its checks on our fakes")
        tried = work(scenario, unit_of(scenario), self.claims, None)
        if tried.findings:
            found = tried.findings[0]
            results.failed.append(f"{scenario.name} was not run: on our fakes {found.verdict}: {found.why}")
            return
        add((record_from(line, LEDGER, 0) for line in tried.records), self.folder / LEDGER)
        self.say(f"{scenario.name}: running")
        sheet = {**compile_sheet(scenario, Choice(mode="process")), "back": "model"}
        tapes = self.folder / TAPES / scenario.name.removesuffix(".yaml").replace("/", "-")
        session = Session(sheet, self.system, self.subject, self.machine, self.open_places, tapes, results.stays)
        try:
            judged = judge_run(session.run())
        except Problem as problem:
            results.failed.append(f"{scenario.name}: {problem}")
            return
        save(judged.run, self.folder / RUNS / judged.run.name[:NAME_LENGTH])
        results.judged.append(judged)
        results.back = str(judged.run.sheet["back"])
        records, lacking = evidence_of_run(self.claims, judged.claims, judged.run)
        add(records, self.folder / LEDGER)
        assert judged.run.header is not None and judged.run.header.date is not None  # the tap writes both
        sighting = Sighting(judged.run.name, judged.run.header.date, f"{platform.system()} {platform.machine()}")
        note_sightings(self.folder / SEEN, [sighting])
        results.untaped.update({each.claim: self._why(each) for each in lacking})
        results.drift += self._drift(judged)

    def _why(self, lacking: Lacking) -> str:
        """A program that may not be tapped took no part as far as anybody can show."""
        about = self.claims[lacking.claim].about
        reasons = [self.system.untapped[program] for program in about if program in self.system.untapped]
        return reasons[0] if reasons else lacking.why

    def _drift(self, judged: Judged) -> list[Drift]:
        found: list[Drift] = []
        header = judged.run.header
        assert header is not None
        for program, patterns in self.system.baseline.items():
            version = judged.run.provenance.origins[program].version
            paths = baseline(patterns, version, tuple(self.subject.profiles))
            now = forms(header, judged.run.journal, program)
            found += [each for each in drift(committed(paths, program), now) if each not in found]
        return found

    def _add_up(self, results: Results) -> None:
        """Evidence and report. What fakes showed counts as what it is, beside what this run shows."""
        build = source_hashes(self.subject.packages)
        write = resolve(WRITER)
        results.stays += self.system.keeps if results.back == "live" else ()
        notes = [f"drift: {each.words}" for each in results.drift]
        results.uncompared = self.system.uncompared
        notes += [f"drift was not looked for: {each}" for each in (results.uncompared,) if each]
        notes += [*results.failed, *(f"stays open: {each}" for each in results.stays)]
        if results.back != "live":
            notes.append("A rehearsal: our fakes stood in the places of the real programs, so nothing here is live.")
        _, results.report = write(
            self.folder / RUNS, self.folder / LEDGER, self.claims_folder, self.folder / REPORT, build=build,
            lacking={claim: [why] for claim, why in results.untaped.items()}, notes=notes,
        )  # fmt: skip
        shown = {claim for judged in results.judged for claim in judged.claims}
        ledger = add((), self.folder / LEDGER)
        results.states = [state for state in summary(ledger, self.claims, build) if state.claim.id in shown]


def unit_of(scenario: Scenario) -> Unit:
    """The unit that tries a scenario's checks."""
    return Unit(scenario.file, scenario.name, scenario.profiles[-1], "model", "virtual", True)


def baseline(patterns: Sequence[str], version: str, known: Sequence[str], root: Path = Path()) -> list[str]:
    """The committed tapes of a version, or of the newest profile where there are none of it."""
    for each in (version, *reversed(known)):
        paths = [str(root / pattern.format(version=each)) for pattern in patterns]
        if all(Path(path).is_file() for path in paths):
            return paths
    raise Problem(f"no committed tape for {version}", f"tapes at {', '.join(patterns)}", "run in the checkout")


def clear(folder: Path) -> None:
    """Remove what an earlier run of this kind left in its own folder, and nothing else."""
    for name in (RUNS, TAPES, REPORT):
        shutil.rmtree(folder / name, ignore_errors=True)
    for name in (LEDGER, SEEN):
        (folder / name).unlink(missing_ok=True)
    folder.mkdir(parents=True, exist_ok=True)
