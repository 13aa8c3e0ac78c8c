"""Evidence: what runs and tests show for each claim, in an append-only, content-hashed ledger, and what it adds up to.

- `record`: one line of a ledger: its form, its hash, and its strength, which is computed and never given.
- `ledger`: a sorted set of records in a file; read strictly, added to, never edited.
- `seen`: dates and machines of runs, beside a ledger.
- `collect`: records out of runs, and out of tests that are marked with a claim; and why there is none.
- `teeth`: what turned a claim's verdict, and so shows that its check can fail.
- `summary`: for each claim the strongest evidence that there is for this build.

What a claim's `about` names is what its evidence is about: a verdict is as strong as the weakest of these programs.
"""
from harness.evidence.collect import Lacking, evidence_of_run, evidence_of_test
from harness.evidence.ledger import Ledger, add, read
from harness.evidence.record import LedgerProblem, Record
from harness.evidence.seen import Sighting, note_sighting, note_sightings, sightings
from harness.evidence.summary import ClaimState, Shown, summary
from harness.evidence.teeth import teeth_of
from harness.kept.origin import STRENGTHS, Origin

__all__ = [
    "STRENGTHS",
    "ClaimState",
    "Lacking",
    "Ledger",
    "LedgerProblem",
    "Origin",
    "Record",
    "Shown",
    "Sighting",
    "add",
    "evidence_of_run",
    "evidence_of_test",
    "note_sighting",
    "note_sightings",
    "read",
    "sightings",
    "summary",
    "teeth_of",
]
