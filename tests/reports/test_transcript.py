"""A loop's transcript is found in the answers of a run, and nothing in it is obeyed."""
from __future__ import annotations

from typing import Any

import pytest

from reports.transcript import LIMIT, transcript

LEG: dict[str, Any] = {
    "goal": "Buy \u202eone",
    "transcript": [
        {"tag": "RELOOK", "said": "Buy", "sure": 0.9, "target": 0.3, "reason": "not sure enough", "typed": None},
        {"tag": "did", "said": "Name\nit", "sure": 1, "target": None, "reason": None, "typed": "Lisbon"},
    ],
}
RAN: dict[str, Any] = {"ended": "done", "proven": True, "legs": [LEG]}
LINES = (
    "1. Buy \\u202eone",
    "   RELOOK   Buy (90% sure, 30% target) [not sure enough]",
    '   did      Name\\nit (100% sure), typed "Lisbon"',
    "ended done, proven",
)


def answered(structured: Any) -> dict[str, Any]:
    return {"e": "answered", "call": 1, "structured": structured}


@pytest.mark.parametrize("structured", [RAN, {"exit": 0, "lines": ["text", RAN]}])
def test_a_run_by_the_tool_and_one_by_the_command(structured: Any) -> None:
    assert transcript([{"e": "asked", "structured": RAN}, answered(structured)]) == LINES


@pytest.mark.parametrize("structured", [None, 7, {}, {"legs": 1}, {"lines": [7, {"legs": {}}]}, {"lines": 1}])
def test_an_answer_without_legs_has_none(structured: Any) -> None:
    assert transcript([answered(structured)]) == ()


def test_what_is_not_a_line_is_shown_as_far_as_it_goes() -> None:
    ran = {"legs": [7, {}, {"goal": None, "transcript": [7, {}]}], "proven": False}
    assert transcript([answered(ran)]) == (
        "1. None", "2. None", "   None     None (? sure)", "ended None, not proven"
    )  # fmt: skip


def test_a_long_one_is_cut_and_says_so() -> None:
    long = {"ended": "out_of_looks", "proven": None, "legs": [{"goal": "g", "transcript": LEG["transcript"] * 99}]}
    found = transcript([answered(long)])
    assert (len(found), found[-1]) == (LIMIT + 1, f"… {200 - LIMIT} more")
