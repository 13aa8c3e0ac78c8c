"""An action is one candidate of its observation, field for field, or it is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest

from stack.errors import CallError
from stack.safari_jxa.action import TAKES_TEXT, argument, candidate, check_text
from stack.safari_jxa.page import FIELDS, Observation, observation
from stack.safari_jxa.settings import TEXT_CHARACTERS
from tests.stack.scripted_safari import ACTIONS, FORM, GUARD, Safari


def page(actions: list[dict[str, Any]] | None = None) -> Observation:
    safari = Safari(epoch="e1")
    if actions is not None:
        safari.actions = actions
    seen = observation(safari.snapshot({"epoch": "e1", "rebind": None}), 1, TEXT_CHARACTERS)
    assert seen is not None
    return seen


def test_an_action_is_meant_by_its_id_or_as_a_whole() -> None:
    for given in ACTIONS:
        assert candidate(str(given["id"]), page()) == given
        assert candidate(json.loads(json.dumps(given)), page()) == given


CHANGES: list[dict[str, Any]] = [
    {"node": 4}, {"kind": "fill"}, {"label": "x"}, {"role": "link"}, {"value": "x"}, {"rect": {"x": 1}},
    {"node": 1.0}, {"node": True}, {"rect": {"x": 1.0, "y": 2.5, "w": 30, "h": 4}}, {"extra": 1},
]  # fmt: skip


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.claim("JXA-ACT-01", tooth="each field changed, and one added")
def test_an_action_with_one_changed_field_is_none(change: dict[str, Any]) -> None:
    with pytest.raises(CallError, match=f"invalid_action.*differs.*{next(iter(change))}"):
        candidate({**ACTIONS[0], **change}, page())


@pytest.mark.parametrize("name", [name for name in FIELDS["click"] if name != "id"])
def test_an_action_without_one_of_its_fields_is_none(name: str) -> None:
    with pytest.raises(CallError, match=name):
        candidate({key: value for key, value in ACTIONS[0].items() if key != name}, page())


@pytest.mark.parametrize("given", ["e9", "", {"id": "e9"}, {}])
def test_an_id_that_is_not_there_is_none(given: Any) -> None:
    with pytest.raises(CallError, match="no candidate"):
        candidate(given, page())


@pytest.mark.parametrize("whole", [True, False])
def test_an_id_that_is_there_twice_is_not_picked_from(whole: bool) -> None:
    twice = [ACTIONS[0], {**ACTIONS[0], "node": 2}]
    with pytest.raises(CallError, match="2 candidates"):
        candidate(twice[0] if whole else "e1", page(twice))


def test_each_kind_has_its_fields_and_says_whether_it_takes_a_text() -> None:
    assert set(FIELDS) == set(TAKES_TEXT) == {"click", "fill", "select", "scroll", "wait"}
    assert {kind for kind, takes in TAKES_TEXT.items() if takes} == {"fill"}


@pytest.mark.claim("JXA-ACT-06", tooth="one character more, and a text where none belongs")
def test_a_fill_needs_a_text_of_at_most_2000_characters_and_the_others_take_none() -> None:
    for given in ACTIONS:
        if given["kind"] == "fill":
            for text in ("", "x" * 1999, "é" * 2000):
                check_text(given, text)
            for bad in (None, "x" * 2001):
                with pytest.raises(CallError, match="invalid_arguments"):
                    check_text(given, bad)
        else:
            check_text(given, None)
            with pytest.raises(CallError, match="takes no text"):
                check_text(given, "")


@pytest.mark.claim("JXA-BRG-04", tooth="words of a caller that look like a program")
def test_the_argument_has_nothing_of_the_callers_but_the_text() -> None:
    said = '"});alert(1);({'
    asked = argument("act", ACTIONS[1], page(), nonce="n", text=said)
    guard = {"route": FORM["route"], "viewport": FORM["viewport"], **GUARD}
    action = {"kind": "fill", "node": 2, "option": None, "direction": None}
    assert asked == {"op": "act", "epoch": "e1", "action": action, "guard": guard, "nonce": "n", "text": said}
    assert argument("act", ACTIONS[3], page())["guard"] == FORM
