"""A turn has each fault at each class of place once; all turns together have everything; the same again is the same."""
from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from harness.campaign.selection import group_of, plans_of

REPLY = {
    "program": "codex", "process": 1, "wire": "stdio", "way": "<<", "stream": "out", "kind": "reply", "method": "a",
}  # fmt: skip
CENSUS: list[dict[str, Any]] = [
    {**REPLY, "count": 3},
    {**REPLY, "method": "b", "count": 1},
    {"program": "codex", "process": 1, "moment": "started", "count": 1},
]


def test_all_is_everything() -> None:
    plans, total = plans_of(CENSUS, 7, turn=None)
    assert len(plans) == total > 100


@settings(max_examples=15, deadline=None)
@given(turn=st.integers(0, 30), seed=st.integers(0, 5))
def test_a_turn_has_each_fault_at_each_class_once(turn: int, seed: int) -> None:
    plans, total = plans_of(CENSUS, seed, turn=turn)
    everything, _ = plans_of(CENSUS, seed, turn=None)
    assert sorted(map(group_of, plans)) == sorted(set(map(group_of, everything)))
    assert len(plans) < total
    assert plans == plans_of(CENSUS, seed, turn=turn)[0]


def test_the_turns_together_are_everything() -> None:
    everything, _ = plans_of(CENSUS, 0, turn=None)
    most = max(sum(group_of(each) == group_of(plan) for each in everything) for plan in everything)
    met = {repr(plan) for turn in range(most) for plan in plans_of(CENSUS, 0, turn=turn)[0]}
    assert met == {repr(plan) for plan in everything}


def test_one_fault_alone() -> None:
    plans, total = plans_of(CENSUS, 7, turn=None, fault="drop")
    assert total == len(plans) == 3
    assert {plan["faults"][0]["fault"] for plan in plans} == {"drop"}


def test_changes_of_the_world_are_plans_of_their_own() -> None:
    census = [{"program": "helper", "process": 1, "moment": "before_effect", "count": 1}]
    plans, _ = plans_of(census, 7, turn=None, fault="world", changes=[{"locked": True}, {"locked": False}])
    assert [plan["faults"][0]["args"] for plan in plans] == [{"locked": True}, {"locked": False}]
