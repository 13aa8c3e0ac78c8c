"""The whole live path as a rehearsal: its evidence, its report, and that nothing of it can read as live."""
from __future__ import annotations

import json
import re
from html import escape
from pathlib import Path
from typing import Any

import pytest

from harness.claims import load_claims
from harness.evidence.ledger import read
from harness.evidence.seen import sightings
from harness.kept.run import load
from harness.live import work as under_test
from harness.live.machine import ThisMachine
from harness.live.pages import ADDRESS
from harness.live.places import rehearsal
from harness.live.systems import SYSTEMS
from harness.live.work import LEDGER, RUNS, SEEN, TAPES, Work, baseline, clear
from harness.problem import Problem
from harness.scenario.scenario import load_scenario
from harness.tape.read import load as load_tape
from reports.people import CHECKS
from tests.harness.live.rehearsed import CLAIMS, OF, ROW, rehearsed
from tests.tidy.tree import ROOT

SCENARIO = ROOT / "scenarios" / "live" / "an-application-is-read.yaml"


@pytest.mark.claim("HAR-LIVE-01")
def test_a_rehearsal_holds_with_evidence_tapes_drift_and_a_report() -> None:
    results, out, said = rehearsed()
    assert results.word == "holds", "\n".join(results.as_text())
    assert {path.name for path in results.report} == {"index.html", "report.md", "report.json", "junit.xml"}
    assert {"CUA-RUN-02", "CUA-SIG-01", "CUA-STA-01"} <= {state.claim.id for state in results.states}
    assert all(state.teeth for state in results.states)
    assert {path.name.partition("-")[0] for path in (out / TAPES).rglob("*.jsonl")} == set(ROW.taps)
    assert results.drift
    assert not [each for each in results.drift if each.breaks]
    assert ["running" in line for line in said] == [False, True]


SHOWN = {
    "computer-use": ("CUA-RUN-02", "CUA-SIG-01", "CUA-STA-01"),
    "safari-mcp": ("SAF-OPEN-01", "SAF-READ-01", "SAF-SNAP-01", "SAF-CLOSE-01", "SAF-CONN-14"),
    "safari-jxa": ("JXA-WIN-04", "JXA-OBS-01", "JXA-ACT-02"),
    "chrome": ("CHR-HOST-01", "CHR-PERM-05", "CHR-SNAP-06", "CHR-ACT-02"),
}


@pytest.mark.claim("HAR-LIVE-01")
@pytest.mark.parametrize("name", SYSTEMS)
def test_each_system_is_rehearsed_and_its_claims_have_teeth(name: str) -> None:
    results, out, _ = rehearsed(name)
    assert results.word == "holds", "\n".join(results.as_text())
    states = {state.claim.id: state for state in results.states}
    assert set(SHOWN[name]) <= set(states)
    assert {(state.verdict, bool(state.teeth)) for state in states.values()} == {("holds", True)}
    assert {path.name.partition("-")[0] for path in (out / TAPES).rglob("*.jsonl")} == set(SYSTEMS[name].taps)
    assert results.uncompared == SYSTEMS[name].uncompared
    notes = " ".join(json.loads((out / "report" / "report.json").read_text())["notes"])
    assert ("drift was not looked for" in notes) is bool(results.uncompared)


@pytest.mark.claim("HAR-LIVE-02")
@pytest.mark.parametrize("name", ["safari-mcp", "safari-jxa"])
def test_only_the_page_that_the_run_serves_is_loaded(name: str) -> None:
    [judged] = rehearsed(name).results.judged
    calls = [line["arguments"] for line in judged.run.history if line["e"] == "asked"]
    asked = [arguments["url"] for arguments in calls if "url" in arguments]
    assert [url for url in asked if re.fullmatch(r"http://127\.0\.0\.1:[0-9]+/", url) is None] == []
    assert len(asked) == 1
    assert ADDRESS not in asked[0]


@pytest.mark.claim("HAR-LIVE-01", tooth="the fakes in the places of the real programs")
@pytest.mark.parametrize("name", SYSTEMS)
def test_nothing_of_a_rehearsal_can_read_as_live(name: str) -> None:
    """Records, sheets, origins, headers of tapes and the report: every place in which a strength stands."""
    results, out, _ = rehearsed(name)
    assert results.back == "model"
    strengths = {record.strength for record in read(out / LEDGER)}
    assert strengths == {"model"}
    for folder in (out / RUNS).iterdir():
        kept = load(folder)
        assert kept.sheet["back"] == "model"
        assert {origin.strength for origin in kept.provenance.origins.values()} == {"model"}
        assert kept.header is not None
        assert kept.header.origin["strength"] == "model"
    for tape in (out / TAPES).rglob("*.jsonl"):
        assert load_tape(str(tape))[0].origin["strength"] == "model"
    page = json.loads((out / "report" / "report.json").read_text())
    assert dict(page["strengths"])["live"] == 0
    assert "our fakes stood in the places" in " ".join(page["notes"])


