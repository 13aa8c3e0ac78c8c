"""A run, judged: laws and items together, claims, and the exit code."""

from __future__ import annotations

from typing import Any

import pytest

from tests.harness.judged.panels import judged

HOLDS: dict[str, Any] = {"claims": ["A-1"], "some": {"world": {"e": "effect"}}}
BROKEN: dict[str, Any] = {"claims": ["A-1", "B-1"], "some": {"world": {"e": "sprout"}}}
UNKNOWN: dict[str, Any] = {"claims": ["C-1"], "every": {"world": {"e": "sprout"}}, "has": {}}
DROP = {"id": "f1", "fault": "drop", "at": {"way": "<<", "kind": "reply", "method": "look", "nth": 1}}
NEVER = {"id": "f2", "fault": "drop", "at": {"way": "<<", "method": "sing"}}


@pytest.mark.claim("HAR-LAW-02", tooth="items that do not hold")
@pytest.mark.parametrize(
    ("items", "word", "code", "claims"),
    [
        ([HOLDS], "holds", 0, {"A-1": "holds"}),
        ([HOLDS, UNKNOWN], "unknown", 3, {"A-1": "holds", "C-1": "unknown"}),
        ([HOLDS, BROKEN, UNKNOWN], "broken", 1, {"A-1": "broken", "B-1": "broken", "C-1": "unknown"}),
        ([], "holds", 0, {}),
    ],
)
def test_the_worst_is_the_whole(
    monkeypatch: pytest.MonkeyPatch, items: list[dict[str, Any]], word: str, code: int, claims: dict[str, str]
) -> None:
    result = judged(monkeypatch, *items)
    assert (result.word, result.exit_code, result.claims) == (word, code, claims)


def test_a_broken_law_breaks_the_claims_that_stand_on_it(monkeypatch: pytest.MonkeyPatch) -> None:
    laws = {"1": ["A-1"], "3": ["A-1", "D-1"]}
    assert judged(monkeypatch, laws=laws).claims == {"A-1": "holds", "D-1": "holds"}
    assert judged(monkeypatch, defect="presses twice", laws=laws).claims == {"A-1": "broken", "D-1": "holds"}


def test_a_law_with_nothing_to_judge_leaves_its_claims_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    laws = {"6": ["A-1"]}
    assert judged(monkeypatch, laws=laws, canaries=[]).claims == {"A-1": "unknown"}
    assert judged(monkeypatch, laws=laws, canaries=[], case="x").claims == {}
    assert judged(monkeypatch, laws=laws, canaries=[], faults=[DROP]).claims == {}
    assert judged(monkeypatch, laws=laws, case="x").claims == {"A-1": "holds"}


@pytest.mark.claim("HAR-MUT-01")
def test_a_plan_that_did_not_fire_is_inapplicable(monkeypatch: pytest.MonkeyPatch) -> None:
    fired = judged(monkeypatch, faults=[DROP])
    assert (fired.applicable, fired.exit_code, list(fired.unfired)) == (True, 0, [])
    result = judged(monkeypatch, faults=[DROP, NEVER])
    assert (result.applicable, result.exit_code, list(result.unfired)) == (False, 3, ["f2"])
    assert result.as_json()["verdict"] == "inapplicable"
    assert judged(monkeypatch, BROKEN, faults=[NEVER]).exit_code == 1


def test_it_says_itself_in_json(monkeypatch: pytest.MonkeyPatch) -> None:
    data = judged(monkeypatch, HOLDS).as_json()
    assert data["verdict"] == "holds"
    assert data["claims"] == {"A-1": "holds"}
    assert len(data["laws"]) == 8
    assert data["again"] == "trailcam run panel/press.yaml --seed 3"
    assert len(data["run"]) == 64
