"""`trailcam doctor`: every row says what its absence means, and only --require changes the exit code."""
from __future__ import annotations

import argparse
import hashlib
import json
import tomllib
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

from harness.commands import doctor
from harness.engines import ENGINES, Engine
from harness.problem import UsageProblem
from tests.tidy.tree import ROOT


def arguments(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    doctor.add(parser.add_subparsers())
    return parser.parse_args(["doctor", *words])


@pytest.fixture(autouse=True)
def two_engines(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """One real program that is there, and one that is not: no browser starts, and nothing big is hashed."""
    place = tmp_path / "tool"
    place.write_text("#!/bin/sh\necho tool 1.2\n")
    place.chmod(0o755)
    sha256 = hashlib.sha256(place.read_bytes()).hexdigest()
    rows = (
        Engine("codex", "no evidence", "0.171.0", npm="x", sha256=sha256, version_args=("--version",)),
        Engine("chromium", "nobody looked", commands=("chromium",), debian="chromium"),
        Engine("xvfb", "nothing needs it", commands=("Xvfb",), debian="xvfb", wanted=False),
    )
    monkeypatch.setattr(doctor, "ENGINES", rows)
    monkeypatch.setattr(doctor, "locate", lambda row: place if row.program == "codex" else None)
    return place


def rows_of(output: str) -> dict[str, dict[str, str | None]]:
    return {row["name"]: row for row in json.loads(output)["rows"]}


def test_the_packages_are_those_that_the_distribution_needs() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert [word.partition(">=")[0] for word in project["dependencies"]] == list(doctor.PACKAGES)


def test_json_is_one_document_and_progress_goes_to_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    assert doctor.run(arguments("--json")) == 0
    printed = capsys.readouterr()
    rows = rows_of(printed.out)
    assert rows["codex-0.171.0"]["state"] == "here"
    assert rows["codex-0.171.0"]["found"] == "tool 1.2"
    assert rows["chromium"]["state"] == "missing"
    assert rows["chromium"]["get"] == "make engines"
    assert rows["xvfb"]["get"] == "apt-get install xvfb"
    assert rows["trio"]["state"] == "here"
    assert rows["platform"]["found"]
    assert printed.err == "trailcam doctor: hashing codex-0.171.0\n"


def test_another_build_is_no_pinned_one(two_engines: Path, capsys: pytest.CaptureFixture[str]) -> None:
    two_engines.write_text("#!/bin/sh\necho tool 1.3\n")
    assert doctor.run(arguments("--json", "--require", "codex-0.171.0")) == 3
    printed = capsys.readouterr()
    assert rows_of(printed.out)["codex-0.171.0"]["state"] == "other build"
    assert json.loads(printed.out)["lacking"] == ["codex-0.171.0"]
    assert "codex-0.171.0 is required and other build" in printed.err


def test_only_what_is_required_changes_the_exit_code(capsys: pytest.CaptureFixture[str]) -> None:
    assert doctor.run(arguments()) == 0
    assert doctor.run(arguments("--require", "trio", "--require", "codex-0.171.0")) == 0
    assert doctor.run(arguments("--require", "chromium")) == 3
    assert "chromium is required and missing: make engines" in capsys.readouterr().err


def test_an_unknown_name_is_a_usage_error_that_lists_the_known_ones() -> None:
    with pytest.raises(UsageProblem, match=r"saw --require safari; expected one of .*codex-0"):
        doctor.run(arguments("--require", "safari"))


def test_text_says_what_each_missing_thing_means(capsys: pytest.CaptureFixture[str]) -> None:
    doctor.run(arguments())
    lines = capsys.readouterr().out.splitlines()
    place = next(number for number, line in enumerate(lines) if line.startswith("missing     chromium"))
    assert lines[place + 1].strip() == "nobody looked (make engines)"


def test_a_missing_package_is_a_row() -> None:
    def ask(name: str) -> str:
        raise PackageNotFoundError(name)

    row = doctor.package_row("trio", "no virtual time", ask)
    assert (row.state, row.get) == ("missing", "pip install trio")


def test_programs_of_the_mac_count_at_their_fixed_place_only(tmp_path: Path) -> None:
    assert doctor.mac_row("osascript", tmp_path / "osascript").state == "missing"
    place = tmp_path / "osascript"
    place.write_text("")
    place.chmod(0o755)
    assert doctor.mac_row("osascript", place).state == "here"
    assert all(path.startswith("/usr/bin/") for path in doctor.MAC_PROGRAMS.values())


def test_every_real_engine_is_looked_for() -> None:
    names = [row.name for row in doctor.engine_rows(ENGINES, lambda row: None)]
    assert names == [row.name for row in ENGINES]
