"""A reply that steps aside for longer than a call lasts."""
from __future__ import annotations

from harness.faults.registry import FAULTS
from harness.faults.steps import Aside, Raw
from tests.harness.faults.catalogue.struck import REPLY, back


def test_the_default_is_beyond_the_deadline_of_a_call() -> None:
    assert back("late_reply", REPLY) == [Aside(160_000, [Raw(REPLY)])]
    assert FAULTS["late_reply"].hides_outcome({"ms": 160_000}, "reply", 150_000)
    assert not FAULTS["late_reply"].hides_outcome({"ms": 1000}, "reply", 120_000)
