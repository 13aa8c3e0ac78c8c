"""What a ledger adds up to: for each claim a verdict, the strongest evidence for it, its teeth, and what shows it.

Broken by any run is broken. Held by a run whose check has teeth, it holds, as strong as the strongest such run. Held
only by checks that nothing ever turned, it is unknown: no teeth. Where nothing ran there is no verdict at all.
"""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from harness.claims import Claim
from harness.evidence.record import Record
from harness.kept.origin import RANK
from harness.laws.verdict import Word

NO_TEETH = "no teeth"
NOT_SHOWN = "not shown"


@dataclass(frozen=True, slots=True)
class Shown:
    """One record behind a claim's state: by what, how strong, on which platform, about which products."""

    by: str
    verdict: Word
    strength: str
    platform: str
    about: Mapping[str, list[str]]
    run: str

    def as_json(self) -> dict[str, Any]:
        return {
            "by": self.by, "verdict": self.verdict, "strength": self.strength, "platform": self.platform,
            "about": dict(self.about), "run": self.run,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class ClaimState:
    """Where a claim stands. verdict, strength: None where it is not shown. shown_by: the records that decide it,
    strongest first. elsewhere: how many records there are for other builds, which decide nothing here."""

    claim: Claim
    verdict: Word | None
    strength: str | None
    teeth: tuple[str, ...]
    shown_by: tuple[Shown, ...]
    elsewhere: int = 0

    @property
    def word(self) -> str:
        """The verdict as people read it: holds, broken, unknown, no teeth, not shown."""
        if self.verdict is None:
            return NOT_SHOWN
        toothless = self.verdict == "unknown" and any(shown.verdict == "holds" for shown in self.shown_by)
        return NO_TEETH if toothless else self.verdict

    def as_json(self) -> dict[str, Any]:
        """`{id, kind, strength, verdict, teeth, shown_by}`, as `trailcam claims --json` prints it."""
        return {
            "id": self.claim.id,
            "kind": self.claim.kind,
            "strength": self.strength,
            "verdict": self.verdict,
            "teeth": list(self.teeth),
            "shown_by": [shown.as_json() for shown in self.shown_by],
        }


def summary(
    ledger: Iterable[Record], claims: Mapping[str, Claim], build: Mapping[str, str] | None = None
) -> list[ClaimState]:
    """The state of every claim, in the order of the claims. build: hashes of the sources as they are now; records made
    with others decide nothing. None: every record counts, whatever it was made with."""
    by_claim: dict[str, list[Record]] = {}
    for record in ledger:
        by_claim.setdefault(record.claim, []).append(record)
    return [_state(claim, by_claim.get(id, []), build) for id, claim in claims.items()]


def is_current(record: Record, build: Mapping[str, str]) -> bool:
    """Whether a record was made with these sources, as far as both name them; they must both name one."""
    named = [(digest, build[name]) for name, digest in record.build.items() if name in build]
    return bool(named) and all(made == now for made, now in named)


def _state(claim: Claim, records: list[Record], build: Mapping[str, str] | None) -> ClaimState:
    current = [
        record
        for record in records
        if (build is None or is_current(record, build)) and set(claim.about) <= set(record.about)
    ]
    verdict, deciding, teeth = _decide(current)
    deciding.sort(key=lambda record: (-RANK[record.strength], record.line()))
    strength = deciding[0].strength if deciding else None
    return ClaimState(claim, verdict, strength, teeth, tuple(map(_shown, deciding)), len(records) - len(current))


def _decide(records: list[Record]) -> tuple[Word | None, list[Record], tuple[str, ...]]:
    """(verdict, the records that decide it, teeth)."""
    of = {word: [record for record in records if record.verdict == word] for word in ("broken", "holds", "unknown")}
    teeth = tuple(sorted({tooth for record in of["holds"] for tooth in record.teeth}))
    if of["broken"]:
        return "broken", of["broken"], teeth
    biting = {record.by for record in of["holds"] if record.teeth}
    held = [record for record in of["holds"] if record.by in biting]
    if held:
        return "holds", held, teeth
    if of["holds"] or of["unknown"]:
        return "unknown", of["holds"] or of["unknown"], ()
    return None, [], ()


def _shown(record: Record) -> Shown:
    about = {program: origin.as_json() for program, origin in sorted(record.about.items())}
    return Shown(record.by, record.verdict, record.strength, record.platform, about, record.run)
