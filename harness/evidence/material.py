"""What a report is made of: kept runs, judged again, beside the ledger; refused where the two do not agree.

No verdict is taken from a file. The laws and the `then` items of each kept run are judged anew, and a ledger that says
something else of that run makes the whole refuse.
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from harness.claims import Claim, load_claims
from harness.evidence.ledger import Ledger, read
from harness.evidence.record import LedgerProblem
from harness.evidence.seen import Sighting, beside, sightings
from harness.evidence.summary import ClaimState, summary
from harness.kept.run import FILES, KeptRun, load
from harness.laws.table import judge
from harness.laws.verdict import Verdict, Word, combine, overall
from harness.scenario.then import Said, judge_then

MISMATCH = "make the runs again; neither ledger nor kept run is evidence as they are"


@dataclass(frozen=True, slots=True)
class JudgedRun:
    """One kept run. folder: its name; laws, said: what laws and `then` items say of it now."""

    folder: str
    run: KeptRun
    laws: tuple[Verdict, ...]
    said: tuple[Said, ...]

    @property
    def word(self) -> Word:
        """The verdict on the whole run: its laws, and the items that had something to judge."""
        items = [said.verdict for said in self.said]
        return combine([overall(self.laws), *items])

    @property
    def planned(self) -> bool:
        """Whether it ran under a fault plan."""
        return bool((self.run.sheet.get("plan") or {}).get("faults"))

    @property
    def struck(self) -> bool:
        """Whether a fault of its plan fired: a plan that never did makes the run inapplicable."""
        return any(line["e"] == "fault" for line in self.run.world)

    def claims(self) -> dict[str, Word]:
        """Claim -> what the items and laws that stand for it come to."""
        words: dict[str, list[str]] = {}
        for said in self.said:
            for claim in said.claims:
                words.setdefault(claim, []).append(said.verdict)
        for number, claims in (self.run.sheet.get("laws") or {}).items():
            for claim in claims:
                words.setdefault(claim, []).extend(each.verdict for each in self.laws if str(each.law) == str(number))
        return {claim: combine(found) for claim, found in words.items()}


@dataclass(frozen=True, slots=True)
class Material:
    """All that a report shows. states: of every claim, in the claims' order; runs: by scenario and folder."""

    claims: Mapping[str, Claim]
    states: Sequence[ClaimState]
    ledger: Ledger
    runs: Sequence[JudgedRun]
    seen: Mapping[str, tuple[Sighting, ...]] = field(default_factory=dict)
    build: Mapping[str, str] = field(default_factory=dict)


def judged(folder: Path) -> JudgedRun:
    """The run in a folder, judged now. Raises KeptProblem or TapeProblem where it was changed."""
    run = load(folder)
    return JudgedRun(folder.name, run, tuple(judge(run)), tuple(judge_then(run)))


def gather(runs: Path, ledger: Path, claims: Path, build: Mapping[str, str] | None = None) -> Material:
    """Read and judge everything. build: hashes of the sources as they are; records made with others decide nothing.

    Raises LedgerProblem, KeptProblem, TapeProblem or ClaimsProblem; a missing folder of runs is no runs.
    """
    loaded = load_claims(claims)
    records = read(ledger)
    folders = sorted(path for path in runs.iterdir() if path.is_dir()) if runs.is_dir() else []
    found = [judged(folder) for folder in folders if any((folder / name).exists() for name in FILES)]
    found.sort(key=lambda each: (str(each.run.sheet.get("scenario")), each.folder))
    _agree(records, found, ledger)
    return Material(
        loaded, summary(records, loaded, build), records, found, sightings(beside(ledger)), dict(build or {})
    )


def _agree(records: Ledger, runs: Sequence[JudgedRun], ledger: Path) -> None:
    """The ledger says of a kept run what the run says now."""
    words = {run.run.name: run.claims() for run in runs}
    for number, record in enumerate(records, 1):
        now = words.get(record.run, {}).get(record.claim)
        if now is not None and record.by.startswith("scenario:") and now != record.verdict:
            raise LedgerProblem(
                f"{record.claim} {record.verdict} by run {record.run[:12]}", f"{now}, which its kept run comes to",
                MISMATCH, file=str(ledger), line=number,
            )  # fmt: skip
