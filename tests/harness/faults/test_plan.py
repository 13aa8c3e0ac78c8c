"""Where a fault strikes, how often, and in what order; what fired and what did not."""
from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.faults.census import Census
from harness.faults.plan import Plan
from harness.faults.registry import FAULTS, NAMES
from harness.faults.steps import Change, Exit, Raw, Wait
from tests.harness.faults.catalogue.struck import REPLY

FRAME: dict[str, Any] = {
    "program": "codex", "process": 2, "wire": "stdio", "way": "<<", "kind": "reply", "method": "tools/call",
}  # fmt: skip
MOMENT: dict[str, Any] = {
    "program": "codex", "process": 1, "moment": "before_effect", "where": {"verb": "click", "target": {"app": "a"}},
}  # fmt: skip


def entry(fault: str = "no_op", id: str = "f1", at: Any = None, **more: Any) -> dict[str, Any]:
    return {"id": id, "fault": fault, "at": at or {}, **more}


def plan(*entries: dict[str, Any], seed: int = 7) -> Plan:
    return Plan({"v": 1, "seed": seed, "faults": list(entries)})


@pytest.mark.parametrize(
    ("place", "at", "strikes"),
    [
        (FRAME, {}, True),
        (FRAME, {"program": "codex"}, True),
        (FRAME, {"program": "helper"}, False),
        (FRAME, {"process": 2}, True),
        (FRAME, {"process": 1}, False),
        (FRAME, {"wire": "socket"}, False),
        (FRAME, {"way": "<<"}, True),
        (FRAME, {"way": ">>"}, False),
        (FRAME, {"stream": "out"}, True),
        (FRAME, {"stream": "err"}, False),
        ({**FRAME, "stream": "err"}, {"stream": "err"}, True),
        ({**FRAME, "way": ">>"}, {"stream": "in"}, True),
        (FRAME, {"kind": "reply", "method": "tools/call"}, True),
        (FRAME, {"kind": "notice"}, False),
        (FRAME, {"method": "tools/list"}, False),
        ({"program": "codex", "way": "<<", "kind": "raw"}, {"method": "tools/call"}, False),
        (FRAME, {"moment": "before_effect"}, False),
        (MOMENT, {"moment": "before_effect"}, True),
        (MOMENT, {"moment": "after_effect"}, False),
        (MOMENT, {"way": "<<"}, False),
        (MOMENT, {"stream": "out"}, False),
        (MOMENT, {"where": {}}, True),
        (MOMENT, {"where": {"verb": "click"}}, True),
        (MOMENT, {"where": {"verb": "type"}}, False),
        (MOMENT, {"where": {"target": {"app": "a"}}}, True),
        (MOMENT, {"where": {"target": {"app": "b"}}}, False),
        (MOMENT, {"where": {"target": {"app": "a", "node": 1}}}, False),
        (MOMENT, {"where": {"verb": {"app": "a"}}}, False),
        (MOMENT, {"verb": "click"}, True),
        (MOMENT, {"verb": "type"}, False),
        (FRAME, {"verb": "click"}, False),
        ({**FRAME, "tool": "click"}, {"tool": "click"}, True),
        ({**FRAME, "count": 1}, {"count": True}, False),
        ({**FRAME, "count": True}, {"count": 1}, False),
        ({"program": "codex", "moment": "started"}, {"where": {"verb": "click"}}, False),
    ],
)
def test_every_key_narrows(place: dict[str, Any], at: dict[str, Any], strikes: bool) -> None:
    assert bool(plan(entry(at=at)).strike(place)) is strikes


@pytest.mark.parametrize("name", NAMES)
def test_a_fault_strikes_only_the_ways_and_moments_that_it_is_made_for(name: str) -> None:
    args = {"locked": True} if name == "world" else {}
    for way in (">>", "<<", "moment"):
        place = {"moment": "before_effect"} if way == "moment" else {"way": way}
        strikes = plan(entry(name, args=args)).strike(place)
        fault = FAULTS[name]
        assert bool(strikes) is (way in fault.ways and (way != "moment" or not fault.moments)), way
    if FAULTS[name].moments:
        (moment,) = FAULTS[name].moments
        assert plan(entry(name, args=args)).strike({"moment": moment})


