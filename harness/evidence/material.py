"""What a report is made of: kept runs, judged again, beside the ledger; refused where the two do not agree.

No verdict is taken from a file. The laws and the `then` items of each kept run are judged anew, and a ledger that says
something else of that run makes the whole refuse.
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from harness.claims import Claim, load_claims
from harness.evidence.ledger import Ledger, read_all
from harness.evidence.record import LedgerProblem
from harness.evidence.seen import Sighting, beside, sightings
from harness.evidence.summary import ClaimState, summary
from harness.judged.run import Judged, judge_run
from harness.kept.run import FILES, load

MISMATCH = "make the runs again; neither ledger nor kept run is evidence as they are"


@dataclass(frozen=True, slots=True)
class Material:
    """All that a report shows. states: of every claim, in the claims' order; runs: by scenario and name."""

    claims: Mapping[str, Claim]
    states: Sequence[ClaimState]
    ledger: Ledger
    runs: Sequence[Judged]
    seen: Mapping[str, tuple[Sighting, ...]] = field(default_factory=dict)
    build: Mapping[str, str] = field(default_factory=dict)


def gather(runs: Path, ledger: Path, claims: Path, build: Mapping[str, str] | None = None) -> Material:
    """Read and judge everything. build: hashes of the sources as they are; records made with others decide nothing.

    Raises LedgerProblem, KeptProblem, TapeProblem or ClaimsProblem; a missing folder of runs is no runs.
    """
    loaded = load_claims(claims)
    records = read_all(ledger)
    folders = sorted(path for path in runs.iterdir() if path.is_dir()) if runs.is_dir() else []
    found = [judge_run(load(folder)) for folder in folders if any((folder / name).exists() for name in FILES)]
    found.sort(key=lambda each: (each.run.sheet["scenario"], each.run.name))
    _agree(records, found, ledger)
    return Material(
        loaded, summary(records, loaded, build), records, found, sightings(beside(ledger)), dict(build or {})
    )


def _agree(records: Ledger, runs: Sequence[Judged], ledger: Path) -> None:
    """The ledger says of a kept run what the run says now."""
    words = {run.run.name: run.claims for run in runs}
    for number, record in enumerate(records, 1):
        now = words.get(record.run, {}).get(record.claim)
        if now is not None and record.by.startswith("scenario:") and now != record.verdict:
            raise LedgerProblem(
                f"{record.claim} {record.verdict} by run {record.run[:12]}", f"{now}, which its kept run comes to",
                MISMATCH, file=str(ledger), line=number,
            )  # fmt: skip
