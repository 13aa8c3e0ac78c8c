"""A whole tape to a file: all of it or nothing, and never over another one."""
from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from harness.problem import Problem, UsageProblem
from harness.tape.problem import TapeProblem
from harness.tape.read import load
from harness.tape.save import save
from tests.harness.tape.tapes import header, session


def failing() -> Iterator[dict[str, Any]]:
    yield session()[0]
    raise TapeProblem("a bad line", "a good one", "correct it")


def test_a_saved_tape_reads_back(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    assert save(str(path), header(), session()) == len(session())
    assert load(str(path))[1] == session()
    assert os.listdir(tmp_path) == ["a.jsonl"]


def test_nothing_is_left_of_a_tape_that_failed(tmp_path: Path) -> None:
    with pytest.raises(TapeProblem):
        save(str(tmp_path / "a.jsonl"), header(), failing())
    with pytest.raises(TapeProblem, match="bytes 'exact'"):
        save(str(tmp_path / "a.jsonl"), header(bytes="exact"), [])
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.part"])
def test_no_file_is_written_over(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("mine")
    with pytest.raises(UsageProblem, match="which exists"):
        save(str(tmp_path / "a.jsonl"), header(), session())
    assert (tmp_path / name).read_text() == "mine"


def test_a_place_that_cannot_be_written_is_a_problem(tmp_path: Path) -> None:
    with pytest.raises(Problem, match="FileNotFoundError"):
        save(str(tmp_path / "none" / "a.jsonl"), header(), session())


def test_a_disk_that_fills_up_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(part: str, path: str) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "rename", refuse)
    with pytest.raises(Problem, match="No space left"):
        save(str(tmp_path / "a.jsonl"), header(), session())
    assert os.listdir(tmp_path) == []
