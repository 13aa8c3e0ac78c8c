"""The tables of a scenario: each key has a kind that is checked, and each kind refuses something."""

from __future__ import annotations

from typing import Any

import pytest

from harness.judged.then import FORMS
from harness.scenario.document import Node, read_text
from harness.scenario.problem import ScenarioProblem
from harness.scenario.schema import (
    ACTIONS,
    CASE,
    ITEM,
    KINDS,
    NEEDS,
    SCENARIO,
    SECTIONS,
    STEP,
    TOOTH,
    check,
    one_of,
    read_section,
)

TABLES = (SCENARIO, CASE, STEP, ITEM, TOOTH)

VALUES: dict[str, tuple[Any, Any]] = {
    "text": ("a", "  "),
    "texts": (["a"], ["a", 1]),
    "number": (1.5, True),
    "count": (0, -1),
    "flag": (False, 0),
    "object": ({}, []),
    "objects": ([{}], [1]),
    "host": ([{"fails": "append_private"}], [{"fails": "no such method"}]),
    "means": ({"verb": "click", "ref": None, "looks": True}, {"verb": "click", "note": 1}),
    "expect": ("done", "maybe"),
    "law": (8, 0),
}
"""Kind -> (a value that fits, one that does not)."""


def test_every_key_has_a_kind_and_a_meaning() -> None:
    for table in TABLES:
        for key, (kind, _, meaning) in table.items():
            assert kind in KINDS or kind in SECTIONS or "|" in kind, key
            assert len(meaning) > 6
    assert set(KINDS) == {*VALUES, "any"}


@pytest.mark.parametrize("kind", VALUES)
def test_a_kind_takes_what_fits_and_refuses_what_does_not(kind: str) -> None:
    good, bad = VALUES[kind]
    check(node(good), kind, "x.yaml", "it", "meaning")
    with pytest.raises(ScenarioProblem) as caught:
        check(node(bad), kind, "x.yaml", "it", "meaning")
    assert caught.value.expected.endswith(": meaning")


def node(value: Any) -> Node:
    if isinstance(value, dict):
        return Node({key: node(each) for key, each in value.items()}, 1, dict.fromkeys(value, 1))
    return Node([node(each) for each in value], 1) if isinstance(value, list) else Node(value, 1)


def test_steps_and_items_are_of_one_table() -> None:
    assert {*ACTIONS, *(key for beside in ACTIONS.values() for key in beside)} == set(STEP)
    assert set(FORMS) <= set(ITEM)
    assert {key for _, beside, _ in FORMS.values() for key in beside} <= set(ITEM)
    assert all(key in FORMS[form][1] for form, keys in NEEDS.items() for key in keys)


def test_a_section_that_is_no_mapping_is_refused() -> None:
    with pytest.raises(ScenarioProblem, match=r"x\.yaml:1: saw \[1\] for a case; expected keys and values"):
        read_section(read_text(b"[1]", "x.yaml"), CASE, "x.yaml", "a case")


def test_one_of_keeps_the_order_of_the_names() -> None:
    assert one_of(("a", "b", "c"), ["c", "x", "a"]) == ["a", "c"]
