"""One record of evidence: what one run or test shows of one claim. Form, hash and strength of its line.

A line is canonical JSON (ASCII, keys sorted, compact) with a hash over all else in it. Strength is in the line for
readers; it is computed from `about`, and a line that says another is refused.
"""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from harness.kept.origin import Origin, origin_from, weakest
from harness.kept.sources import canonical_hash
from harness.laws.verdict import EXIT_CODES, Word
from harness.problem import Problem
from harness.tape.schema import is_sha256, shown
from harness.wire.jsontext import JsonTextError, dumps, loads

TEETH = ("fault", "guard", "broken")
"""What can turn a verdict: a fault, a guard taken out of the stack, a deliberately broken stack or part."""
SHOWN_BY = ("scenario", "test")
FIELDS = ("about", "build", "by", "claim", "hash", "platform", "run", "strength", "teeth", "verdict")
EDITED = "never edit a ledger: make the runs again, and add what they show"


class LedgerProblem(Problem):
    """A ledger was edited, or is none. Exit code 3: nothing that stands in it counts."""


@dataclass(frozen=True, slots=True)
class Record:
    """What a run or test shows of a claim.

    about: each program of the claim -> what stood behind it. by: `scenario:PATH` or `test:NODE`. teeth: what turned
    the verdict, as `fault:NAME`, `guard:PATH#NAME` or `broken:NAME`. run: the hash that names the run. platform:
    `sys.platform` of the machine. build: name -> SHA-256 of the sources it was made with.
    """

    claim: str
    verdict: Word
    about: Mapping[str, Origin]
    by: str
    run: str
    platform: str
    teeth: tuple[str, ...] = ()
    build: Mapping[str, str] = field(default_factory=dict)

    @property
    def strength(self) -> str:
        """That of the weakest program it is about."""
        return weakest(origin.strength for origin in self.about.values())

    def as_json(self) -> dict[str, Any]:
        """Every field of the line but its hash."""
        return {
            "about": {program: origin.as_json() for program, origin in sorted(self.about.items())},
            "build": dict(sorted(self.build.items())),
            "by": self.by,
            "claim": self.claim,
            "platform": self.platform,
            "run": self.run,
            "strength": self.strength,
            "teeth": sorted(self.teeth),
            "verdict": self.verdict,
        }

    def line(self) -> str:
        """The line of a ledger, without its newline."""
        fields = self.as_json()
        return dumps({**fields, "hash": canonical_hash(fields)}, sort=True)


def record_from(text: str, file: str, number: int) -> Record:
    """The record in one line. Raises LedgerProblem for a line that is not exactly what `Record.line` writes."""

    def refuse(seen: str, expected: str) -> LedgerProblem:
        return LedgerProblem(seen, expected, EDITED, file=file, line=number)

    try:
        fields = loads(text)
    except JsonTextError as error:
        raise refuse(f"{shown(text)}: {error}", "one JSON object") from None
    if type(fields) is not dict or tuple(sorted(fields)) != FIELDS:
        seen = f"an object with {', '.join(sorted(fields))}" if type(fields) is dict else shown(text)
        raise refuse(seen, f"an object with {', '.join(FIELDS)}")
    said = fields.pop("hash")
    if said != canonical_hash(fields):
        raise refuse("a line whose content does not have its hash", "the line as it was written")
    fault = _fault(fields)
    if fault is not None:
        raise refuse(*fault)
    try:
        about = {program: origin_from(value) for program, value in fields["about"].items()}
    except ValueError as error:
        raise refuse(str(error), "origins as `[back, version]`") from None
    record = Record(
        fields["claim"], fields["verdict"], about, fields["by"], fields["run"], fields["platform"],
        tuple(fields["teeth"]), fields["build"],
    )
    if record.strength != fields["strength"]:
        raise refuse(f"strength {fields['strength']!r}", f"{record.strength!r}, which is that of its origins")
    if record.line() != text:
        raise refuse("a line in another form", "canonical JSON, as it was written")
    return record


def _fault(fields: Mapping[str, Any]) -> tuple[str, str] | None:
    """What is wrong with the values of a line, though its hash is right."""
    for name in ("by", "claim", "platform", "run", "strength", "verdict"):
        if type(fields[name]) is not str:
            return f"{name} {shown(fields[name])}", "a text"
    if fields["verdict"] not in EXIT_CODES:
        return f"verdict {fields['verdict']!r}", f"one of {', '.join(EXIT_CODES)}"
    if fields["by"].partition(":")[0] not in SHOWN_BY:
        return f"by {fields['by']!r}", " or ".join(f"{kind}:NAME" for kind in SHOWN_BY)
    if not is_sha256(fields["run"]):
        return f"run {fields['run']!r}", "64 hexadecimal digits"
    if type(fields["about"]) is not dict or not fields["about"]:
        return f"about {shown(fields['about'])}", "at least one program"
    build = fields["build"]
    if type(build) is not dict or not all(map(is_sha256, build.values())):
        return f"build {shown(build)}", "name -> 64 hexadecimal digits"
    return teeth_fault(fields["teeth"])


def teeth_fault(teeth: Any) -> tuple[str, str] | None:
    """What is wrong with a list of teeth, or None."""
    kinds = " or ".join(f"{kind}:NAME" for kind in TEETH)
    if type(teeth) is not list:
        return f"teeth {shown(teeth)}", f"a list of {kinds}"
    for tooth in teeth:
        kind, _, name = tooth.partition(":") if type(tooth) is str else ("", "", "")
        if kind not in TEETH or not name:
            return f"tooth {shown(tooth)}", kinds
    return None
