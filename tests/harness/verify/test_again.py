"""Runs again what lateness may explain, and nothing else; what had not held is never forgotten."""

from __future__ import annotations

from dataclasses import replace

import pytest

from harness.judged.then import FORMS
from harness.laws.table import LAWS
from harness.laws.verdict import Word
from harness.verify.again import FORMS_NEVER_LATE, NEVER_LATE, alone, may_be_late
from harness.verify.units import Unit
from harness.verify.work import BACKS, Finding, Result

LATE = Finding("broken", "a.yaml", "it is answered: nothing was", "again")
UNKNOWN = Finding("unknown", "a.yaml", "could not run: the driver did not start", "")


def law(number: int, verdict: str = "broken") -> Finding:
    return Finding("unknown" if verdict == "unknown" else "broken", "a.yaml", f"law {number}: so", "again", number)


def item(form: str, verdict: Word = "broken") -> Finding:
    return Finding(verdict, "a.yaml", "it is so: it is not", "again", 0, form)


def result(*findings: Finding, mode: str = "process") -> Result:
    return Result(Unit("a.yaml", "a.yaml", "1.0", "engine", mode, False), findings=list(findings))


@pytest.mark.parametrize(
    ("late", "given"),
    [
        (True, result(LATE)),
        (True, result(UNKNOWN)),
        (True, result(law(8), law(4), law(7))),
        (True, result(law(2, "unknown"))),
        (False, result()),
        (False, result(LATE, mode="virtual")),
        *[(False, result(LATE, law(number))) for number in sorted(NEVER_LATE)],
        *[(False, result(LATE, item(form))) for form in sorted(FORMS_NEVER_LATE)],
        (True, result(item("some"), item("every"))),
        (True, result(item("none", "unknown"))),
        (False, result(item(BACKS))),
        (False, result(item(BACKS), replace(LATE, what="another run"))),
        (False, result(item(BACKS), law(2))),
        (True, result(item(BACKS), LATE)),
    ],
)
def test_only_lateness_is_excused(late: bool, given: Result) -> None:
    assert may_be_late(given) is late


def test_laws_of_what_must_never_be_are_named() -> None:
    assert {LAWS[number].name for number in NEVER_LATE} == {
        "at most once", "right target", "honest outcome", "consent", "nothing leaks",
    }  # fmt: skip
    assert set(FORMS) > FORMS_NEVER_LATE


@pytest.mark.parametrize(
    ("answers", "asked", "left", "before"),
    [
        ([result()], 1, [], [LATE]),
        ([result(UNKNOWN)], 1, [UNKNOWN], [LATE]),
        ([result(law(1))], 1, [law(1)], [LATE]),
    ],
)
def test_a_unit_is_run_again_once_and_what_does_not_hold_alone_stands(
    answers: list[Result], asked: int, left: list[Finding], before: list[Finding]
) -> None:
    given: list[Result] = []

    def again(late: Result) -> Result:
        given.append(late)
        return answers[len(given) - 1]

    sound = result()
    settled = alone([sound, result(LATE)], again)
    assert (settled[0], len(given)) == (sound, asked)
    assert (settled[1].findings, settled[1].repeated) == (left, before)
