"""A connection that is not made."""
from __future__ import annotations

from harness.faults.body import FOREVER_MS
from harness.faults.registry import FAULTS
from harness.faults.steps import Wait
from tests.harness.faults.catalogue.struck import at_moment


def test_it_waits_for_ever_or_a_while() -> None:
    assert at_moment("connect_hangs") == [Wait(FOREVER_MS)]
    assert at_moment("connect_hangs", ms=40) == [Wait(40)]


def test_only_while_connecting() -> None:
    assert FAULTS["connect_hangs"].moments == {"connecting"}
