"""This machine as it is found; the system's codesign stands in for by a script where there is none."""
from __future__ import annotations

from pathlib import Path

import pytest

from harness.live import machine as under_test
from harness.live.machine import SAID_BYTES, ThisMachine, official_table
from harness.serve.left import processes_of
from harness.subjects import subject

OF = subject("computer-use")


def script(path: Path, text: str) -> str:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return str(path)


def test_the_official_places_are_those_of_the_stacks_own_host() -> None:
    table = official_table(OF)
    assert set(table) == set(OF.uses)
    assert table["codesign"] == "/usr/bin/codesign"
    assert table["codex"].startswith("/Applications/")
    chrome = official_table(subject("chrome"))
    assert set(chrome) == {"browser", "channel"}
    assert set(chrome.values()) == {"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"}


def test_only_an_executable_file_is_there(tmp_path: Path) -> None:
    machine = ThisMachine(OF)
    plain = tmp_path / "plain"
    plain.write_text("x")
    assert not machine.is_there(str(plain))
    assert not machine.is_there(str(tmp_path))
    assert machine.is_there(script(tmp_path / "program", "exit 0"))


@pytest.mark.parametrize(("answer", "signed"), [("exit 0", True), ("exit 1", False), ("exit 3", False)])
def test_a_signature_is_what_the_systems_codesign_says(tmp_path: Path, answer: str, signed: bool) -> None:
    said = tmp_path / "said"
    machine = ThisMachine(OF, script(tmp_path / "codesign", f'echo "$@" > {said}\n{answer}'))
    machine.system = "darwin"
    assert machine.is_signed("/a/program", "anchor apple") is signed
    assert said.read_text() == "--verify --strict -R=anchor apple /a/program\n"


def test_elsewhere_nothing_is_signed_whatever_a_program_of_that_name_says(tmp_path: Path) -> None:
    machine = ThisMachine(OF, script(tmp_path / "codesign", "exit 0"))
    machine.system = "linux"
    assert not machine.is_signed("/a/program", "anchor apple")


@pytest.mark.parametrize(
    ("body", "said"),
    [('echo "Version $1"\necho more', "Version --version"), ("echo lost\nexit 1", ""), ("exit 0", "")],
)
def test_a_program_says_its_first_line_or_nothing(tmp_path: Path, body: str, said: str) -> None:
    assert ThisMachine(OF).said(script(tmp_path / "program", body), ["--version"]) == said


def test_a_program_that_says_too_much_is_cut(tmp_path: Path) -> None:
    long = script(tmp_path / "program", "i=0; while [ $i -lt 3000 ]; do printf 0123456789; i=$((i+1)); done")
    assert ThisMachine(OF).said(long, []) == ("0123456789" * SAID_BYTES)[:SAID_BYTES]


def test_a_program_that_does_not_end_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(under_test, "LIMIT_S", 0.3)
    path = script(tmp_path / "program", "exec sleep 600")
    assert ThisMachine(OF).said(path, []) == ""
    assert processes_of([str(tmp_path)]) == []


def test_what_runs_is_found_by_its_mark(tmp_path: Path) -> None:
    assert ThisMachine(OF).running(str(tmp_path / "nothing")) == []
