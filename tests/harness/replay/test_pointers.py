"""Values by their pointers, and where two values differ."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.replay.pointers import ABSENT, differences, equal, id_key, mapped, replaced, texts, value_at

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.floats(-1, 1, width=16) | st.text("ab/~", max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab/~", max_size=3), inner, max_size=3),
    max_leaves=12,
)
VALUE: Any = {"a": {"b/c": [1, {"d~": "x"}]}, "e": None}


@pytest.mark.parametrize(("pointer", "found"), [
    ("", VALUE), ("/a/b~1c/0", 1), ("/a/b~1c/1/d~0", "x"), ("/e", None), ("/f", ABSENT), ("/a/b~1c/2", ABSENT),
    ("/a/b~1c/-", ABSENT), ("/e/x", ABSENT), ("/a/b~1c/0/x", ABSENT),
])  # fmt: skip
def test_value_at(pointer: str, found: object) -> None:
    assert value_at(VALUE, pointer) is found or value_at(VALUE, pointer) == found


def test_replaced_copies_and_leaves_the_rest() -> None:
    value: Any = {"params": {"_meta": {"token": 1}, "x": [1]}, "id": 3}
    before = json.dumps(value)
    assert replaced(value, "/id", ABSENT) == {"params": value["params"]}
    assert replaced(value, "/params/_meta/token", None) == {"params": {"_meta": {"token": None}, "x": [1]}, "id": 3}
    for nowhere in ("/nope", "/id/x", "/params/x/0", "/params/nope/token"):
        assert replaced(value, nowhere, None) == value
    assert json.dumps(value) == before


def test_mapped_changes_whole_texts_that_are_no_names() -> None:
    assert mapped({"a": ["a", "ab", 1]}, {"a": "z"}) == {"a": ["z", "ab", 1]}


@given(JSON)
def test_texts_are_where_they_say(value: Any) -> None:
    found = dict(texts(value))
    assert all(value_at(value, pointer) == text for pointer, text in found.items())
    assert len(found) == json.dumps(mapped_all(value)).count('"#"')


def mapped_all(value: Any) -> Any:
    """Every text replaced by a mark, names by none."""
    if isinstance(value, str):
        return "#"
    if isinstance(value, dict):
        return [mapped_all(each) for each in value.values()]
    return [mapped_all(each) for each in value] if isinstance(value, list) else value


@given(JSON, JSON)
def test_differences_are_none_exactly_where_the_texts_are_equal(one: Any, two: Any) -> None:
    same = json.dumps(one, sort_keys=True) == json.dumps(two, sort_keys=True)
    found = list(differences(one, two))
    assert (not found) == same
    for pointer, recorded, got in found:
        assert value_at(one, pointer) is recorded or value_at(one, pointer) == recorded
        assert value_at(two, pointer) is got or value_at(two, pointer) == got
    assert not list(differences(one, one))


def test_differences_name_the_first_place_first() -> None:
    recorded, got = {"a": 1, "b": [1, 2], "c": "x"}, {"a": 1.0, "b": [1], "d": 1}
    assert [pointer for pointer, _, _ in differences(recorded, got)] == ["/a", "/b/1", "/c", "/d"]
    assert list(differences(ABSENT, ABSENT)) == []
    assert repr(ABSENT) == "nothing"


def test_ids_and_values_of_several_types() -> None:
    ids: list[Any] = [0, 0.0, "0", None, False, [], {}]
    assert len({id_key(id) for id in ids}) == 7
    assert equal(2**53 + 1, 2**53 + 1) and not equal(1, True) and not equal(1, 1.0) and not equal("1", 1)
