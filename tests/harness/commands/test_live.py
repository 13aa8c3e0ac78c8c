"""`trailcam live`: on Linux it says what is missing and starts nothing; what it would do on a Mac."""
from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import pytest

from harness.cli import main
from harness.commands import live
from harness.live.machine import ThisMachine, official_table
from harness.live.results import Results
from harness.problem import UsageProblem
from tests.harness.live.machines import Told
from tests.harness.live.rehearsed import OF, rehearsed
from tests.tidy.tree import ROOT

ALL = frozenset(official_table(OF).values())
MAC = Told(there=ALL, signed=ALL)


@pytest.fixture(autouse=True)
def nothing_starts(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """No run is made: the arguments of those that would have been."""
    made: list[Any] = []

    class Noted:
        def __init__(self, *arguments: Any) -> None:
            self.arguments = arguments

        def do(self, scenarios: Any) -> Results:
            made.append((self.arguments, scenarios))
            return rehearsed().results if "rehearsal" in str(self.arguments[5]) else Results("live")

    monkeypatch.setattr(live, "Work", Noted)
    monkeypatch.chdir(ROOT)
    return made


@pytest.fixture
def no_mac(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "ThisMachine", lambda of: Told(system="linux", release="Linux 6"))


def arguments(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    live.add(parser.add_subparsers())
    return parser.parse_args(["live", *words])


@pytest.mark.claim("HAR-LIVE-01")
@pytest.mark.usefixtures("no_mac")
@pytest.mark.parametrize("words", [[], ["--doctor"]])
def test_elsewhere_it_says_what_is_missing_and_ends_with_3(
    words: list[str], capsys: pytest.CaptureFixture[str], nothing_starts: list[Any]
) -> None:
    assert main(["live", *words]) == 3
    captured = capsys.readouterr()
    assert "missing: macOS, codex, helper, codesign, lsappinfo; nothing was started" in captured.err
    assert "missing     macOS                         Linux 6" in captured.out
    assert nothing_starts == []


@pytest.mark.claim("HAR-LIVE-01")
@pytest.mark.usefixtures("no_mac")
@pytest.mark.parametrize(("name", "program"), [
    ("safari-mcp", "safaridriver"), ("safari-jxa", "osascript"), ("chrome", "browser, channel"),
])  # fmt: skip
def test_each_system_says_elsewhere_what_is_missing(
    name: str, program: str, capsys: pytest.CaptureFixture[str], nothing_starts: list[Any]
) -> None:
    assert main(["live", "--system", name]) == 3
    captured = capsys.readouterr()
    assert f"missing: macOS, {program}; nothing was started" in captured.err
    assert "by hand     " in captured.out
    assert nothing_starts == []


@pytest.mark.claim("HAR-CLI-01")
@pytest.mark.usefixtures("no_mac")
def test_json_is_one_document(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["live", "--json"]) == 3
    said = json.loads(capsys.readouterr().out)
    assert (said["started"], said["missing"][0]) == (False, "macOS")
    assert {check["state"] for check in said["checks"]} == {"missing", "here", "by hand"}


def test_on_a_mac_with_everything_the_doctor_alone_starts_nothing(
    capsys: pytest.CaptureFixture[str], nothing_starts: list[Any]
) -> None:
    assert live.run_on(arguments("--doctor"), OF, MAC) == 0
    assert "by hand" in capsys.readouterr().out
    assert nothing_starts == []


@pytest.mark.claim("HAR-LIVE-02")
def test_on_a_mac_it_says_what_it_touches_and_then_runs_what_is_opted_in(
    capsys: pytest.CaptureFixture[str], nothing_starts: list[Any]
) -> None:
    assert live.run_on(arguments(), OF, MAC) == 3
    assert "starts Chess, which holds no document of yours" in capsys.readouterr().err
    [(given, scenarios)] = nothing_starts
    assert [scenario.name for scenario in scenarios] == ["live/an-application-is-read.yaml"]
    assert given[-2] == live.OUT


def test_a_rehearsal_is_asked_for_and_goes_to_a_folder_of_its_own(
    capsys: pytest.CaptureFixture[str], nothing_starts: list[Any]
) -> None:
    assert main(["live", "--rehearse"]) == 0
    assert "verdict   holds (rehearsal: our fakes" in capsys.readouterr().out
    assert nothing_starts[0][0][-2] == live.REHEARSED
    assert main(["live", "--rehearse", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["back"] == "model"
    assert isinstance(nothing_starts[0][0][4], ThisMachine)


def test_progress_is_on_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    live.say("running")
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", "trailcam live: running\n")


@pytest.mark.claim("HAR-LIVE-02")
def test_only_scenarios_of_the_opted_in_folder_are_run(tmp_path: Path) -> None:
    with pytest.raises(UsageProblem, match="no scenario of computer-use"):
        live.load_all(tmp_path, None, OF)
