"""`--stack ADAPTER` of run, verify and mutate: whose stack it was is said, the exit code is the verdict's, and the
evidence of this project is left as it was."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import pytest

from harness.cli import compose
from harness.commands import verify
from tests.harness.strangers.rig import ADAPTER, SCENARIO, SERVER, written

CASE = {
    "faults": [{"fault": "crash", "at": {"program": "osascript", "moment": "after_effect", "nth": 1}}],
    "then": SCENARIO["then"],
}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    written(tmp_path, "scenarios/strangers/there.yaml", {**SCENARIO, "cases": {"it dies": CASE}})
    with_flaw(tmp_path, "none")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def with_flaw(folder: Path, flaw: str) -> None:
    written(folder, "scenarios/adapters/own.yaml", {**ADAPTER, "command": [sys.executable, str(SERVER), flaw]})


def ran(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = compose([*words, "--stack", "scenarios/adapters/own.yaml"])
    said = capsys.readouterr()
    return status, said.out, said.err


def test_run(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = ran(capsys, "run", "strangers/there.yaml")
    assert (status, out.splitlines()[0]) == (0, "stack    tests-own 1 (the tests)")
    with_flaw(here, "does it twice")
    status, out, _ = ran(capsys, "run", "strangers/there.yaml")
    assert status == 1 and "law 1    broken   2 effects of navigate for 1 asked" in out
    again = shlex.split(out.splitlines()[-1].removeprefix("again"))
    assert compose(again[1:]) == 1
    assert "2 effects of navigate" in capsys.readouterr().out


def test_verify(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = ran(capsys, "verify")
    assert status == 1  # it says refused of what happened, as a caller reads it
    assert out.startswith("stack     tests-own 1 (the tests)\nverdict   broken\n")
    assert "1 as they are, 1 in their cases" in out
    assert "law 3: call 1 says refused, and the world has its effect" in out
    assert "claims" not in out and "1 of 1: strangers/there.yaml" in err
    assert len(list((here / verify.STRANGERS_RUNS / "tests-own").iterdir())) == 2
    assert not (here / "build" / "evidence").exists() and not (here / verify.REPORT).exists()


def test_verify_in_json(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with_flaw(here, "refuses everything")
    status, out, _ = ran(capsys, "verify", "--json", "--only", "there")
    found = json.loads(out)
    assert (status, found["verdict"], found["claims"]) == (1, "broken", [])
    assert found["stack"]["name"] == "tests-own" and len(found["stack"]["adapter"]) == 64
    assert found["laws"]["8"]["broken"] == 1


def test_mutate(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = ran(capsys, "mutate", "--fault", "crash", "--json")
    found = json.loads(out)
    assert found["scenarios"] == 1 and found["plans"] > 0 and found["could_not_run"] == 0
    assert status == {"holds": 0, "broken": 1, "unknown": 3}[found["verdict"]]
    assert all("--stack scenarios/adapters/own.yaml" in finding["again"] for finding in found["findings"])


def test_an_adapter_that_is_none_is_usage(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written(here, "scenarios/adapters/own.yaml", {**ADAPTER, "tols": {}})
    for words in (["run", "strangers/there.yaml"], ["verify"], ["mutate"]):
        status, _, err = ran(capsys, *words)
        assert status == 2 and "own.yaml:" in err and "'tols'" in err


def test_without_an_adapter_it_is_said_how_to_give_one(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert compose(["run", "strangers/there.yaml"]) == 2
    assert "give --stack ADAPTER.yaml" in capsys.readouterr().err
