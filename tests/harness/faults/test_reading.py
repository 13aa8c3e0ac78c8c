"""Every way in which a plan can be wrong: what was seen, what was expected, and where."""
from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.faults.problem import PlanProblem
from harness.faults.reading import AT, read
from harness.problem import UsageProblem

GOOD: dict[str, Any] = {"id": "f1", "fault": "drop", "at": {"way": "<<"}}


def with_entry(**more: Any) -> dict[str, Any]:
    return {"v": 1, "faults": [{**GOOD, **more}]}


def without(key: str) -> dict[str, Any]:
    return {"v": 1, "faults": [{name: value for name, value in GOOD.items() if name != key}]}


BAD: list[tuple[Any, str]] = [
    ([], r"plan = \[\]; expected an object"),
    ({}, "v = null; expected v = 1"),
    ({"v": 2, "faults": []}, "v = 2; expected v = 1; .*newer trailcam"),
    ({"v": True, "faults": []}, "v = true"),
    ({"v": 1}, "faults = null; expected a list"),
    ({"v": 1, "faults": {}}, "faults = {}"),
    ({"v": 1, "fault": []}, r"fault \(did you mean faults\?\)"),
    ({"v": 1, "seed": -1, "faults": []}, "seed = -1"),
    ({"v": 1, "seed": True, "faults": []}, "seed = true"),
    ({"v": 1, "seed": "7", "faults": []}, 'seed = "7"'),
    ({"v": 1, "faults": [7]}, r"faults\[0\] = 7; expected an object"),
    (without("id"), r"faults\[0\].id = null"),
    (with_entry(id=""), r"faults\[0\].id = \"\""),
    (without("fault"), r"faults\[0\].fault = null"),
    (with_entry(fault="dorp"), r"faults\[0\].fault = 'dorp' \(did you mean drop\?\)"),
    (with_entry(fault="qqqq"), r"faults\[0\].fault = 'qqqq'; expected the name of a fault; see `trailcam faults`"),
    (without("at"), r"faults\[0\].at = null"),
    (with_entry(arg={}), r"faults\[0\].arg \(did you mean args\?\)"),
    (with_entry(args=[]), r"faults\[0\].args = \[\]"),
    (with_entry(args={"ms": 1}), r"faults\[0\].args.ms; expected no arguments: drop has none"),
    (with_entry(fault="delay", args={"m": 1}), r"args.m \(did you mean ms\?\); expected ms as arguments of delay"),
    (with_entry(fault="delay", args={"ms": -1}), r"args.ms = -1; expected at least 0"),
    (with_entry(fault="world"), r"faults\[0\].args = {}; expected at least one argument of world"),
    (with_entry(times=0), r"faults\[0\].times = 0"),
    (with_entry(times=True), r"faults\[0\].times = true"),
    (with_entry(at={"times": 2}), "times stands beside at"),
    (with_entry(at={"metod": "x"}), r"at.metod \(did you mean method\?\)"),
    (with_entry(at={"nth": 0}), r"at.nth = 0; expected a whole number from 1"),
    (with_entry(at={"nth": True}), r"at.nth = true"),
    (with_entry(at={"process": 0}), r"at.process = 0"),
    (with_entry(at={"program": 1}), r"at.program = 1; expected the name of the program"),
    (with_entry(at={"way": "<"}), r'at.way = "<"; expected one of >>, <<'),
    (with_entry(at={"kind": "event"}), r'at.kind = "event"; expected one of request, reply, notice, raw'),
    (with_entry(at={"where": []}), r"at.where = \[\]"),
    (with_entry(at={"way": "<<", "moment": "x"}), "at with way and moment; expected the place of a frame or a moment"),
    (with_entry(at={"moment": "x"}), "at ties drop to moment; expected a place of << or >>"),
    (with_entry(fault="coalesce", at={"way": ">>"}), "at ties coalesce to >>; expected a place of <<"),
    (with_entry(fault="slow_start", at={"kind": "reply"}), "at ties slow_start to << or >>"),
    (with_entry(fault="null_result", at={"kind": "notice"}), 'at.kind = "notice"; expected reply, which null_result'),
    (with_entry(fault="slow_start", at={"moment": "ended"}), 'at.moment = "ended"; expected started'),
    ({"v": 1, "faults": [GOOD, GOOD]}, r"faults\[1\].id = \"f1\"; expected an id that no other fault of the plan has"),
    ({"v": 1, "seed": {1, 2}, "faults": []}, "seed = {1, 2}"),
]


@pytest.mark.parametrize(("data", "message"), BAD)
def test_what_is_wrong_is_named(data: Any, message: str) -> None:
    with pytest.raises(PlanProblem, match=message) as caught:
        read(data, 0, "plan.json")
    assert str(caught.value).startswith("plan.json: saw ")
    assert isinstance(caught.value, UsageProblem)
    assert caught.value.advice


def test_what_is_left_out_has_a_default() -> None:
    seed, (entry,) = read({"v": 1, "faults": [{"id": "f1", "fault": "delay", "at": {}}]}, 5, None)
    assert seed == 5
    assert (entry.nth, entry.times, entry.at) == (1, 1, {})
    assert entry.args == {"ms": 30_000}


def test_the_plan_that_was_given_is_not_changed() -> None:
    data = with_entry(at={"way": "<<", "nth": 4})
    _, (entry,) = read(data, 0, None)
    assert entry.nth == 4
    assert data == with_entry(at={"way": "<<", "nth": 4})


@pytest.mark.parametrize("key", ["verb", "tool", "target", "app", "name", "id"])
def test_words_of_a_front_may_narrow_too(key: str) -> None:
    assert key not in AT
    _, (entry,) = read(with_entry(at={key: [1]}), 0, None)
    assert entry.at == {key: [1]}


def test_every_key_has_its_meaning() -> None:
    assert all(meaning for _, _, meaning in AT.values())


json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.sampled_from(["v", "faults", "id", "fault", "at", "args", "seed", "nth", "way"]), inner),
    max_leaves=12,
)


@given(json | json.map(lambda value: {"v": 1, "faults": [value]}) | json.map(lambda value: with_entry(at=value)))
def test_any_json_is_a_plan_or_a_typed_problem(data: Any) -> None:
    try:
        _, entries = read(data, 0, None)
    except PlanProblem:
        return
    assert all(entry.nth >= 1 and entry.times >= 1 and entry.id for entry in entries)
