"""The rows of live systems fit their subjects: nothing that a subject starts is left unsaid."""
from __future__ import annotations

import re

import pytest

from harness.claims import load_claims
from harness.commands.live import load_all
from harness.live.machine import official_table
from harness.live.systems import SYSTEMS, live_system
from harness.problem import UsageProblem
from harness.subjects import SUBJECTS
from tests.tidy.tree import ROOT


@pytest.mark.parametrize("name", SYSTEMS)
def test_every_program_is_tapped_or_has_a_reason_and_is_verified(name: str) -> None:
    row, subject = SYSTEMS[name], SUBJECTS[name]
    assert {*row.taps, *row.untapped} == set(subject.uses)
    assert not {*row.taps} & {*row.untapped}
    assert set(row.signed) == set(row.get) == set(official_table(subject))
    assert set(subject.uses) - set(official_table(subject)) <= set(row.untapped)
    assert {program: subject.dialects[program] for program in row.taps} == dict(row.taps)


@pytest.mark.parametrize("name", SYSTEMS)
def test_there_is_a_committed_tape_of_every_version_to_compare_with(name: str) -> None:
    """Or the row says why there is none; never both."""
    row = SYSTEMS[name]
    paths = [p.format(version=each) for each in SUBJECTS[name].profiles for ps in row.baseline.values() for p in ps]
    assert bool(paths) != bool(row.uncompared)
    assert [path for path in paths if not (ROOT / path).is_file()] == []


@pytest.mark.parametrize("name", SYSTEMS)
def test_what_is_asked_and_carried_is_there(name: str) -> None:
    row = SYSTEMS[name]
    assert set(row.asked) <= set(row.signed)
    assert all(asked.words for asked in row.asked.values())
    scenarios = load_all(ROOT / "scenarios" / "live", load_claims(ROOT / "scenarios" / "claims"), SUBJECTS[name])
    arguments = {
        member for scenario in scenarios for step in scenario.given["steps"] for member in step.get("arguments", {})
    }
    assert set(row.carries) <= arguments


VERSIONS = [
    ("Included with Safari 27.0 (20624.1.16.11.4)", True),
    ("Included with Safari 30.1 (1)", True),
    ("Included with Safari Technology Preview (Release 249, 20625.1.9)", True),
    ("Included with Safari 26.4 (20624.1.16.11.4)", False),
    ("Included with Safari 2.7", False),
    ("", False),
]


@pytest.mark.parametrize(("said", "new_enough"), VERSIONS)
def test_a_driver_that_has_no_mcp_is_too_old(said: str, new_enough: bool) -> None:
    assert (re.search(SYSTEMS["safari-mcp"].asked["safaridriver"].fits, said) is not None) is new_enough


@pytest.mark.parametrize(("said", "new_enough"), [
    ("Google Chrome 131.0.6778.86 ", True), ("Google Chrome 119.0.6045.199", False), ("Chromium 156.0", False),
])  # fmt: skip
def test_a_chrome_that_the_extension_is_not_built_for_is_too_old(said: str, new_enough: bool) -> None:
    assert (re.search(SYSTEMS["chrome"].asked["browser"].fits, said) is not None) is new_enough


@pytest.mark.claim("HAR-LIVE-02")
def test_what_a_run_touches_is_said() -> None:
    assert all(row.touches for row in SYSTEMS.values())


def test_another_system_is_refused() -> None:
    with pytest.raises(UsageProblem, match="strangers"):
        live_system("strangers")
