"""Handlers made of others."""
from __future__ import annotations

from harness.faults.steps import Exit, Wait
from harness.serve.handlers import in_order, rest


def test_nested_handlers_go_on_from_the_innermost() -> None:
    outer, inner = in_order([Wait(1), Exit(1)]), in_order([Wait(2), Exit(2)])
    next(outer)
    next(inner)
    assert list(rest([outer, inner])) == [Exit(2), Exit(1)]


def test_a_single_handler_is_what_is_left_of_it() -> None:
    only = in_order([Wait(1)])
    assert rest([only]) is only