@pytest.mark.parametrize(
    ("nth", "times", "expected"),
    [(None, None, [1]), (1, 1, [1]), (3, 1, [3]), (2, 3, [2, 3, 4]), (6, 2, []), (5, 9, [5])],
)
def test_nth_counts_matching_places_over_the_run(nth: int | None, times: int | None, expected: list[int]) -> None:
    at = {"kind": "reply"} | ({"nth": nth} if nth else {})
    armed = plan(entry("drop", at=at) | ({"times": times} if times else {}))
    struck = []
    for number in range(1, 6):
        assert not armed.strike({**FRAME, "kind": "notice"})
        strikes = armed.strike({**FRAME, "process": number})
        struck += [number] * len(strikes)
        for strike in strikes:
            strike.apply([Raw(REPLY)])
    assert struck == expected
    assert armed.unfired() == ([] if expected else ["f1"])
    assert [strike.place["process"] for strike in armed.fired] == expected


def test_faults_at_one_place_act_in_the_order_of_the_plan() -> None:
    duplicate, late, crash = entry("duplicate", "a"), entry("delay", "b", args={"ms": 1}), entry("crash", "c")

    def outcome(*entries: dict[str, Any]) -> list[Any]:
        steps: list[Any] = [Raw(REPLY)]
        for strike in plan(*entries).strike(FRAME):
            steps = strike.apply(steps)
        return steps

    assert outcome(duplicate, late, crash) == [Wait(1), Exit(1)]
    assert outcome(crash, late, duplicate) == [Wait(1), Exit(1)]
    assert outcome(late, duplicate) == [Wait(1), Raw(REPLY), Raw(REPLY)]
    assert outcome(entry("drop", "a"), duplicate | {"id": "b"}) == []


def test_a_fault_that_could_change_nothing_has_not_fired() -> None:
    armed = plan(entry("wrong_id", "a"), entry("drop", "b"))
    wrong, drop = armed.strike(FRAME)
    assert wrong.apply([Raw(b"no message\n")]) == [Raw(b"no message\n")]
    assert drop.apply([Raw(b"no message\n")]) == []
    assert (wrong.fired, drop.fired) == (False, True)
    assert armed.unfired() == ["a"]
    assert [strike.as_json() for strike in armed.fired] == [{"id": "b", "fault": "drop", "args": {}, "place": FRAME}]
    assert not armed.strike(FRAME)


def test_a_strike_that_nobody_applied_has_not_fired() -> None:
    armed = plan(entry("drop"))
    assert len(armed.strike(FRAME)) == 1
    assert armed.unfired() == ["f1"]


def test_the_steps_that_were_given_stay_as_they_are() -> None:
    steps = [Raw(REPLY)]
    (strike,) = plan(entry("drop")).strike(FRAME)
    strike.apply(steps)
    assert steps == [Raw(REPLY)]


def test_a_change_of_the_world_names_the_fault_that_made_it() -> None:
    first, second = plan(entry("world", "a", args={"x": 1}), entry("world", "b", args={"x": 2})).strike(MOMENT)
    assert second.apply(first.apply([])) == [Change({"x": 2}, "fault:b"), Change({"x": 1}, "fault:a")]


def corrupted(*entries: dict[str, Any], seed: int = 7, times: int = 1) -> list[Any]:
    armed = plan(*entries, seed=seed)
    return [strike.apply([Raw(REPLY)]) for _ in range(times) for strike in armed.strike(FRAME) if strike.id == "c"]


def test_what_a_fault_draws_depends_on_seed_and_id_alone() -> None:
    alone = corrupted(entry("corrupt", "c", times=3), times=3)
    assert len({repr(steps) for steps in alone}) > 1
    assert alone == corrupted(entry("corrupt", "c", times=3), times=3)
    assert alone == corrupted(entry("corrupt", "a", times=3), entry("corrupt", "c", times=3), times=3)
    assert alone != corrupted(entry("corrupt", "c", times=3), seed=8, times=3)
    (other,) = plan(entry("corrupt", "d")).strike(FRAME)
    assert alone[0] != other.apply([Raw(REPLY)])


