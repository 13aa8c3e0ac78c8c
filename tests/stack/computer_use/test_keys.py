"""Spellings of keys."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stack.computer_use.keys import OFFICIAL, normalise

CASES = {
    "CMD+A": "Meta_L+a",
    "cmd+shift+4": "Meta_L+Shift_L+4",
    "Command + Option + Esc": "Meta_L+Alt_L+Escape",
    "⌘+q": "Meta_L+q",
    "ctrl+PageUp": "Control_L+Page_Up",
    "A": "a",
    "a": "a",
    "é": "é",
    "enter": "Return",
    "Return": "Return",
    "Delete": "Delete",
    "delete": "BackSpace",
    "F5": "F5",
    "f12": "F12",
    "+": "plus",
    "cmd++": "Meta_L+plus",
    "++": "++",
    "Meta_L+a": "Meta_L+a",
    "Meta_R": "Meta_R",
    "XF86AudioPlay": "XF86AudioPlay",
    "cmd+": "cmd+",
    "+a": "+a",
    "": "",
}


@pytest.mark.claim("CUA-KEY-01")
@pytest.mark.parametrize(("spelled", "official"), CASES.items())
def test_a_spelling_becomes_the_official_form(spelled: str, official: str) -> None:
    assert normalise(spelled) == official


@given(st.lists(st.sampled_from(sorted(OFFICIAL)), min_size=1, max_size=4).map("+".join))
def test_the_official_form_stays(key: str) -> None:
    assert normalise(key) == key


@given(st.text(max_size=12))
def test_normalising_again_changes_nothing(key: str) -> None:
    assert normalise(normalise(key)) == normalise(key)
