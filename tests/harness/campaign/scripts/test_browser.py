"""What tests in a real browser have found of guards: kept for one build, and refused in another form."""
from __future__ import annotations

from pathlib import Path

import pytest

from harness.campaign.scripts.browser import STATES, Kept, build, counts, read, write
from harness.problem import Problem

ONE, OTHER = {"stack.chrome": "1" * 64}, {"stack.chrome": "2" * 64}
ROW = Kept("guard:a.js#f:throw:1", "killed", "a case: é", "test_a", 3, 3)


def test_rows_are_kept_beside_others_and_over_those_of_the_same_guard(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "kept.jsonl"
    assert read(path, ONE) == {}
    second = Kept("guard:a.js#g:throw:1", "survived", "nothing", "", 3, 3)
    write([ROW, second], path, ONE)
    now = Kept(second.guard, "equivalent", "why", "test_b", 3, 3)
    write([now], path, ONE)
    assert read(path, ONE) == {ROW.guard: ROW, now.guard: now}


def test_what_was_found_of_another_build_is_nothing(tmp_path: Path) -> None:
    path = tmp_path / "kept.jsonl"
    write([ROW], path, ONE)
    assert read(path, OTHER) == {}
    write([], path, OTHER)
    assert read(path, ONE) == {}


def test_the_build_is_that_of_the_extension_of_its_tests_and_of_the_harness() -> None:
    assert set(build()) == {"stack.chrome", "tests.stack.chrome", "harness"}


@pytest.mark.parametrize("line", [
    "x", "[]", "{}", '{"build":{},"by":"","guard":"g","how":"","reach":1,"runs":1,"state":"fine"}',
    '{"build":{},"by":"","guard":"g","how":"","reach":true,"runs":1,"state":"killed"}',
])  # fmt: skip
def test_another_form_is_refused(tmp_path: Path, line: str) -> None:
    path = tmp_path / "kept.jsonl"
    path.write_text(f"{line}\n")
    with pytest.raises(Problem, match="run them again"):
        read(path, ONE)


def test_every_state_is_counted() -> None:
    assert counts([ROW]) == {**dict.fromkeys(STATES, 0), "killed": 1}
