"""`trailcam verify`: everything is run, judged, kept, added to the ledger and reported; and each way that it ends."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from harness.claims import load_claims
from harness.cli import compose
from harness.commands import verify
from harness.evidence import read, sightings
from harness.evidence.seen import beside
from harness.kept import load
from harness.verify.work import Finding, work
from tests.harness.scenario.clerk import register
from tests.harness.verify.desk import IDS, TEXT, desk

CLAIM = "- {{id: {id}, kind: behaviour, from: harness, about: [codex], claim: It is so.}}\n"
PROGRAMS = ("clerk",)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    register(monkeypatch)
    monkeypatch.setattr("harness.claims.PROGRAMS", PROGRAMS)
    claims = tmp_path / "scenarios" / "claims"
    claims.mkdir(parents=True)
    text = "".join(CLAIM.format(id=id).replace("codex", "clerk") for id in (*IDS, "DSK-MORE-01"))
    (claims / "desk.yaml").write_text(text, encoding="utf-8")
    desk(tmp_path, TEXT.replace("  - claim: [DSK-SAY-01]", "  - claim: [DSK-ADD-01]"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def ran(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = compose(["verify", "--jobs", "1", *words])
    said = capsys.readouterr()
    return status, said.out, said.err


@pytest.mark.claim("HAR-CLI-01", "HAR-RPT-03")
def test_everything_is_run_kept_and_reported(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = ran(capsys)
    assert status == 0, out
    assert out.splitlines()[0] == "verdict   holds"
    assert "claims    4 holds (model); 2 not shown" in out
    assert "report    build/report/index.html" in out
    assert [line.split(": ")[1] for line in err.splitlines()] == ["1 of 2", "2 of 2"]
    ledger = read(Path("build/evidence/ledger.jsonl"))
    assert {record.claim for record in ledger} == set(IDS) - {"DSK-SAY-01"}
    seen = sightings(beside(Path("build/evidence/ledger.jsonl")))
    assert {record.run for record in ledger} == set(seen)
    assert all(load(folder).provenance.origins for folder in Path("build/runs").iterdir())
    for name in ("index.html", "report.md", "report.json", "junit.xml"):
        assert (Path("build/report") / name).stat().st_size > 100


@pytest.mark.claim("HAR-CLI-01")
def test_json_is_one_document(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = ran(capsys, "--json")
    data: dict[str, Any] = json.loads(out)
    assert (status, data["verdict"]) == (0, "holds")
    assert data["runs"]["base"] == 2
    assert data["report"][0] == "build/report/index.html"
    assert {claim["id"]: claim["verdict"] for claim in data["claims"]}["DSK-MORE-01"] is None


def test_a_second_verification_replaces_the_kept_runs_and_adds_nothing(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ran(capsys)
    first = {folder.name for folder in Path("build/runs").iterdir()}
    ledger = Path("build/evidence/ledger.jsonl").read_bytes()
    (Path("build/runs") / ("0" * 16)).mkdir()
    (Path("build/runs") / "mine").mkdir()
    ran(capsys)
    assert {folder.name for folder in Path("build/runs").iterdir()} == {*first, "mine"}
    assert Path("build/evidence/ledger.jsonl").read_bytes() == ledger


@pytest.mark.claim("HAR-LAW-02", "HAR-CLI-01", tooth="scenarios that do not hold")
@pytest.mark.parametrize(
    ("old", "new", "status", "said"),
    [
        ("is: 2", "is: 3", 1, "broken    clerk/desk.yaml (1.0, model, virtual): one is added each time"),
        ("nth: 1}", "nth: 9}", 1, "unknown   clerk/desk.yaml (1.0, model, virtual): the program dies: fault f1"),
        ("  - {broken: calls_twice, turns: [DSK-ADD-01]}\n", "", 3, "no teeth  DSK-ADD-01"),
    ],
)
def test_what_does_not_hold_decides_the_exit_code(
    here: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, status: int, said: str
) -> None:
    path = here / "scenarios" / "clerk" / "desk.yaml"
    text = path.read_text().replace(old, new)
    if not new:
        text = text.replace("leaves, with: {what: folders}", "is_not_told, with: {event: x}")
        text = text.replace("turns: [DSK-LEFT-01]", "of: the number is high, turns: [DSK-HIGH-01]")
        text = text.replace("laws:\n  7: [DSK-LEFT-01]\n", "")
    path.write_text(text)
    code, out, _ = ran(capsys)
    assert (code, said in out) == (status, True), out


def test_only_some_of_them(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert ran(capsys, "--only", "desk", "--system", "computer-use")[0] == 2
    assert ran(capsys, "--only", "nothing")[0] == 2
    assert ran(capsys, "--jobs", "0")[0] == 2
    assert ran(capsys, "--only", "clerk/")[0] == 0


def test_folders_beside_the_systems_are_no_scenarios(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "scenarios" / "tapes").mkdir()
    (here / "scenarios" / "tapes" / "x.yaml").write_text("not: a scenario")
    assert ran(capsys)[0] == 0


def test_a_wrong_scenario_is_refused_before_anything_runs(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "scenarios" / "clerk" / "bad.yaml").write_text("scenario: x\nsubjct: clerk\n")
    status, out, err = ran(capsys)
    assert (status, out) == (2, "")
    assert "bad.yaml:2: saw 'subjct' in a scenario (did you mean subject?)" in err
    assert not Path("build").exists()


def test_without_the_reports_it_says_so_and_could_not_do_all(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verify, "WRITER", "reports.nowhere:write")
    status, out, err = ran(capsys)
    assert status == 3
    assert "no report was written: reports.nowhere:write can't be imported" in err
    assert "report " not in out


@pytest.mark.claim("HAR-RPT-03", tooth="sources that change meanwhile")
@pytest.mark.parametrize("name", ["source_hashes", "changed_since"])
def test_sources_that_change_meanwhile_are_a_finding(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Before the runs, as the records say; or only on the disk, which programs that start later read."""
    monkeypatch.setattr(verify, "changed_since", lambda hashes: [])
    said: Any = {"harness": "0" * 64} if name == "source_hashes" else ["harness"]
    monkeypatch.setattr(verify, name, lambda packages: said)
    status, out, _ = ran(capsys)
    assert status == 3
    assert "the sources were changed while they were verified" in out


