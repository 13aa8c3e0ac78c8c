"""The doctor on machines of every kind: what stops a run, and what is to be done."""
from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from harness.live.doctor import as_text, examine, lacking
from harness.live.machine import ThisMachine, official_table
from harness.live.systems import SYSTEMS
from harness.serve.left import Left
from harness.subjects import subject
from tests.harness.live.machines import Told

OF = subject("computer-use")
ROW = SYSTEMS["computer-use"]
TABLE = official_table(OF)
ALL = frozenset(TABLE.values())
CODEX = TABLE["codex"]
MARK = ROW.borrowed[0].mark

CASES: list[tuple[str, dict[str, Any], list[str]]] = [
    ("a Mac with all of it", {"there": ALL, "signed": ALL}, []),
    ("no Mac", {"system": "linux", "there": ALL, "signed": ALL}, ["macOS"]),
    ("no application", {"there": ALL - {CODEX}, "signed": ALL}, ["codex"]),
    ("somebody else's", {"there": ALL, "signed": ALL - {CODEX}}, ["codex"]),
    ("Chess is open", {"there": ALL, "signed": ALL, "runs": {MARK: [Left(77, "Chess")]}}, ["Chess does not run"]),
]


@pytest.mark.claim("HAR-LIVE-01")
@pytest.mark.parametrize(("told", "stops"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_what_is_missing_stops_a_run(told: dict[str, Any], stops: list[str]) -> None:
    checks = examine(ROW, TABLE, Told(**told))
    assert [check.name for check in lacking(checks)] == stops
    assert all(check.means and check.do for check in checks)


@pytest.mark.claim("HAR-LIVE-03")
def test_what_only_a_person_can_set_is_listed_on_the_best_of_machines() -> None:
    checks = examine(ROW, TABLE, Told(there=ALL, signed=ALL))
    by_hand = [check.name for check in checks if check.state == "by hand"]
    assert by_hand == [each.what for each in ROW.by_hand]
    text = "\n".join(as_text(checks))
    assert "System Settings, Privacy & Security, Accessibility" in text


def test_an_open_application_is_named_with_its_process() -> None:
    told = Told(there=ALL, signed=ALL, runs={MARK: [Left(77, "Chess")]})
    [check] = lacking(examine(ROW, TABLE, told))
    assert (check.state, check.found, check.do) == ("running", "77", "quit Chess")
    assert check.as_json()["state"] == "running"


DRIVER = "/usr/bin/safaridriver"
NEW, OLD = "Included with Safari 27.0 (1)", "Included with Safari 26.4 (1)"
DRIVERS: list[tuple[str, Told, str]] = [
    ("new enough", Told(there=frozenset({DRIVER}), signed=frozenset({DRIVER}), says={DRIVER: NEW}), "here"),
    ("of before", Told(there=frozenset({DRIVER}), signed=frozenset({DRIVER}), says={DRIVER: OLD}), "too old"),
    ("silent", Told(there=frozenset({DRIVER}), signed=frozenset({DRIVER})), "too old"),
    ("somebody else's", Told(there=frozenset({DRIVER}), says={DRIVER: NEW}), "not signed"),
    ("not there", Told(signed=frozenset({DRIVER}), says={DRIVER: NEW}), "missing"),
]


@pytest.mark.claim("HAR-LIVE-01")
@pytest.mark.parametrize(("told", "state"), [case[1:] for case in DRIVERS], ids=[case[0] for case in DRIVERS])
def test_a_version_is_asked_of_the_signed_program_alone(told: Told, state: str) -> None:
    row = SYSTEMS["safari-mcp"]
    checks = examine(row, official_table(subject("safari-mcp")), told)
    [check] = [each for each in checks if each.name == "safaridriver"]
    assert check.state == state
    assert [each.name for each in lacking(checks)] == ([] if state == "here" else ["safaridriver"])
    assert told.asked == ([DRIVER] if state in ("here", "too old") else [])


@pytest.mark.claim("HAR-LIVE-03")
@pytest.mark.parametrize("name", SYSTEMS)
def test_of_each_system_what_is_by_hand_is_listed_and_the_rest_can_be_missing(name: str) -> None:
    """On a machine with nothing, every check that a program can make stops the run."""
    checks = examine(SYSTEMS[name], official_table(subject(name)), Told(system="linux", release="Linux 6"))
    assert [check.name for check in checks if check.state == "by hand"] == [each.what for each in SYSTEMS[name].by_hand]
    assert [check.name for check in lacking(checks)] == ["macOS", *official_table(subject(name))]


@pytest.mark.claim("HAR-LIVE-02")
def test_looking_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is made in the home folder, the working folder or the folder of temporary files."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    assert examine(ROW, TABLE, ThisMachine(OF))
    assert list(tmp_path.iterdir()) == []
