"""Tapes of our own fake say what they are: never as strong as a recording of Apple's program. None is left over.

How they are made: `python -m tests.record_tapes`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.kept.origin import Origin
from harness.tape.header import Header
from harness.tape.read import read
from tests.record_tapes import ROOT, SAFARI, taped

FOLDER = ROOT / "scenarios/tapes/safari-mcp"
TAPES = sorted(FOLDER.rglob("*.jsonl"))


def header_of(tape: Path) -> Header:
    header, events = read(str(tape))
    events.close()
    return header


@pytest.mark.parametrize("tape", TAPES, ids=lambda tape: str(tape.relative_to(FOLDER)))
def test_a_tape_of_our_fake_never_reads_as_apples(tape: Path) -> None:
    header = header_of(tape)
    origin = Origin.of_tape(header, "safaridriver")
    assert (origin.strength, origin.recorded, origin.version) == ("model", "model", tape.parent.name)
    assert "no program of Apple's took part" in str(header.origin["source"])
    assert "WebKitGTK" in str(header.origin["source"])


def test_every_tape_stands_behind_a_scenario_and_every_scenario_has_its_tapes() -> None:
    named = {
        ROOT / programs["safaridriver"]
        for scenario in taped(ROOT / SAFARI) for programs in scenario.given["tapes"].values()
    }  # fmt: skip
    assert named == set(TAPES)
    assert all(set(scenario.given["tapes"]) == set(scenario.profiles) for scenario in taped(ROOT / SAFARI))
