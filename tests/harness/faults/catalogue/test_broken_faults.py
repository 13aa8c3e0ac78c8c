"""Faults that do nothing, or something else, or strike elsewhere, are seen by the checks that the real ones pass."""
from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from harness.faults.plan import Plan, Strike
from harness.faults.registry import FAULTS
from harness.faults.steps import Raw
from tests.harness.faults.catalogue import test_on_the_stage as stage
from tests.harness.faults.catalogue.test_every_fault import CLAIMED
from tests.teeth import Break, check_tells_apart, replaced

Check = Callable[[Path], object]
APPLY, STRIKE = Strike.apply, Plan.strike


def own_tests(name: str) -> Check:
    """Every test of the fault's own test file."""
    module = import_module(f"tests.harness.faults.catalogue.test_{name}")
    cases = [case for key, test in vars(module).items() if key.startswith("test_") for case in cases_of(test)]
    assert cases

    def check(folder: Path) -> None:
        for case in cases:
            try:
                case()
            except ValueError as error:  # `(only,) = …` is how these tests say how many steps there are
                raise AssertionError(str(error)) from error

    return check


def cases_of(test: Any) -> list[Callable[[], object]]:
    """A test with its parameters; none where they are drawn or are fixtures."""
    taken = [*inspect.signature(test).parameters]
    if not taken:
        return [test]
    marks = [mark for mark in getattr(test, "pytestmark", ()) if mark.name == "parametrize"]
    if len(marks) != 1:
        return []
    names, rows = marks[0].args
    if isinstance(names, str):
        names, rows = (names,), [(row,) for row in rows]
    if sorted(names) != sorted(taken):
        return []
    return [partial(test, **dict(zip(names, row, strict=True))) for row in rows]


def fires_as_planned(name: str, folder: Path) -> None:
    stage.test_a_fault_fires_once_where_the_plan_says_and_the_same_each_time(name)


def does(name: str, apply: Any) -> Break:
    return replaced(FAULTS[name], "apply", apply)


@pytest.mark.claim("HAR-FLT-01", tooth="each fault of the claim in turn, doing nothing")
@pytest.mark.parametrize("name", sorted(CLAIMED))
def test_a_fault_that_does_nothing_is_seen(name: str, tmp_path: Path) -> None:
    nothing = does(name, lambda steps, args, rng: steps)
    check_tells_apart(own_tests(name), nothing, tmp_path / "own")
    on_the_stage = partial(fires_as_planned, name)
    check_tells_apart(on_the_stage, nothing, tmp_path / "stage")


@pytest.mark.claim("HAR-FLT-01", tooth="each fault of the claim in turn, doing what another does")
@pytest.mark.parametrize("name", sorted(CLAIMED))
def test_a_fault_that_does_what_another_does_is_seen(name: str, tmp_path: Path) -> None:
    other = "drop" if name != "drop" else "split"
    apply, args = FAULTS[other].apply, FAULTS[other].complete({})
    check_tells_apart(own_tests(name), does(name, lambda steps, _, rng: apply(steps, args, rng)), tmp_path)


def strikes_by_position(folder: Path) -> None:
    """The second answer of a method, whatever else passes; the third frame of any kind; and never one that is not."""
    plain = stage.run(None)[0]
    seen, _, _, on = stage.run(stage.plan_of("drop", {**stage.CALL, "nth": 2}))
    assert stage.lines(seen, 3) == stage.lines(plain, 3)
    assert stage.lines(seen, 4) == stage.lines(plain, 4)[:-1]
    third = stage.run(stage.plan_of("drop", {"way": "<<", "nth": 3}))[0]
    assert stage.lines(third, 2) == stage.lines(plain, 2)
    assert stage.lines(third, 3) == stage.lines(plain, 3)[1:]
    assert on.plan.unfired() == []
    assert stage.run(stage.plan_of("drop", {**stage.CALL, "nth": 3}))[3].plan.unfired() == ["f1"]


def strikes_by_name(folder: Path) -> None:
    """One wire's way, kind and method, out of all."""
    plain = stage.run(None)[0]
    for at, id, left in (
        ({"kind": "notice"}, 3, slice(1, None)),
        ({"kind": "request", "way": "<<"}, 3, slice(0, None, 2)),
        ({"method": "tools/list", "way": "<<"}, 2, slice(1, None)),
    ):
        seen = stage.run(stage.plan_of("drop", at))[0]
        assert stage.lines(seen, id) == stage.lines(plain, id)[left]
        assert all(stage.lines(seen, other) == stage.lines(plain, other) for other in {1, 2, 3, 4} - {id})


def no_op_is_no_change(folder: Path) -> None:
    stage.test_the_no_op_at_every_place_of_a_run_changes_no_byte()


def strikes_anywhere(self: Plan, place: Any) -> Any:
    return STRIKE(self, {**place, "kind": "reply", "method": "tools/call"} if "way" in place else place)


def strikes_the_first(self: Plan, place: Any) -> Any:
    for armed in self._armed:
        armed.seen = max(armed.seen, armed.entry.nth - 1)
    return STRIKE(self, place)


def strikes_always(self: Plan, place: Any) -> Any:
    for armed in self._armed:
        armed.last = 10**9
    return STRIKE(self, place)


def in_silence(self: Strike, steps: Any, absent: Any = ()) -> Any:
    """It acts, and the world record does not say so."""
    after = APPLY(self, steps, absent)
    self.fired = False
    self._armed.fired.clear()
    return after


DRAWS = count()


def drawn_anew(steps: Any, args: Any, rng: Any) -> Any:
    """Another result each time."""
    return [Raw(b"%d\n" % next(DRAWS)) if isinstance(step, Raw) else step for step in steps]


STRAY: dict[str, tuple[Check, Break]] = {
    "at any kind and method": (strikes_by_name, replaced(Plan, "strike", strikes_anywhere)),
    "at the first place": (strikes_by_position, replaced(Plan, "strike", strikes_the_first)),
    "again and again": (strikes_by_position, replaced(Plan, "strike", strikes_always)),
    "in silence": (partial(fires_as_planned, "corrupt"), replaced(Strike, "apply", in_silence)),
    "another way each time": (partial(fires_as_planned, "corrupt"), does("corrupt", drawn_anew)),
    "where it says it does nothing": (
        no_op_is_no_change, does("no_op", lambda steps, args, rng: [
            Raw(step.data + b" ") if isinstance(step, Raw) else step for step in steps
        ]),
    ),
}  # fmt: skip


@pytest.mark.claim("HAR-FLT-01", tooth="a fault that strikes elsewhere, twice, in silence or otherwise each time")
@pytest.mark.parametrize(("check", "broken"), STRAY.values(), ids=STRAY)
def test_a_fault_that_strays_is_seen(check: Check, broken: Break, tmp_path: Path) -> None:
    check_tells_apart(check, broken, tmp_path)
