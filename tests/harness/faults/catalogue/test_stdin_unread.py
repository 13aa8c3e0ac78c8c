"""The process takes nothing more from its stdin."""
from __future__ import annotations

from harness.faults.steps import Raw, Unread
from tests.harness.faults.catalogue.struck import REPLY, at_moment, back


def test_it_stops_reading_and_goes_on_otherwise() -> None:
    assert back("stdin_unread", REPLY) == [Unread(), Raw(REPLY)]
    assert at_moment("stdin_unread") == [Unread()]