@pytest.mark.claim("HAR-LIVE-03")
def test_the_report_lists_what_needs_a_person() -> None:
    text = (rehearsed().out / "report" / "index.html").read_text()
    assert [check.what for check in CHECKS if escape(check.what).replace("&#x27;", "&#39;") not in text] == []
    for what in ("permission denied", "quit and started again", "idle", "two clients", "locked", "Windows", "Edge"):
        assert what in text


def test_a_run_is_dated_by_its_tapes() -> None:
    _, out, _ = rehearsed()
    [judged] = rehearsed().results.judged
    [sighting] = sightings(out / SEEN)[judged.run.name]
    assert judged.run.header is not None
    assert sighting.date == judged.run.header.date


def test_nothing_but_a_live_run_has_the_laws_of_a_world() -> None:
    """Nobody sees the world of a real Mac: what needs it has nothing to judge, and is not said to hold."""
    [judged] = rehearsed().results.judged
    assert judged.run.world == []
    assert {law.law for law in judged.laws if law.moot} == {1, 2, 3, 5, 6}


def work(out: Path, places: Any = None) -> Work:
    machine = ThisMachine(OF)
    open_places = places or rehearsal(OF, machine)
    return Work(ROW, OF, load_claims(CLAIMS), CLAIMS, machine, open_places, out, lambda text: None)


def untouched(sheet: Any) -> Any:
    raise AssertionError("a real program was about to be started")


@pytest.mark.claim("HAR-LIVE-02")
def test_a_scenario_that_does_not_hold_on_fakes_never_reaches_a_real_program(tmp_path: Path) -> None:
    text = SCENARIO.read_text().replace("nestedModel: false", "nestedModel: true")
    changed = tmp_path / "changed.yaml"
    changed.write_text(text)
    results = work(tmp_path / "out", untouched).do([load_scenario(changed)])
    assert len(results.failed) == 1
    assert "was not run: on our fakes" in results.failed[0]
    assert results.exit_code == 3
    assert results.report == []


class NotStarted:
    """A session that could not be run."""

    def __init__(self, *arguments: Any) -> None:
        self.stays: list[str] = arguments[-1]

    def run(self) -> Any:
        raise Problem("no tape", "a tape", "look")


class Interrupted(NotStarted):
    def run(self) -> Any:
        self.stays.append("Chess, process 9: quit it")
        raise KeyboardInterrupt


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """The checks are not tried again."""
    monkeypatch.setattr(under_test, "work", lambda scenario, unit, claims, folder: under_test_result(unit))


def under_test_result(unit: Any) -> Any:
    from harness.verify.work import Result

    return Result(unit)


@pytest.mark.usefixtures("quick")
def test_a_session_that_could_not_be_run_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(under_test, "Session", NotStarted)
    results = work(tmp_path).do([load_scenario(SCENARIO)])
    assert [line for line in results.failed if "saw no tape" in line]
    assert results.exit_code == 3


@pytest.mark.claim("HAR-LIVE-02", "HAR-HYG-01")
@pytest.mark.usefixtures("quick")
def test_after_an_interrupt_no_evidence_stays_and_what_is_open_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(under_test, "Session", Interrupted)
    said: list[str] = []
    machine = ThisMachine(OF)
    of = Work(ROW, OF, load_claims(CLAIMS), CLAIMS, machine, untouched, tmp_path, said.append)
    with pytest.raises(KeyboardInterrupt):
        of.do([load_scenario(SCENARIO)])
    assert said[-1] == "stays open: Chess, process 9: quit it"
    assert list(tmp_path.iterdir()) == []


def test_only_its_own_names_are_cleared(tmp_path: Path) -> None:
    (tmp_path / RUNS / "x").mkdir(parents=True)
    (tmp_path / LEDGER).write_text("")
    (tmp_path / "mine").write_text("")
    clear(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


def test_the_tapes_of_the_version_or_of_the_newest_are_compared() -> None:
    patterns = ROW.baseline["codex"]
    assert "0.144.2" in baseline(patterns, "0.144.2", ("0.144.2", "0.171.0"), ROOT)[0]
    assert "0.171.0" in baseline(patterns, "1.0.0", ("0.144.2", "0.171.0"), ROOT)[0]
    with pytest.raises(Problem, match="no committed tape"):
        baseline(patterns, "1.0.0", (), ROOT)
