"""When and where runs were made: dates and machines beside a ledger, keyed by run, because no record has them.

A ledger must come out the same wherever its runs are made; a reader still wants to know how old they are.
"""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from harness.evidence.record import EDITED, LedgerProblem
from harness.tape.schema import is_date, is_sha256, shown
from harness.wire.jsontext import JsonTextError, dumps, loads

NAME = "seen.jsonl"


@dataclass(frozen=True, slots=True)
class Sighting:
    """One run was made. date: `2026-01-31` or with `T23:59:59Z`; machine: system, release and processor."""

    run: str
    date: str
    machine: str


def beside(ledger: Path) -> Path:
    """Where the sightings of a ledger stand."""
    return ledger.with_name(NAME)


def sightings(path: Path) -> Mapping[str, tuple[Sighting, ...]]:
    """Run -> its sightings, in the order of the file. Raises LedgerProblem; no file is no sighting."""
    if not path.exists():
        return {}
    found: dict[str, tuple[Sighting, ...]] = {}
    lines = path.read_bytes().decode("ascii", "replace").split("\n")
    if lines.pop():
        raise LedgerProblem("a last line without its end", "a newline", EDITED, file=str(path), line=len(lines) + 1)
    for number, line in enumerate(lines, 1):
        sighting = _sighting(line, str(path), number)
        found[sighting.run] = (*found.get(sighting.run, ()), sighting)
    return found


def _sighting(text: str, file: str, number: int) -> Sighting:
    try:
        fields = loads(text)
    except JsonTextError:
        fields = None
    if (
        type(fields) is not dict
        or set(fields) != {"run", "date", "machine"}
        or not is_sha256(fields["run"])
        or not is_date(fields["date"])
        or type(fields["machine"]) is not str
    ):
        raise LedgerProblem(shown(text), "`{run, date, machine}`", EDITED, file=file, line=number)
    return Sighting(**fields)


def note_sightings(path: Path, new: Iterable[Sighting]) -> None:
    """Append sightings; the same one is not written twice. The file is read once, however many there are."""
    known = sightings(path)
    there = {sighting for found in known.values() for sighting in found}
    lines = [dumps(asdict(sighting), sort=True) + "\n" for sighting in dict.fromkeys(new) if sighting not in there]
    if not lines:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="ascii", newline="\n") as file:
        file.write("".join(lines))


def note_sighting(path: Path, sighting: Sighting) -> None:
    """Append one sighting."""
    note_sightings(path, [sighting])
