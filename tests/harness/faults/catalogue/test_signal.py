"""The process is killed."""
from __future__ import annotations

from harness.faults.steps import Exit
from tests.harness.faults.catalogue.struck import REPLY, REQUEST, at_moment, back, toward


def test_it_ends_by_the_signal_in_place_of_the_frame() -> None:
    assert back("signal", REPLY) == [Exit(-9)]
    assert toward("signal", REQUEST, number=15) == [Exit(-15)]
    assert at_moment("signal", number=6) == [Exit(-6)]
