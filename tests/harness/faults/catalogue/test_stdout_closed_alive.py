"""stdout ends, and the process does not."""
from __future__ import annotations

from harness.faults.steps import Close, Ignore, Raw
from tests.harness.faults.catalogue.struck import REPLY, REQUEST, at_moment, back, toward


def test_it_closes_and_ignores_the_end_of_stdin() -> None:
    assert back("stdout_closed_alive", REPLY) == [Close(), Ignore(0), Raw(REPLY)]
    assert toward("stdout_closed_alive", REQUEST)[:2] == [Close(), Ignore(0)]
    assert at_moment("stdout_closed_alive") == [Close(), Ignore(0)]
