"""Patterns: what fits and what does not, each operator both ways, and what is wrong with a pattern."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.judged.match import ABSENT, OPERATORS, PATTERN_LIMIT, equal, faults_of, fits, operator_of, value_at

CASES: list[tuple[Any, Any, bool]] = [
    (1, 1, True),
    (1, 1.0, True),
    (1, True, False),
    (True, 1, False),
    (False, False, True),
    (None, None, True),
    (None, ABSENT, False),
    ("a", "a", True),
    ({"a": 1}, {"a": 1, "b": 2}, True),
    ({"a": 1, "c": 3}, {"a": 1, "b": 2}, False),
    ({"a": None}, {}, False),
    ({}, {"a": 1}, True),
    ({}, [], False),
    ([1, {"a": 2}], [1, {"a": 2, "b": 3}], True),
    ([1], [1, 2], False),
    ([1], (1,), False),
    ({"$absent": True}, ABSENT, True),
    ({"$absent": True}, None, False),
    ({"$absent": False}, None, True),
    ({"$absent": False}, ABSENT, False),
    ({"a": {"$absent": True}}, {"b": 1}, True),
    ({"$all": [{"$least": 1}, {"$most": 3}]}, 2, True),
    ({"$all": [{"$least": 1}, {"$most": 3}]}, 4, False),
    ({"$any": [1, "a"]}, "a", True),
    ({"$any": [1, "a"]}, 2, False),
    ({"$any": []}, 2, False),
    ({"$not": 1}, 2, True),
    ({"$not": 1}, 1, False),
    ({"$not": 1}, ABSENT, False),
    ({"$has": [{"a": 1}, 3]}, [3, {"a": 1, "b": 2}], True),
    ({"$has": [{"a": 1}, 4]}, [3, {"a": 1}], False),
    ({"$has": ["ell", "o"]}, "hello", True),
    ({"$has": ["x"]}, "hello", False),
    ({"$has": [1]}, "1", False),
    ({"$has": [1]}, 1, False),
    ({"$is": {"a": 1}}, {"a": 1}, True),
    ({"$is": {"a": 1}}, {"a": 1, "b": 2}, False),
    ({"$is": 1}, ABSENT, False),
    ({"$matches": "^a.c$"}, "abc", True),
    ({"$matches": "^a.c$"}, "abcd", False),
    ({"$matches": "1"}, 1, False),
    ({"$size": 2}, "ab", True),
    ({"$size": 2}, [1], False),
    ({"$size": 1}, {"a": 1}, True),
    ({"$size": 0}, 0, False),
    ({"$least": 2}, 2, True),
    ({"$least": 2}, 1.9, False),
    ({"$least": 0}, True, False),
    ({"$most": 2}, 2, True),
    ({"$most": 2}, 2.1, False),
    ({"$most": 2}, "1", False),
]


@pytest.mark.parametrize(("wanted", "seen", "fit"), CASES)
def test_what_fits(wanted: Any, seen: Any, fit: bool) -> None:
    assert fits(wanted, seen) is fit


def test_every_operator_fits_something_and_not_everything() -> None:
    for operator in OPERATORS:
        found = {fit for wanted, _, fit in CASES if isinstance(wanted, dict) and operator_of(wanted) == operator}
        assert found == {True, False}, operator


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abc", max_size=3), inner, max_size=3),
    max_leaves=12,
)


@given(json_values)
def test_every_value_fits_and_equals_itself(value: Any) -> None:
    assert fits(value, value)
    assert equal(value, value)
    assert not equal(value, [value])
    assert not list(faults_of(value))


@given(json_values, json_values)
def test_equal_is_both_ways(one: Any, other: Any) -> None:
    assert equal(one, other) == equal(other, one)


FAULTS: list[tuple[Any, str, str]] = [
    ({"a": {"$like": 1}}, "/a/$like", "one of $absent"),
    ({"$any": 1}, "/$any", "one of these patterns"),
    ({"a": {"$has": [{"$size": -1}]}}, "/a/$has/0/$size", "of this length"),
    ({"$absent": 1}, "/$absent", "not there"),
    ({"$matches": "("}, "/$matches", "regular expression"),
    ({"$matches": "a" * (PATTERN_LIMIT + 1)}, "/$matches", "regular expression"),
    ({"$matches": 1}, "/$matches", "regular expression"),
    ({"$least": "1"}, "/$least", "a number"),
    ({"$least": True}, "/$least", "a number"),
    ({"$size": True}, "/$size", "of this length"),
    ({"$not": {"$most": None}}, "/$not/$most", "a number"),
    ({"$all": [{"$like": 1}]}, "/$all/0/$like", "one of $absent"),
    ({"$any": [], "b": 1}, "/$any", "an operator alone in its object"),
    ([{"$like": 1}], "/0/$like", "one of $absent"),
]


@pytest.mark.parametrize(("wanted", "where", "expected"), FAULTS)
def test_what_is_wrong_with_a_pattern(wanted: Any, where: str, expected: str) -> None:
    found = list(faults_of(wanted))
    assert [place for place, _ in found] == [where]
    assert expected in found[0][1]


def test_a_value_is_not_looked_into() -> None:
    assert not list(faults_of({"$is": {"$like": 1}}))


@pytest.mark.parametrize(
    ("pointer", "value"),
    [("", {"a": [{"b/c": 1, "d~": 2}]}), ("/a/0/b~1c", 1), ("/a/0/d~0", 2), ("/a/1", ABSENT), ("/a/x", ABSENT),
     ("/b", ABSENT), ("/a/0/b~1c/x", ABSENT), ("/a/-1", ABSENT)],
)  # fmt: skip
def test_the_value_at_a_pointer(pointer: str, value: Any) -> None:
    assert value_at({"a": [{"b/c": 1, "d~": 2}]}, pointer) == value
