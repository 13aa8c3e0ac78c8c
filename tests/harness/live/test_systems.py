"""The rows of live systems fit their subjects: nothing that a subject starts is left unsaid."""
from __future__ import annotations

import pytest

from harness.live.systems import SYSTEMS, live_system
from harness.problem import UsageProblem
from harness.subjects import SUBJECTS
from tests.tidy.tree import ROOT


@pytest.mark.parametrize("name", SYSTEMS)
def test_every_program_is_tapped_or_has_a_reason_and_is_verified(name: str) -> None:
    row, subject = SYSTEMS[name], SUBJECTS[name]
    assert {*row.taps, *row.untapped} == set(subject.uses)
    assert not {*row.taps} & {*row.untapped}
    assert set(row.signed) == set(row.get) == set(subject.uses)
    assert {program: subject.dialects[program] for program in row.taps} == dict(row.taps)


@pytest.mark.parametrize("name", SYSTEMS)
def test_there_is_a_committed_tape_of_every_version_to_compare_with(name: str) -> None:
    row = SYSTEMS[name]
    paths = [p.format(version=each) for each in SUBJECTS[name].profiles for ps in row.baseline.values() for p in ps]
    assert paths
    assert [path for path in paths if not (ROOT / path).is_file()] == []


@pytest.mark.claim("HAR-LIVE-02")
def test_what_a_run_touches_is_said() -> None:
    assert all(row.touches for row in SYSTEMS.values())


def test_another_system_is_refused() -> None:
    with pytest.raises(UsageProblem, match="safari-mcp"):
        live_system("safari-mcp")
