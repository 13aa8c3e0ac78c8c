"""stdout ends."""
from __future__ import annotations

from harness.faults.steps import Close, Raw
from tests.harness.faults.catalogue.struck import REPLY, REQUEST, at_moment, back, strike, toward


def test_it_closes_before_the_frame() -> None:
    assert back("close", REPLY) == [Close(), Raw(REPLY)]
    assert toward("close", REQUEST)[0] == Close()
    assert at_moment("close") == [Close()]


def test_it_closes_the_wire_of_the_frame() -> None:
    steps, _ = strike("close", [Raw(REPLY, "socket")], {})
    assert steps[0] == Close("socket")
