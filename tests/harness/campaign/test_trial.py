"""A change is noticed by what is newly broken; the order of the runs; hangs and imports that fail."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from harness.campaign import trial
from harness.campaign.executor import Lost
from harness.campaign.trial import Tried, all_that_is_broken, broken_before, in_order, tried_from, try_change
from harness.campaign.tries import Said, Try
from harness.problem import UsageProblem


def said(*broken: str, claims: Mapping[str, str] | None = None) -> Said:
    return Said("r", "broken" if broken else "holds", broken, claims or {"C-1": "holds"})


def a_try(name: str, kind: str = "base", scenario: str = "a", before: Said | None = None) -> Try:
    return Try(scenario, name, kind, {"name": name}, before or said(), f"again {name}")


@pytest.fixture
def outcomes(monkeypatch: pytest.MonkeyPatch) -> dict[str, Said]:
    """What each run comes to with the change; nothing broken where it is not named."""
    found: dict[str, Said] = {}

    def attempt(sheet: Mapping[str, Any]) -> tuple[Said, None, None]:
        return found.get(sheet["name"], said()), None, None

    monkeypatch.setattr(trial, "attempt", attempt)
    monkeypatch.setattr(trial, "limit_run", lambda seconds: None)
    return found


def nothing() -> None:
    return None


def test_the_first_run_that_notices_ends_it(outcomes: dict[str, Said]) -> None:
    outcomes["2"] = said("law 1", claims={"C-1": "broken"})
    found = try_change(nothing, [a_try("1"), a_try("2"), a_try("3")], reach=9)
    assert found == Tried(True, "law 1", "a: 2", "again 2", 2, 9, {"r": ["C-1"]})


def test_what_was_broken_before_notices_nothing(outcomes: dict[str, Said]) -> None:
    outcomes["1"] = said("law 1")
    found = try_change(nothing, [a_try("1", before=said("law 1"))], reach=1)
    assert (found.killed, found.made, found.reach) == (False, 1, 1)


def test_what_is_broken_without_another_guard_already_notices_nothing(outcomes: dict[str, Said]) -> None:
    outcomes.update({"1": said("law 1"), "2": said("law 7")})
    tries = [a_try("1"), a_try("2"), a_try("3")]
    before = all_that_is_broken(nothing, tries)
    assert before == {"a: 1": ["law 1"], "a: 2": ["law 7"], "a: 3": []}
    tries = [broken_before(each, names) for each, names in zip(tries, before.values(), strict=True)]
    assert not try_change(nothing, tries).killed
    outcomes["2"] = said("law 7", "then: x")
    assert try_change(nothing, tries).how == "then: x"


def test_unknown_is_no_kill(outcomes: dict[str, Said]) -> None:
    outcomes["1"] = Said("r", "unknown", (), {"C-1": "unknown"})
    assert not try_change(nothing, [a_try("1")]).killed


def test_thorough_runs_all_but_plans_for_every_claim(outcomes: dict[str, Said]) -> None:
    outcomes["1"] = said("law 1")
    outcomes["2"] = Said("r2", "broken", ("then: x",), {"C-1": "broken"})
    other = Said("r2", "holds", (), {"C-1": "holds"})
    tries = [a_try("1"), a_try("2", before=other), a_try("3", "plan")]
    found = try_change(nothing, tries, thorough=True)
    assert (found.how, found.made, found.turned) == ("law 1", 2, {"r2": ["C-1"]})


def test_a_stack_that_can_not_be_imported_is_noticed(outcomes: dict[str, Said]) -> None:
    def change() -> None:
        raise KeyError("gone")

    found = try_change(change, [a_try("1")])
    assert found.killed
    assert "can't be imported" in found.how
    assert found.made == 0


def test_a_wrong_name_is_no_kill(outcomes: dict[str, Said]) -> None:
    def change() -> None:
        raise UsageProblem("a", "b", "c")

    with pytest.raises(UsageProblem):
        try_change(change, [a_try("1")])


@pytest.mark.parametrize(("answer", "killed"), [
    (Lost("hangs"), True), (Lost("ValueError: x", defect=True), False), (Tried(False, made=2).as_json(), False),
])  # fmt: skip
def test_what_a_child_answers(answer: Any, killed: bool) -> None:
    assert tried_from(answer, 3).killed is killed


def test_order_near_first_then_scenarios_in_turn_then_plans() -> None:
    tries = [a_try("1"), a_try("2", "case"), a_try("3", "plan"), a_try("4", scenario="b"), a_try("5", scenario="c")]
    assert [each.what for each in in_order(tries, {4})] == ["5", "1", "4", "2", "3"]
    assert [each.what for each in in_order(tries, {4}, limit=0)] == ["5", "1", "4", "2"]
    assert len(in_order(tries, limit=None)) == 5
