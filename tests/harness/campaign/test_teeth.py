"""Teeth are kept by the hash of the run, sorted, and read strictly."""
from __future__ import annotations

from pathlib import Path

import pytest

from harness.campaign.teeth import gather, guard_teeth, write_teeth
from harness.problem import Problem

RUN, OTHER = "a" * 64, "b" * 64


def test_teeth_of_all_trials_come_together() -> None:
    found = gather([("guard:b", {RUN: ["C-1", "C-2"]}), ("guard:a", {RUN: ["C-1"], OTHER: []})])
    assert found == {RUN: {"C-1": ["guard:a", "guard:b"], "C-2": ["guard:b"]}}


def test_what_is_written_is_read(tmp_path: Path) -> None:
    path = tmp_path / "evidence" / "teeth.jsonl"
    teeth = {OTHER: {"C-2": ["guard:b"]}, RUN: {"C-1": ["guard:a"]}}
    write_teeth(teeth, path)
    assert guard_teeth(path) == teeth
    before = path.read_bytes()
    write_teeth(dict(reversed(teeth.items())), path)
    assert path.read_bytes() == before
    write_teeth({}, path)
    assert guard_teeth(path) == {}


def test_no_file_is_no_teeth(tmp_path: Path) -> None:
    assert guard_teeth(tmp_path / "none") == {}


@pytest.mark.parametrize("line", [
    "{", "[]", '{"run":"a","teeth":{}}', f'{{"run":"{RUN}"}}', f'{{"run":"{RUN}","teeth":[]}}',
    f'{{"run":"{RUN}","teeth":{{"C-1":["fault:drop"]}}}}', f'{{"run":"{RUN}","teeth":{{"C-1":[3]}}}}',
])  # fmt: skip
def test_anything_else_is_refused_with_its_line(tmp_path: Path, line: str) -> None:
    path = tmp_path / "teeth.jsonl"
    path.write_text(f"{line}\n")
    with pytest.raises(Problem) as caught:
        guard_teeth(path)
    assert caught.value.line == 1
