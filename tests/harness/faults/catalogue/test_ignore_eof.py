"""The end of stdin goes unnoticed."""
from __future__ import annotations

from harness.faults.steps import Ignore, Raw
from tests.harness.faults.catalogue.struck import REPLY, REQUEST, at_moment, back, toward


def test_from_this_place_on_and_the_frame_stays() -> None:
    assert back("ignore_eof", REPLY) == [Ignore(0), Raw(REPLY)]
    assert toward("ignore_eof", REQUEST)[0] == Ignore(0)
    assert at_moment("ignore_eof") == [Ignore(0)]
