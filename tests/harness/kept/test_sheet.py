"""What judging needs of a run sheet."""
from __future__ import annotations

from typing import Any

import pytest

from harness.kept import KeptProblem
from harness.kept.sheet import check_sheet
from tests.harness.laws.runs import SHEET

CANARY = {"value": "eight888", "allowed": ["answered"]}
GOOD: list[dict[str, Any]] = [
    {},
    {"plan": None, "bounds": None, "canaries": []},
    {"plan": {"v": 1, "faults": [{"id": "f1", "fault": "drop"}]}},
    {"canaries": [CANARY, {**CANARY, "name": "password", "planted": "environment"}]},
    {"ends_calls": ["cancel"]},
    {"ends_calls": None},
    {"goal": [{"e": "effect"}], "keeps": ["audit.jsonl", "logs/"]},
    {"mode": "process", "back": "live", "more": "is the scenario's business"},
]


@pytest.mark.parametrize("more", GOOD)
def test_good_sheets(more: dict[str, Any]) -> None:
    check_sheet({**SHEET, **more})


BAD: list[tuple[dict[str, Any], str]] = [
    ({"v": 2}, "version 1"),
    ({"v": "1"}, "version of the run sheet"),
    ({"v": 0}, "version of the run sheet"),
    ({"scenario": None}, "path of the scenario"),
    ({"mode": "alone"}, "one of virtual, process"),
    ({"back": "documented"}, "one of model, tape"),
    ({"seed": 1.5}, "a whole number"),
    ({"seed": True}, "a whole number"),
    ({"steps": {}}, "a list of steps"),
    ({"steps": ["call"]}, "an object"),
    ({"goal": [1]}, "an object"),
    ({"steps": [{"call": {}, "expect": "done"}]}, "an object"),
    ({"keeps": [1]}, "names of files"),
    ({"ends_calls": [1]}, "told events"),
    ({"ends_calls": "cancel"}, "told events"),
    ({"goal": {}}, "a list of objects"),
    ({"bounds": []}, "name of a bound"),
    ({"plan": {"faults": {}}}, "a list of objects"),
    ({"plan": {"faults": [1]}}, "a list of objects"),
    ({"plan": []}, "a fault plan"),
    ({"canaries": {}}, "a list of"),
    ({"canaries": ["eight888"]}, "a list of"),
    ({"canaries": [{"value": "eight888"}]}, "places where it may be found"),
    ({"canaries": [{"allowed": []}]}, "at least 8 bytes"),
    ({"canaries": [{**CANARY, "value": "seven77"}]}, "at least 8 bytes"),
    ({"canaries": [{**CANARY, "allowed": [1]}]}, "places where it may be found"),
    ({"canaries": [{**CANARY, "planted": 1}]}, "where the runner put it"),
    ({"canaries": [{**CANARY, "alowed": []}]}, "one of name, value, allowed, planted"),
]


@pytest.mark.parametrize(("more", "expected"), BAD)
def test_bad_sheets_are_refused(more: dict[str, Any], expected: str) -> None:
    with pytest.raises(KeptProblem) as caught:
        check_sheet({**SHEET, **more}, "run.json")
    assert expected in caught.value.expected
    assert caught.value.file == "run.json"


def test_a_problem_never_says_the_value_of_a_canary() -> None:
    with pytest.raises(KeptProblem) as caught:
        check_sheet({**SHEET, "canaries": [{"value": "s3cret!", "allowed": []}]})
    assert "s3cret!" not in str(caught.value)
