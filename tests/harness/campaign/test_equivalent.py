"""Reasons are read strictly, and a stale one is a finding."""
from __future__ import annotations

from pathlib import Path

import pytest

from harness.campaign.bench import package_of
from harness.campaign.equivalent import PATH, Reason, read_reasons, reason_for, stale
from harness.scenario.problem import ScenarioProblem
from harness.scenario.runner import ROOT
from harness.subjects import SUBJECTS

GOOD = "- guard: guard:a.py#f:raise:1\n  other: guard:a.py#g:raise:1\n  why: g refuses it before f is asked.\n"


def test_reads_guard_other_and_why(tmp_path: Path) -> None:
    path = tmp_path / "equivalent.yaml"
    path.write_text(GOOD)
    (reason,) = read_reasons(path)
    assert reason == Reason("guard:a.py#f:raise:1", ("guard:a.py#g:raise:1",), "g refuses it before f is asked.", 1)
    assert reason_for([reason], reason.guard) is reason
    assert reason_for([reason], "guard:b.py#f:raise:1") is None


def test_no_file_is_no_reason(tmp_path: Path) -> None:
    assert read_reasons(tmp_path / "none.yaml") == []


def test_the_committed_reasons_can_be_read() -> None:
    assert all(reason.why.endswith(".") for reason in read_reasons(PATH))


BAD = (
    ("a: b\n", "no list"),
    ("- 3\n", "no members"),
    ("- {guard: 'guard:a', other: 'guard:b'}\n", "an entry with guard, other"),
    ("- {guard: a, other: 'guard:b', why: because of something else}\n", "guards"),
    ("- {guard: 'guard:a', other: 'guard:a', why: because of something else}\n", "guards"),
    ("- {guard: 'guard:a', other: 'guard:b', why: so}\n", "why"),
    (GOOD + GOOD, "a second reason"),
)


@pytest.mark.parametrize(("text", "seen"), BAD)
def test_anything_else_is_refused_with_its_line(tmp_path: Path, text: str, seen: str) -> None:
    path = tmp_path / "equivalent.yaml"
    path.write_text(text)
    with pytest.raises(ScenarioProblem, match=seen) as caught:
        read_reasons(path)
    assert caught.value.line is not None


def test_stale_reasons_are_named() -> None:
    reasons = [Reason("guard:a", ("guard:b",), "why", 3), Reason("guard:c", ("guard:gone",), "why", 4)]
    known = {"guard:a", "guard:b", "guard:c"}
    assert stale(reasons, known, {"guard:a": True}) == [
        "line 3: guard:a needs no reason: its removal is noticed",
        "line 4: guard:gone is no guard (any more)",
    ]
    assert stale(reasons[:1], known, {"guard:a": False}) == []


def test_every_reason_is_about_guards_that_there_are() -> None:
    known = {
        guard.id for system in SUBJECTS.values() for guard in package_of(system, Path(ROOT)).guards()
    }  # fmt: skip
    assert stale(read_reasons(PATH), known, {}) == []
