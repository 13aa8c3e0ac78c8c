"""Runs add up by fault and law; what is broken is said once, with the first command; inapplicable runs say nothing."""
from __future__ import annotations

from typing import Any

import pytest

from harness.campaign.matrix import Matrix, Row


def row(fault: str = "drop", *, fired: bool = True, said: list[list[Any]] | None = None, again: str = "again 1") -> Row:
    laws = {"1": "holds", "2": "moot"}
    for law, verdict, _ in said or []:
        laws[str(law)] = verdict
    return Row("a.yaml", fault, fired, laws, said or [], again)


def test_counts_by_fault_and_law() -> None:
    matrix = Matrix()
    for each in (row(), row(), row("crash", said=[[1, "broken", "2 effects"]])):
        matrix.add(each)
    assert matrix.as_json() == {
        "crash": {"1 broken": 1, "2 moot": 1, "runs": 1},
        "drop": {"1 holds": 2, "2 moot": 2, "runs": 2},
    }
    assert matrix.total("runs") == 3


def test_an_inapplicable_run_is_counted_and_says_nothing() -> None:
    matrix = Matrix()
    matrix.add(row(fired=False, said=[[1, "broken", "x"]]))
    assert matrix.as_json() == {"drop": {"runs": 1, "inapplicable": 1}}
    assert not matrix.findings
    assert matrix.word == "unknown", "no run says anything"


def test_the_same_broken_thing_is_said_once_with_its_first_command() -> None:
    matrix = Matrix()
    matrix.add(row(said=[[1, "broken", "2 effects for 1 click"]]))
    matrix.add(row("crash", said=[[1, "broken", "3 effects for 1 click"]], again="again 2"))
    (finding,) = matrix.in_order
    assert (finding.why, finding.again, finding.runs) == ("2 effects for 1 click", "again 1", 2)
    assert dict(finding.faults) == {"drop": 1, "crash": 1}


def test_broken_comes_first_then_law_by_law() -> None:
    matrix = Matrix()
    matrix.add(row(said=[[1, "unknown", "u"], [4, "broken", "b"], [3, "broken", "a"]]))
    matrix.lost("a.yaml", "drop", "a defect", "again 3")
    assert [(each.verdict, each.law) for each in matrix.in_order] == [
        ("broken", 3), ("broken", 4), ("unknown", 0), ("unknown", 1),
    ]  # fmt: skip
    assert matrix.in_order[2].as_json()["again"] == "again 3"


@pytest.mark.parametrize(("said", "word"), [
    ([], "holds"), ([[1, "unknown", "u"]], "unknown"), ([[1, "broken", "b"]], "broken"),
])  # fmt: skip
def test_the_word(said: list[list[Any]], word: str) -> None:
    matrix = Matrix()
    matrix.add(row(said=said))
    assert matrix.word == word


def test_a_run_that_could_not_be_made_is_unknown() -> None:
    matrix = Matrix()
    matrix.add(row())
    matrix.lost("a.yaml", "drop", "a defect", "again")
    assert (matrix.word, matrix.total("could not run")) == ("unknown", 1)


def test_as_text_has_a_line_a_fault() -> None:
    matrix = Matrix()
    matrix.add(row(said=[[1, "broken", "b"]]))
    head, line = matrix.as_text()
    assert "law 8" in head
    assert line.split()[:6] == ["drop", "1", "0", "0", "1/0/0", "."]
