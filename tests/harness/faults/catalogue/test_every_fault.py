"""What holds for every fault of the catalogue, whatever it does."""
from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.faults import catalogue
from harness.faults.argument import Argument
from harness.faults.plan import Plan
from harness.faults.problem import PlanProblem
from harness.faults.registry import FAULTS, KINDS, LAYERS, NAMES, WAYS
from harness.faults.steps import Change, Exit, Raw, Step, Wait
from tests.harness.faults.catalogue.struck import FRAMES, deliver, native, strike

ARGS: dict[str, dict[str, Any]] = {"world": {"locked": True}, "oversize": {"bytes": 4096}, "deep_nesting": {"depth": 9}}
"""Arguments where the defaults are missing, or larger than a test of all needs."""


def given_steps(name: str, raw: bytes) -> list[list[Step]]:
    ways = FAULTS[name].ways
    back: list[Step] = [Raw(raw)]
    toward: list[Step] = [deliver(raw)]
    chosen = {"<<": back, ">>": toward, "moment": []}
    return [steps for way, steps in chosen.items() if way in ways]


def test_the_names_are_the_folder() -> None:
    folder = Path(inspect.getfile(catalogue)).parent
    assert sorted(path.stem for path in folder.glob("*.py") if path.stem != "__init__") == sorted(NAMES)
    assert list(NAMES) == sorted(NAMES)


CLAIMED = {
    "drop", "delay", "duplicate", "reorder", "truncate", "split", "corrupt", "oversize", "wrong_id", "error_reply",
    "schema_drift", "stall", "close", "crash", "garbage", "world",
}  # fmt: skip
"""The faults that HAR-FLT-01 names; those of a world are one, whose arguments are the world's own."""


@pytest.mark.claim("HAR-FLT-01")
def test_the_faults_of_the_claim_are_there() -> None:
    assert set(NAMES) >= CLAIMED
    assert {FAULTS[name].layer for name in NAMES} == set(LAYERS)
    assert all(sum(FAULTS[name].layer == layer for name in NAMES) >= 6 for layer in LAYERS if layer != "world")


@pytest.mark.parametrize("name", NAMES)
def test_a_fault_says_what_it_is(name: str) -> None:
    fault = FAULTS[name]
    assert fault.name == name
    assert fault.layer in LAYERS
    assert fault.ways
    assert fault.ways <= set(WAYS)
    assert fault.kinds <= set(KINDS)
    assert not fault.moments or "moment" in fault.ways
    assert "\n\n" not in fault.meaning
    assert len(fault.meaning) > 100
    assert isinstance(fault.recoverable, bool)
    assert fault.hides.startswith(("yes", "no"))


def test_forging_is_on_the_way_in_and_denying_on_the_way_out() -> None:
    for name in NAMES:
        fault = FAULTS[name]
        assert not fault.forges or ">>" in fault.ways, name
        assert not fault.denies or "<<" in fault.ways, name
    assert {name for name in NAMES if FAULTS[name].denies} == {"error_reply"}


@pytest.mark.parametrize("name", NAMES)
def test_its_own_test_names_it(name: str) -> None:
    text = (Path(__file__).parent / f"test_{name}.py").read_text(encoding="utf-8")
    assert f'"{name}"' in text


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize("name", NAMES)
def test_one_seed_gives_the_same_and_what_was_given_is_not_changed(name: str, frame: str) -> None:
    for steps in given_steps(name, FRAMES[frame]):
        before = list(steps)
        first, one = strike(name, steps, ARGS.get(name, {}), seed=5)
        again, other = strike(name, steps, ARGS.get(name, {}), seed=5)
        assert first == again
        assert one.fired == other.fired == (first != before or name == "no_op")
        assert steps == before


@pytest.mark.parametrize("name", NAMES)
def test_what_another_fault_put_there_stays(name: str) -> None:
    for steps in given_steps(name, FRAMES["request"]):
        others: list[Step] = [Wait(3), Change({"x": 1}, "fault:f0")]
        given_steps_and_others = [*others[:1], *steps, *others[1:]]
        fault = FAULTS[name]
        after = fault.apply(given_steps_and_others, fault.complete(ARGS.get(name, {})), _Half())
        assert [step for step in after if step in others] == others


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=25)
@given(raw=st.binary(max_size=40) | st.binary(max_size=40).map(native) | st.sampled_from(list(FRAMES.values())))
def test_any_bytes_are_fit_for_any_fault(name: str, raw: bytes) -> None:
    fault = FAULTS[name]
    if "<<" in fault.ways:
        after = fault.apply([Raw(raw)], fault.complete(ARGS.get(name, {})), _Half())
        assert all(isinstance(step, Step) for step in after)


@pytest.mark.parametrize("name", NAMES)
def test_a_fault_that_is_not_in_the_plan_leaves_every_byte(name: str) -> None:
    for raw in FRAMES.values():
        for steps in given_steps(name, raw):
            place: dict[str, Any] = {"program": "codex"} | ({"way": "<<"} if steps else {"moment": "started"})
            at = {"program": "somebody else"}
            args = ARGS.get(name, {})
            plan = Plan({"v": 1, "faults": [{"id": "f1", "fault": name, "at": at, "args": args}]})
            assert plan.strike(place) == []
            assert plan.unfired() == ["f1"]


def bad_values(argument: Argument) -> list[Any]:
    wrong_type = {"int": 1.5, "number": "1", "text": 1, "bool": 1, "object": [], "json": None}[argument.type]
    values = [] if argument.type == "json" else [wrong_type]
    values += [argument.low - 1] if argument.low is not None else []
    values += [argument.high + 1] if argument.high is not None else []
    return values + (["something else"] if argument.choices else [])


@pytest.mark.parametrize("name", NAMES)
def test_arguments_out_of_bounds_are_refused(name: str) -> None:
    fault = FAULTS[name]
    if fault.arguments is None:
        with pytest.raises(PlanProblem, match="at least one argument"):
            fault.complete({})
        return
    with pytest.raises(PlanProblem, match="nothing_like_it"):
        fault.complete({"nothing_like_it": 1})
    for key, argument in fault.arguments.items():
        assert argument.why_not(argument.default) is None
        assert argument.meaning
        for value in bad_values(argument):
            with pytest.raises(PlanProblem, match=key):
                fault.complete({key: value})


def test_ends_of_the_process_are_not_taken_away() -> None:
    for name in NAMES:
        fault = FAULTS[name]
        if "<<" in fault.ways:
            after = fault.apply([Raw(FRAMES["reply"]), Exit(4)], fault.complete(ARGS.get(name, {})), _Half())
            assert Exit(4) in after, name


class _Half:
    def random(self) -> float:
        return 0.5
