"""A release made of real virtual runs, for the tests of release reports."""
from __future__ import annotations

from pathlib import Path

from harness.claims import load_claims
from harness.evidence.collect import evidence_of_run
from harness.evidence.ledger import add
from harness.evidence.seen import Sighting, note_sighting
from harness.judged.run import judge_run
from harness.kept.run import save
from reports.release_evidence import NAME_LENGTH, Sources
from tests.reports.made import BUILD, CLAIMS, kept

GUARD = "guard:stack/computer_use/session.py#turn"
RUN = kept("none")


def sources(folder: Path, private: frozenset[str] = frozenset(), teeth: bool = True) -> Sources:
    """A ledger with its run in a folder: one claim that holds with teeth, seen on two days on one machine."""
    claims = load_claims(CLAIMS)
    records, _ = evidence_of_run(claims, judge_run(RUN).claims, RUN, {"CUA-RES-01": ["fault:drop"]})
    add(records, folder / "ledger.jsonl")
    save(RUN, folder / "runs" / RUN.name[:NAME_LENGTH])
    for date in ("2026-02-03T04:05:06Z", "2026-02-05T04:05:06Z"):
        note_sighting(folder / "seen.jsonl", Sighting(RUN.name, date, "Linux secret-machine x86_64"))
    if teeth:
        line = f'{{"run":"{RUN.name}","teeth":{{"CUA-RES-01":["{GUARD}"]}}}}\n'
        other = f'{{"run":"{"0" * 64}","teeth":{{"CUA-RES-01":["guard:of/another/build.py#x"]}}}}\n'
        (folder / "teeth.jsonl").write_text(line + other)
    return Sources((folder / "ledger.jsonl", folder / "none.jsonl"), (folder / "runs",), CLAIMS, BUILD,
                   folder / "teeth.jsonl", private)  # fmt: skip

