"""A connection that is refused."""
from __future__ import annotations

from harness.faults.registry import FAULTS
from harness.faults.steps import Exit
from tests.harness.faults.catalogue.struck import at_moment


def test_the_program_ends_before_it_is_connected_to() -> None:
    assert at_moment("connect_refused") == [Exit(1)]


def test_only_while_connecting_and_nothing_is_hidden_by_it() -> None:
    assert FAULTS["connect_refused"].moments == {"connecting"}
    assert not FAULTS["connect_refused"].hides_outcome({})
