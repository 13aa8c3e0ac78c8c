"""What is sure, and what takes the certainty away: an expectation too many would be a false alarm of law 8."""
from __future__ import annotations

from collections.abc import Callable

import pytest

from harness.properties.vocabulary import Act, Outlook

SURE, UNSURE = Act({"call": "act"}, True), Act({"call": "act"}, False)


def outlook() -> Outlook:
    return Outlook({"a", "b"})


def test_an_act_is_sure_on_what_was_surely_shown() -> None:
    seen = outlook()
    assert not seen.act("a", SURE)
    assert seen.look("a")
    assert seen.act("a", SURE)
    assert not seen.act("b", SURE)
    assert not seen.look("c")
    assert not seen.act("c", SURE)
    assert seen.looked == ["a", "c"]


def test_an_unsure_act_ends_what_was_shown() -> None:
    seen = outlook()
    seen.look("a")
    assert not seen.act("a", UNSURE)
    assert not seen.act("a", SURE)


def test_an_act_may_spoil_what_it_was_sure_on() -> None:
    seen = outlook()
    seen.look("a")
    seen.look("b")
    assert seen.act("a", Act({"call": "close"}, True, spoils=frozenset({"a"})))
    assert not seen.act("a", SURE)
    assert not seen.look("a")
    assert seen.act("b", SURE)


CASES: tuple[tuple[Callable[[Outlook], None], bool, bool], ...] = (
    # what happens, whether an act on a is sure afterwards, whether a look at a is
    (lambda seen: seen.spoil(frozenset({"a"})), False, False),
    (lambda seen: seen.spoil(frozenset({"b"})), True, True),
    (Outlook.forget, False, True),
    (Outlook.doubt, False, False),
)


@pytest.mark.parametrize(("happens", "act", "look"), CASES)
def test_what_takes_certainty_away(happens: Callable[[Outlook], None], act: bool, look: bool) -> None:
    seen = outlook()
    seen.look("a")
    happens(seen)
    assert (seen.act("a", SURE), seen.look("a")) == (act, look)


def test_looks_are_counted_and_only_the_latest_are_remembered() -> None:
    seen = Outlook(ready={"a", "b"})
    seen.look("a")
    seen.count("b")
    seen.look("b")
    assert (seen.looks, seen.number) == (3, {"a": 1, "b": 3})
    seen.keep(3)
    assert seen.shown == {"a", "b"}
    seen.keep(2)
    assert seen.shown == {"b"}