def test_the_run_s_seed_counts_where_the_plan_has_none() -> None:
    data: dict[str, Any] = {"v": 1, "faults": [entry("corrupt")]}
    assert Plan(data, 9).seed == 9
    assert Plan({**data, "seed": 4}, 9).seed == 4


def test_without_faults_there_is_nothing_to_watch() -> None:
    empty = Plan(None)
    assert not empty.watching
    assert empty.strike(FRAME) == ()
    assert empty.unfired() == []
    assert empty.fired == []
    assert empty.recoverable()
    armed = plan(entry())
    assert armed.watching
    armed.strike(FRAME)
    assert not armed.watching


def test_a_census_is_taken_of_every_place() -> None:
    empty = Plan(None)
    empty.census = Census()
    assert empty.watching
    empty.strike(FRAME)
    empty.strike(FRAME)
    empty.strike(MOMENT)
    assert [place["count"] for place in empty.census.places()] == [1, 2]


def test_which_outcomes_are_hidden() -> None:
    def hides(name: str, place: dict[str, Any], left_ms: float | None = None, **args: Any) -> bool:
        (strike,) = plan(entry(name, args=args)).strike(place)
        return strike.hides_outcome(left_ms)

    assert hides("drop", FRAME)
    assert not hides("drop", {**FRAME, "kind": "notice"})
    assert not hides("duplicate", FRAME)
    assert hides("duplicate", {**FRAME, "kind": "request", "way": "<<"})
    assert not hides("duplicate", {**FRAME, "kind": "request", "way": ">>"})
    assert hides("crash", MOMENT)
    assert hides("delay", FRAME, 99, ms=100)
    assert not hides("delay", FRAME, 101, ms=100)


@pytest.mark.parametrize(
    ("entries", "recoverable"),
    [
        ([entry("drop")], True),
        ([entry("world", args={"x": 1})], False),
        ([entry("drop", times=2)], False),
        ([entry("drop", "a"), entry("world", "b", args={"x": 1})], False),
        ([entry("drop", "a"), entry("world", "b", at={"nth": 2}, args={"x": 1})], True),
    ],
)
def test_what_fired_and_may_fire_again_is_not_recoverable(entries: list[dict[str, Any]], recoverable: bool) -> None:
    armed = plan(*entries)
    steps: list[Any] = [Raw(REPLY)]
    for strike in armed.strike(FRAME):
        steps = strike.apply(steps)
    assert armed.recoverable() is recoverable


@given(
    st.lists(st.sampled_from(sorted(set(NAMES) - {"world"})), max_size=5),
    st.integers(0, 2**64),
    st.integers(1, 99),
    st.integers(1, 99),
)
def test_a_plan_with_its_defaults_is_the_same_plan(names: list[str], seed: int, nth: int, times: int) -> None:
    entries = [entry(name, f"f{n}", {"nth": nth}, times=times) for n, name in enumerate(names)]
    whole = plan(*entries, seed=seed).as_json()
    assert Plan(whole).as_json() == whole
    assert whole["seed"] == seed
    assert [fault["at"]["nth"] for fault in whole["faults"]] == [nth] * len(names)  # type: ignore[union-attr,index]


def test_what_no_fault_can_strike_any_more_is_not_watched() -> None:
    plan = Plan({"v": 1, "seed": 7, "faults": [
        {"id": "f1", "fault": "drop", "at": {"program": "codex", "way": "<<", "kind": "reply", "nth": 1}},
        {"id": "f2", "fault": "crash", "at": {"moment": "started", "nth": 2}},
    ]})  # fmt: skip
    assert plan.watches("codex", "<<")
    assert not plan.watches("helper", "<<")
    assert plan.watches("helper", "moment")
    reply: dict[str, Any] = {"program": "codex", "process": 1, "wire": "stdio", "way": "<<", "kind": "reply"}
    assert len(plan.strike(reply)) == 1
    assert not plan.watches("codex", "<<")
    assert plan.watching
    plan.census = Census()
    assert plan.watches("helper", "<<")
