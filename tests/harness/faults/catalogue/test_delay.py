"""A pause before the frame, or at a moment."""
from __future__ import annotations

import pytest

from harness.faults.registry import FAULTS
from harness.faults.steps import Deliver, Raw, Wait
from tests.harness.faults.catalogue.struck import REPLY, REQUEST, at_moment, back, toward


def test_the_frame_comes_whole_after_the_pause() -> None:
    assert back("delay", REPLY, ms=500) == [Wait(500), Raw(REPLY)]
    assert isinstance(toward("delay", REQUEST, ms=500)[1], Deliver)
    assert at_moment("delay", ms=0.5) == [Wait(0.5)]


@pytest.mark.parametrize(("left_ms", "hides"), [(None, False), (499, True), (500, True), (500.1, False)])
def test_it_hides_the_outcome_from_the_deadline_on(left_ms: float | None, hides: bool) -> None:
    assert FAULTS["delay"].hides_outcome({"ms": 500}, "reply", left_ms) is hides
    assert FAULTS["delay"].hides_outcome({"ms": 500}, None, left_ms) is hides
    assert not FAULTS["delay"].hides_outcome({"ms": 500}, "notice", left_ms)
