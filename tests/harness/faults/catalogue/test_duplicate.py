"""The frame, and the same frame again."""
from __future__ import annotations

from harness.faults.steps import Raw
from tests.harness.faults.catalogue.struck import REPLY, REQUEST, back, toward


def test_as_many_as_asked_for() -> None:
    assert back("duplicate", REPLY) == [Raw(REPLY)] * 2
    assert back("duplicate", REPLY, copies=3) == [Raw(REPLY)] * 4
    first, second = toward("duplicate", REQUEST)
    assert first is second
