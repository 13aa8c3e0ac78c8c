"""What was given and what ends it: every row of the tables."""

from __future__ import annotations

from itertools import product

import pytest

from stack.safari_jxa.errors import SAFARI_GONE, SCOPE, TAB_GONE, WINDOW_GONE, ScopeLost
from stack.safari_jxa.scope import CLOSING, NUMBERS, TRANSITIONS, AtClose, Effect, Event, Held, Scope, State


def scope(held: Held = Held.LENT) -> Scope:
    return Scope(held, 763, 7, 2, 1, "http://shop.test/", "e1")


def test_every_event_has_one_row() -> None:
    assert set(TRANSITIONS) == set(product(Held, Event))
    assert set(CLOSING) == set(product(Held, set(State) - {State.CLOSED}))
    assert frozenset().union(*NUMBERS.values()) == SCOPE == WINDOW_GONE | TAB_GONE | SAFARI_GONE


@pytest.mark.parametrize(("held", "event"), list(TRANSITIONS))
def test_an_event_does_what_its_row_says(held: Held, event: Event) -> None:
    effect = TRANSITIONS[held, event]
    if effect is Effect.LOST:
        with pytest.raises(ScopeLost) as caught:
            scope(held).met(event)
        assert caught.value.cause == event.name.lower()
        assert event.value in str(caught.value)
    else:
        assert scope(held).met(event) is effect


def test_a_lent_window_keeps_nothing_but_its_address() -> None:
    assert {event for event in Event if TRANSITIONS[Held.LENT, event] is not Effect.LOST} == {Event.NEW_URL}


def test_only_a_live_owned_window_is_closed() -> None:
    assert [row for row, at_close in CLOSING.items() if at_close is AtClose.CLOSES] == [(Held.OWNED, State.LIVE)]


def test_the_guard_of_a_request() -> None:
    assert scope().params() == {"pid": 763, "window": 7, "tabs": 2, "position": 1}
    assert scope(Held.OWNED).params()["tabs"] is None


@pytest.mark.parametrize(
    ("held", "tabs", "lost", "cause"),
    [
        (Held.LENT, 2, False, None),
        (Held.LENT, 3, True, "gained_tab"),
        (Held.LENT, 1, True, "lost_tab"),
        (Held.LENT, 2, True, "other_tab"),
        (Held.OWNED, 3, False, None),
        (Held.OWNED, 1, False, None),
        (Held.OWNED, 2, True, "other_tab"),
        (Held.OWNED, 3, True, "other_tab"),
    ],
)
def test_what_the_bridge_saw(held: Held, tabs: int, lost: bool, cause: str | None) -> None:
    given = scope(held)
    if cause is None:
        given.check_guard(tabs, lost)
        assert given.tabs == tabs
    else:
        with pytest.raises(ScopeLost) as caught:
            given.check_guard(tabs, lost)
        assert caught.value.cause == cause


def test_numbers_without_meaning_for_the_scope_change_nothing() -> None:
    for number in (8, -1743, -1712, -2700, 0):
        scope().failed(number)


def test_a_document_is_bound_where_it_may_be() -> None:
    given = scope(Held.OWNED)
    given.bound("http://shop.test/next", "e2")
    assert (given.url, given.epoch) == ("http://shop.test/next", "e2")
    lent = scope()
    lent.bound("http://shop.test/?q", "e1")
    assert lent.url == "http://shop.test/?q"
    with pytest.raises(ScopeLost, match="replaced"):
        lent.bound("http://shop.test/?q", "e2")
