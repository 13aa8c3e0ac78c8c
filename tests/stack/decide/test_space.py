"""What can be chosen on a page."""

from __future__ import annotations

import pytest

from stack.decide.space import AIMED, TARGETS, space_of
from tests.stack.decide.deciding import control, page


@pytest.mark.claim("JXA-RUN-14", tooth="a control that offers two kinds of action, and a select of two options")
def test_a_control_is_one_target_whatever_it_offers_and_a_select_one_an_option() -> None:
    space = space_of(page())
    assert list(space.operations) == ["CLICK", "FILL", "SELECT", "SCROLL_DOWN", "WAIT", "DONE", "BLOCKED"]
    targets = {name: list(each.targets) for name, each in space.operations.items() if each.targets}
    assert targets == {"CLICK": ["1", "3"], "FILL": ["1"], "SELECT": ["2:0", "2:1"]}
    assert [each["control"] for each in space.controls] == [1, 2, 3]
    assert [each["label"] for each in space.controls] == ["Where from?", "Colour", "Buy"]


def test_each_target_is_the_action_that_was_listed() -> None:
    space = space_of(page())
    assert space.operations["CLICK"].targets["1"]["id"] == "e2"
    assert space.operations["FILL"].targets["1"]["id"] == "e1"
    assert space.operations["SELECT"].targets["2:1"]["id"] == "e4"
    scroll = space.operations["SCROLL_DOWN"].action
    assert scroll is not None and scroll["id"] == "scroll-down"
    assert space.operations["DONE"].action is None


def test_a_page_with_nothing_on_it_still_has_its_ends() -> None:
    assert list(space_of(page(actions=())).operations) == ["DONE", "BLOCKED"]


@pytest.mark.parametrize("kind", AIMED)
def test_targets_beyond_the_bound_are_counted_and_left_out(kind: str) -> None:
    many = [control(n, kind, f"L{n}", n, option=0) for n in range(1, TARGETS + 4)]
    operation = space_of(page(actions=many)).operations[AIMED[kind]]
    assert (len(operation.targets), operation.omitted) == (TARGETS, 3)
