"""Types, bounds and choices of arguments."""
from __future__ import annotations

from typing import Any

import pytest

from harness.faults.argument import TYPES, Argument, complete
from harness.faults.problem import PlanProblem

COUNT = Argument("int", 2, "", "how many", low=1, high=3)
MS = Argument("number", 1.5, "ms", "how long", low=0)
WORD = Argument("text", "a", "", "which", choices=("a", "b"))
FREE = Argument("int", None, "bytes", "where; by default drawn", low=0)


@pytest.mark.parametrize(
    ("argument", "value", "expected"),
    [
        (COUNT, 1, None),
        (COUNT, 3, None),
        (COUNT, 0, "at least 1"),
        (COUNT, 4, "at most 3"),
        (COUNT, 2.0, "a value of type int"),
        (COUNT, True, "a value of type int"),
        (COUNT, None, "a value of type int"),
        (MS, 0, None),
        (MS, 10**9, None),
        (MS, -0.1, "at least 0"),
        (MS, False, "a value of type number"),
        (MS, float("nan"), "at least 0"),
        (WORD, "b", None),
        (WORD, "c", 'one of "a", "b"'),
        (WORD, 1, "a value of type text"),
        (FREE, None, None),
        (FREE, -1, "at least 0"),
        (Argument("bool", False, "", ""), True, None),
        (Argument("bool", False, "", ""), 1, "a value of type bool"),
        (Argument("object", {}, "", ""), {"a": 1}, None),
        (Argument("object", {}, "", ""), [], "a value of type object"),
        (Argument("json", 1, "", ""), None, None),
        (Argument("json", 1, "", ""), [True], None),
    ],
)
def test_each_value_fits_or_is_told_why_not(argument: Argument, value: Any, expected: str | None) -> None:
    assert argument.why_not(value) == expected


def test_defaults_are_filled_in_in_the_order_of_the_table() -> None:
    filled = complete({"count": COUNT, "ms": MS}, {"ms": 4}, "split", "args", None)
    assert list(filled.items()) == [("count", 2), ("ms", 4)]


def test_problems_name_the_place() -> None:
    with pytest.raises(PlanProblem, match=r"^p.json: saw args.cout \(did you mean count\?\); expected count, ms"):
        complete({"count": COUNT, "ms": MS}, {"cout": 1}, "split", "args", "p.json")
    with pytest.raises(PlanProblem, match=r"args.count = 9; expected at most 3; see `trailcam faults split`"):
        complete({"count": COUNT}, {"count": 9}, "split", "args", None)


def test_every_type_is_one_of_json() -> None:
    assert set(TYPES) == {"int", "number", "text", "bool", "object", "json"}
