"""A turn has a share of the groups and every rare one; all turns together have everything."""
from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from harness.campaign.selection import TURNS, all_of, group_of, groups_of, rare_of, turn_of

REPLY = {
    "program": "codex", "process": 1, "wire": "stdio", "way": "<<", "stream": "out", "kind": "reply", "method": "a",
}  # fmt: skip
CENSUS: list[dict[str, Any]] = [
    {**REPLY, "count": 3},
    {**REPLY, "method": "b", "count": 1},
    {"program": "codex", "process": 1, "moment": "started", "count": 1},
]
GROUPS = groups_of(CENSUS, 7)
MOST = max(map(len, GROUPS.values()))


def test_groups_have_every_plan_under_its_fault_and_class() -> None:
    assert len(all_of(GROUPS)) > len(GROUPS) > 50
    assert all(group_of(plan) == name for name, plans in GROUPS.items() for plan in plans)


@settings(max_examples=30, deadline=None)
@given(turn=st.integers(0, 60))
def test_a_turn_has_one_plan_of_a_share_of_the_groups(turn: int) -> None:
    plans = turn_of(GROUPS, turn, ())
    names = [group_of(plan) for plan in plans]
    assert len(set(names)) == len(names)
    assert len(GROUPS) // TURNS <= len(names) <= len(GROUPS) // TURNS + 1
    assert plans == turn_of(GROUPS, turn, ())


def test_a_rare_group_is_in_every_turn() -> None:
    name = next(iter(GROUPS))
    assert all(name in map(group_of, turn_of(GROUPS, turn, {name})) for turn in range(2 * TURNS))


def test_the_turns_together_are_everything() -> None:
    met = {repr(plan) for turn in range(TURNS * MOST) for plan in turn_of(GROUPS, turn, ())}
    assert met == {repr(plan) for plan in all_of(GROUPS)}


def test_rare_is_what_few_scenarios_have() -> None:
    one: dict[str, list[Any]] = {"a": []}
    both: dict[str, list[Any]] = {"a": [], "b": []}
    assert rare_of([one, one, both]) == {"b"}
    assert rare_of([one] * (TURNS - 1)) == {"a"}


def test_one_fault_alone() -> None:
    plans = all_of(groups_of(CENSUS, 7, fault="drop"))
    assert [plan["faults"][0]["fault"] for plan in plans] == ["drop"] * 3


def test_changes_of_the_world_are_plans_of_their_own() -> None:
    census = [{"program": "helper", "process": 1, "moment": "before_effect", "count": 1}]
    plans = all_of(groups_of(census, 7, fault="world", changes=[{"locked": True}, {"locked": False}]))
    assert [plan["faults"][0]["args"] for plan in plans] == [{"locked": True}, {"locked": False}]
