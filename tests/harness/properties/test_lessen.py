"""A failure is made smaller where the same law stays broken, and nowhere else."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from harness.properties.draft import Draft
from harness.properties.lessen import lessen
from harness.properties.trial import NO_RUN, Failure, Outcome

STEPS: list[dict[str, Any]] = [{"call": name, "expect": "done", "again": True} for name in ("a", "b", "c", "d")]
FAULTS: list[dict[str, Any]] = [{"id": "f1", "fault": "drop"}, {"id": "f2", "fault": "crash"}]


def names(failure: Failure) -> str:
    return "".join(step["call"] for step in failure.draft.steps)


def failing(law: int = 3) -> Failure:
    return Failure(law, "as found", Draft("s", (), "p", {}, list(STEPS)), FAULTS)


def breaks(law: int, when: Callable[[Failure], bool]) -> Callable[[Failure], Outcome]:
    return lambda failure: Outcome({law: f"with {names(failure)}"} if when(failure) else {})


def test_all_goes_that_is_not_needed() -> None:
    found = lessen(failing(), breaks(3, lambda failure: {"b", "d"} <= set(names(failure))))
    assert [dict(step) for step in found.draft.steps] == [{"call": "b"}, {"call": "d"}]
    assert found.faults == []
    assert found.why == "with bd"


def test_a_fault_that_is_needed_stays_and_so_does_the_last_step() -> None:
    found = lessen(failing(), breaks(3, lambda failure: FAULTS[1] in failure.faults))
    assert (names(found), list(found.faults)) == ("a", [FAULTS[1]])


def test_another_law_is_another_failure() -> None:
    whole = failing()
    assert lessen(whole, breaks(4, lambda failure: True)) == whole


@pytest.mark.parametrize("law", [8, NO_RUN])
def test_what_could_break_of_itself_is_left_as_it_is(law: int) -> None:
    whole = failing(law)
    assert lessen(whole, breaks(law, lambda failure: True)) is whole
