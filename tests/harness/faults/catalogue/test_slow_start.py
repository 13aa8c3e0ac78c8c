"""A process that takes long to come up."""
from __future__ import annotations

from harness.faults.registry import FAULTS
from harness.faults.steps import Wait
from tests.harness.faults.catalogue.struck import at_moment


def test_it_waits_at_the_start() -> None:
    assert at_moment("slow_start", ms=40) == [Wait(40)]


def test_at_no_other_moment() -> None:
    assert FAULTS["slow_start"].moments == {"started"}