def test_workers_do_the_same(here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    used: list[int] = []

    class Pool:
        def __init__(self, claims: Path, folder: Path, done: Any) -> None:
            self._done = done

        def work(self, units: Any, jobs: int) -> None:
            used.append(jobs)
            for unit in reversed(units):
                self._done(work(by_file[unit.file], unit, claims, None))

    claims = load_claims(Path("scenarios/claims"))
    by_file = {scenario.file: scenario for scenario in verify.load_all(Path("scenarios"), claims, None, ())}
    monkeypatch.setattr(verify, "Pool", Pool)
    status = compose(["verify", "--jobs", "2", "--json"])
    data = json.loads(capsys.readouterr().out)
    assert used == [2]
    assert (status, data["verdict"], data["runs"]["base"]) == (0, "holds", 2)


def test_what_came_too_late_is_run_again_and_said(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = here / "scenarios" / "clerk" / "desk.yaml"
    path.write_text(path.read_text().replace("about: [clerk]\n", "about: [clerk]\nruns: [virtual, process]\n"))
    used: list[int] = []
    tried: list[str] = []

    def late_once(scenario: Any, unit: Any, claims: Any, folder: Path) -> Any:
        result = work(scenario, unit, claims, folder)
        if unit.mode == "process":
            tried.append(result.kept[0])
            if len(tried) == 1:
                result.findings.append(Finding("broken", unit.words, "it is answered: nothing was", "again"))
        return result

    class Pool:
        def __init__(self, claims: Path, folder: Path, done: Any) -> None:
            self._done = done
            self._folder = folder

        def work(self, units: Any, jobs: int) -> None:
            used.append(jobs)
            for unit in units:
                self._done(late_once(by_file[unit.file], unit, claims, self._folder))

    claims = load_claims(Path("scenarios/claims"))
    by_file = {scenario.file: scenario for scenario in verify.load_all(Path("scenarios"), claims, None, ())}
    monkeypatch.setattr(verify, "Pool", Pool)
    monkeypatch.setattr(verify, "work", late_once)
    status, out, err = ran(capsys, "--jobs", "2")
    assert (status, used, len(tried)) == (0, [2, 1], 2), out
    assert "repeated  clerk/desk.yaml (2.0, model, process): alone it holds; before, beside other runs: it is" in out
    assert "again, alone: clerk/desk.yaml (2.0, model, process): it is answered: nothing was" in err
    assert "alone it holds; before, beside other runs" in Path("build/report/report.md").read_text()
    assert load(Path("build/runs-repeated") / tried[0]).name == load(Path("build/runs") / tried[1]).name
    status, out, _ = ran(capsys, "--jobs", "2")
    assert "repeated" not in out and not list(Path("build/runs-repeated").iterdir())
    tried.clear()
    status, out, _ = ran(capsys)
    assert (status, len(tried), "repeated" in out) == (1, 1, False), "one after the other each unit is alone already"
