"""Dates and machines beside a ledger."""
from __future__ import annotations

from pathlib import Path

import pytest

from harness.evidence import LedgerProblem, Sighting, note_sighting, sightings
from harness.evidence.seen import beside

FIRST = Sighting("0" * 64, "2026-01-31", "Linux 6.1 x86_64")
LATER = Sighting("0" * 64, "2026-02-01T10:00:00Z", "Darwin 25 arm64")
OTHER = Sighting("1" * 64, "2026-01-31", "Linux 6.1 x86_64")


def test_sightings_are_kept_by_run_and_never_twice(tmp_path: Path) -> None:
    path = beside(tmp_path / "evidence" / "ledger.jsonl")
    assert path.name == "seen.jsonl"
    assert sightings(path) == {}
    for each in (FIRST, OTHER, LATER, FIRST):
        note_sighting(path, each)
    assert sightings(path) == {"0" * 64: (FIRST, LATER), "1" * 64: (OTHER,)}
    assert path.read_bytes().count(b"\n") == 3


@pytest.mark.parametrize(
    "line",
    [
        "{}", "[]", "", "{", '{"run":"0","date":"2026-01-31","machine":"m"}',
        '{"run":"%s","date":"yesterday","machine":"m"}' % ("0" * 64),
        '{"run":"%s","date":"2026-01-31","machine":3}' % ("0" * 64),
        '{"run":"%s","date":"2026-01-31","machine":"m","by":"me"}' % ("0" * 64),
    ],
)  # fmt: skip
def test_what_is_no_sighting_is_refused(line: str, tmp_path: Path) -> None:
    path = tmp_path / "seen.jsonl"
    note_sighting(path, FIRST)
    path.write_text(path.read_text() + line + "\n")
    with pytest.raises(LedgerProblem) as caught:
        note_sighting(path, OTHER)
    assert caught.value.line == 2


def test_a_torn_end_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "seen.jsonl"
    note_sighting(path, FIRST)
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(LedgerProblem, match="without its end"):
        sightings(path)
