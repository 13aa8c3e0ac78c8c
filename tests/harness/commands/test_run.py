"""`trailcam run`: one run on the terminal, its exit code, and the command that repeats it."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from harness.cli import compose
from harness.kept import load
from harness.laws.table import command_of
from tests.harness.scenario.clerk import register
from tests.harness.verify.desk import CLAIMS, TEXT, desk

DROP = '{"v":1,"faults":[{"id":"f1","fault":"drop","at":{"program":"clerk","way":"<<","nth":1}}]}'
NEVER = '{"v":1,"faults":[{"id":"f1","fault":"drop","at":{"program":"clerk","way":"<<","nth":99}}]}'
ASSERTS_MORE = TEXT.replace("is: 2", "is: 3")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    register(monkeypatch)
    monkeypatch.setattr("harness.commands.run.load_claims", lambda folder: CLAIMS)
    desk(tmp_path)
    (tmp_path / "scenarios" / "claims").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def ran(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = compose(["run", *words])
    said = capsys.readouterr()
    return status, said.out, said.err


@pytest.mark.claim("HAR-CLI-01", "HAR-LAW-02")
def test_a_run_that_holds(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = ran(capsys, "clerk/desk.yaml")
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "holds: clerk/desk.yaml (2.0, model, virtual, seed 7)"
    assert "law 7    holds    nothing left of" in out
    assert "law 6    -        nothing to judge" in out
    assert "then     holds    one is added each time (2 of world" in out
    assert "claim    holds    DSK-ADD-01" in out
    assert "again" not in out
    assert ran(capsys, "scenarios/clerk/desk.yaml")[0] == 0


@pytest.mark.claim("HAR-DET-01", "HAR-CLI-01", tooth="a scenario that asserts more than is so")
def test_a_run_that_is_broken_prints_the_command_that_repeats_it(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    desk(here, ASSERTS_MORE)
    words = ["clerk/desk.yaml", "--profile", "1.0", "--seed", "11"]
    status, out, _ = ran(capsys, *words)
    assert status == 1
    again = next(line for line in out.splitlines() if line.startswith("again"))
    repeated = shlex.split(again.removeprefix("again"))[2:]
    assert ran(capsys, *repeated)[:2] == (1, out)


@pytest.mark.parametrize(
    ("words", "first", "status"),
    [
        (["--case", "the program dies"], "holds: clerk/desk.yaml: the program dies (2.0, model, virtual, seed 7)", 0),
        (["--plan", "the program dies"], "holds: clerk/desk.yaml: the program dies (2.0, model, virtual, seed 7)", 0),
        (["--case", "the program dies", "--without", "f1"], "broken: clerk/desk.yaml: the program dies", 1),
        (["--plan", DROP], "holds: clerk/desk.yaml (2.0", 0),
        (["--plan", "plan.json"], "holds: clerk/desk.yaml (2.0", 0),
        (["--plan", NEVER], "inapplicable: clerk/desk.yaml (2.0", 3),
        (["--broken", '{"broken":"calls_twice"}'], "broken: clerk/desk.yaml (2.0", 1),
        (["--mode", "process"], "holds: clerk/desk.yaml (2.0, model, process, seed 7)", 0),
    ],
)
def test_what_can_be_chosen(
    here: Path, capsys: pytest.CaptureFixture[str], words: list[str], first: str, status: int
) -> None:
    (here / "plan.json").write_text(DROP)
    code, out, err = ran(capsys, "clerk/desk.yaml", *words)
    assert (code, out.splitlines()[0][: len(first)]) == (status, first)
    assert ("as processes" in err) == ("process" in words)
    if status:
        assert out.splitlines()[-1].startswith("again")


@pytest.mark.claim("HAR-CLI-01")
@pytest.mark.parametrize(
    ("words", "seen"),
    [
        (["none.yaml"], "no scenario 'none.yaml'"),
        (["clerk/desk.yaml", "--case", "x"], "the case 'x'"),
        (
            ["clerk/desk.yaml", "--case", "the program dies", "--plan", "the number is high"],
            "--case the program dies and",
        ),
        (["clerk/desk.yaml", "--plan", "nowhere.json"], "--plan 'nowhere.json' (FileNotFoundError)"),
        (["clerk/desk.yaml", "--plan", "{"], "a plan that is no JSON"),
        (["clerk/desk.yaml", "--plan", '{"v":1,"faults":[{"id":"f1","fault":"drip"}]}'], "faults[0].fault = 'drip'"),
        (["clerk/desk.yaml", "--broken", "[1]"], "--broken '[1]'"),
        (["clerk/desk.yaml", "--broken", "{"], "--broken '{'"),
        (["clerk/desk.yaml", "--broken", '{"broken":"sulks"}'], "broken = 'sulks'"),
        (["clerk/desk.yaml", "--profile", "3.0"], "profile '3.0'"),
        (["clerk/desk.yaml", "--back", "engine"], "back 'engine'"),
        (["clerk/desk.yaml", "--seed", "-1"], "saw '-1'; expected a whole number from 0"),
        (["clerk/desk.yaml", "--seed", "x"], "saw 'x'; expected a whole number from 0"),
    ],
)
def test_what_is_wrong_is_usage(here: Path, capsys: pytest.CaptureFixture[str], words: list[str], seen: str) -> None:
    status, out, err = ran(capsys, *words)
    assert (status, out) == (2, "")
    assert seen in err


@pytest.mark.claim("HAR-CLI-01")
def test_json_is_one_document_and_a_run_is_kept(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = ran(capsys, "clerk/desk.yaml", "--json", "--keep", "kept")
    data: dict[str, Any] = json.loads(out)
    assert (status, err, data["verdict"]) == (0, "", "holds")
    run = load(Path(data["kept"]))
    assert run.name == data["run"]
    assert command_of(run.sheet) == data["again"]
    assert json.loads(ran(capsys, "clerk/desk.yaml", "--json")[1])["kept"] is None
    assert "kept     kept/" in ran(capsys, "clerk/desk.yaml", "--keep", "kept")[1]
    status, out, _ = ran(capsys, "none.yaml", "--json")
    assert (status, json.loads(out)["error"]) == (2, "UsageProblem")


def test_without_a_folder_of_claims_ids_are_not_checked(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "scenarios" / "claims").rmdir()
    desk(here, TEXT)
    path = here / "scenarios" / "clerk" / "desk.yaml"
    path.write_text(TEXT.replace("DSK-SAY-01", "DSK-SAY-09"), encoding="utf-8")
    assert "claim    holds    DSK-SAY-09" in ran(capsys, "clerk/desk.yaml")[1]
