"""An Apple Event that is answered with an error, and happens all the same, later, or never."""
from __future__ import annotations

import pytest

from harness.faults.problem import PlanProblem
from harness.faults.registry import FAULTS
from harness.faults.steps import Change
from tests.harness.faults.catalogue.struck import at_moment, strike

DEFAULT = {"number": -1712, "runs": "never", "wait_ms": 0, "late_ms": 5000}


@pytest.mark.claim("HAR-FLT-01")
def test_it_orders_the_error_of_the_event_that_comes_next() -> None:
    assert at_moment("apple_event_error") == [Change({"apple_event": DEFAULT}, "fault:f1")]
    ordered = at_moment("apple_event_error", number=-609, runs="later", late_ms=1)
    assert ordered == [Change({"apple_event": {**DEFAULT, "number": -609, "runs": "later", "late_ms": 1}}, "fault:f1")]


def test_no_error_is_none_of_its_errors() -> None:
    for args in ({"number": 0}, {"runs": "twice"}, {"wait_ms": -1}):
        with pytest.raises(PlanProblem):
            strike("apple_event_error", [], args)


def test_where_it_strikes_and_what_it_leaves() -> None:
    fault = FAULTS["apple_event_error"]
    assert fault.moments == {"apple_event"}
    assert fault.hides_outcome(fault.complete({}))
    assert not fault.recoverable
