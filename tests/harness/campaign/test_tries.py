"""The runs of real scenarios, and what they came to."""
from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from harness.campaign import tries
from harness.campaign.tries import Said, Try, attempt, first_words, scenarios_of, sheets_of, tries_of
from harness.problem import Problem, UsageProblem
from harness.scenario.compile import Choice, compile_sheet

NAME = Path("computer-use/small-differences-count.yaml")


def test_the_scenarios_of_a_system_by_name() -> None:
    found = scenarios_of("computer-use")
    assert [each.name for each in found] == sorted(each.name for each in found)
    assert str(NAME) in [each.name for each in found]
    assert [each.name for each in scenarios_of("computer-use", NAME)] == [str(NAME)]
    assert scenarios_of("another", NAME) == []


def test_a_scenario_that_is_not_there_is_refused() -> None:
    with pytest.raises(UsageProblem, match=r"nowhere\.yaml"):
        scenarios_of("computer-use", Path("nowhere.yaml"))


def test_a_run_says_what_is_broken_and_a_defect_is_broken_too(monkeypatch: pytest.MonkeyPatch) -> None:
    (scenario,) = scenarios_of("computer-use", NAME)
    sheet = compile_sheet(scenario, Choice())
    said, judged, records = attempt(sheet)
    assert (said.word, said.broken, said.applicable) == ("holds", (), True)
    assert judged is not None and records is not None
    wrong = {**sheet, "then": [{"claims": ["C-1"], "says": "no", "none": {"history": {"e": "answered"}}}]}
    assert attempt(wrong)[0].broken == ("then: no",)

    def run(*args: Any, **more: Any) -> None:
        raise ExceptionGroup("of a nursery", [Problem("this", "that", "do")])

    monkeypatch.setattr(tries, "run", run)
    said, judged, records = attempt(sheet)
    assert said.broken[0].startswith("could not run: Problem: saw this")
    assert judged is None and records is None


def test_first_words_are_of_the_first_error() -> None:
    assert first_words(ExceptionGroup("g", [ValueError("one\ntwo")])) == "ValueError: one"


def test_sheets_of_every_profile_and_case() -> None:
    (scenario,) = scenarios_of("computer-use", NAME)
    found = [(kind, what) for kind, what, _ in sheets_of(scenario)]
    assert found[0] == ("base", "base")
    assert [what for kind, what in found if kind == "case"] == list(scenario.cases)
    assert found[-1] == ("base", f"base ({scenario.profiles[0]})")


def test_tries_are_watched_and_those_that_did_not_fire_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    (scenario,) = scenarios_of("computer-use", NAME)
    seen = iter(range(100))

    def once(sheet: Any, *, census: bool = False) -> tuple[Said, None, None]:
        return Said("r", "holds", (), {}, applicable=sheet.get("case") != "a policy in other letters"), None, None

    def watch(function: Callable[[], Any]) -> tuple[Any, list[int]]:
        return function(), [next(seen)]

    monkeypatch.setattr(tries, "attempt", once)
    found = list(tries_of(scenario, watch))
    assert "a policy in other letters" not in [each.what for each, _, _ in found]
    assert found[0][1] == [0]
    assert Try.from_json(found[0][0].as_json()) == found[0][0]
