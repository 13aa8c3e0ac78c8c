"""Counts of places, in one order."""
from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from harness.faults.census import Census
from harness.faults.plan import Plan
from harness.wire.jsontext import dumps, loads

FRAME: dict[str, Any] = {"program": "p", "process": 1, "wire": "stdio", "way": "<<", "kind": "reply", "method": "m"}
MOMENT: dict[str, Any] = {"program": "p", "process": 1, "moment": "before_effect", "where": {"b": 1, "a": {"c": [2]}}}


def counted(*places: dict[str, Any]) -> list[dict[str, Any]]:
    census = Census()
    for place in places:
        census.count(place)
    return census.places()


def test_places_say_what_they_are_and_how_many() -> None:
    assert counted(FRAME, MOMENT, FRAME, {**FRAME, "way": ">>"}) == [
        {**FRAME, "stream": "out", "count": 2},
        {**FRAME, "way": ">>", "stream": "in", "count": 1},
        {**MOMENT, "count": 1},
    ]


def test_what_a_place_does_not_have_is_not_there() -> None:
    assert counted({"program": "p", "process": 2, "moment": "ended", "wire": "stdio"}) == [
        {"program": "p", "process": 2, "wire": "stdio", "moment": "ended", "count": 1}
    ]
    assert counted({"program": "p", "process": 2, "wire": "stdio", "way": "<<", "kind": "raw"}) == [
        {"program": "p", "process": 2, "wire": "stdio", "way": "<<", "stream": "out", "kind": "raw", "count": 1}
    ]


def test_the_order_of_members_makes_no_other_place() -> None:
    assert counted(MOMENT, {**MOMENT, "where": {"a": {"c": [2]}, "b": 1}}) == [{**MOMENT, "count": 2}]


places = st.lists(
    st.fixed_dictionaries(
        {"program": st.sampled_from("pq"), "process": st.integers(1, 2), "way": st.sampled_from(["<<", ">>"])},
        optional={"kind": st.sampled_from(["reply", "raw"]), "method": st.sampled_from("ab")},
    )
    | st.fixed_dictionaries(
        {"program": st.sampled_from("pq"), "moment": st.sampled_from("ab")},
        optional={"where": st.dictionaries(st.sampled_from("xy"), st.integers(0, 1))},
    ),
    max_size=12,
)


@given(places, st.randoms(use_true_random=False))
def test_the_order_of_the_run_does_not_show(seen: list[dict[str, Any]], rng: Any) -> None:
    shuffled = list(seen)
    rng.shuffle(shuffled)
    assert counted(*seen) == counted(*shuffled)
    assert sum(place["count"] for place in counted(*seen)) == len(seen)
    assert loads(dumps(counted(*seen))) == counted(*seen)


@given(places)
def test_each_place_can_be_struck_by_what_the_census_says_of_it(seen: list[dict[str, Any]]) -> None:
    for place in counted(*seen):
        at = {key: value for key, value in place.items() if key != "count"}
        plan = Plan({"v": 1, "faults": [{"id": "f1", "fault": "no_op", "at": at, "times": 99}]})
        assert sum(len(plan.strike(other)) for other in seen) >= place["count"]
