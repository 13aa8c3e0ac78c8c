"""This machine as it is found; the system's codesign stands in for by a script where there is none."""
from __future__ import annotations

from pathlib import Path

import pytest

from harness.live.machine import ThisMachine, official_table
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


def test_what_runs_is_found_by_its_mark(tmp_path: Path) -> None:
    assert ThisMachine(OF).running(str(tmp_path / "nothing")) == []
