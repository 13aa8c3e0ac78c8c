"""SIGTERM goes unnoticed."""
from __future__ import annotations

from harness.faults.steps import Ignore, Raw
from tests.harness.faults.catalogue.struck import REPLY, at_moment, back


def test_stdin_and_sigterm_both() -> None:
    assert back("ignore_sigterm", REPLY) == [Ignore(0), Ignore(15), Raw(REPLY)]
    assert at_moment("ignore_sigterm") == [Ignore(0), Ignore(15)]
