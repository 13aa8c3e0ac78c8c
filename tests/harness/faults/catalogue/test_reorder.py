"""The frame steps aside."""
from __future__ import annotations

from harness.faults.steps import Aside, Deliver, Raw
from tests.harness.faults.catalogue.struck import REPLY, REQUEST, back, toward


def test_the_frame_goes_on_beside_its_handler() -> None:
    assert back("reorder", REPLY, ms=7) == [Aside(7, [Raw(REPLY)])]
    (aside,) = toward("reorder", REQUEST)
    assert isinstance(aside, Aside)
    assert [type(step) for step in aside.steps] == [Deliver]
