from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reports.plain import HIDDEN, one_line, plain

CASES = [
    ("plain é ✓", "plain é ✓"),
    ("a\x00b\x1b[31m", "a\\x00b\\x1b[31m"),
    ("safe\u202eevil\u2028", "safe\\u202eevil\\u2028"),
    ("\U000e0001", "\\U000e0001"),
    ("two\nlines\t", "two\nlines\t"),
]


@pytest.mark.parametrize(("text", "shown"), CASES)
def test_hidden_characters_are_shown(text: str, shown: str) -> None:
    assert plain(text) == shown


def test_long_text_is_cut_and_says_so() -> None:
    assert plain("abcdef", 4) == "abcd… (2 more)"
    assert plain("abcd", 4) == "abcd"
    assert one_line("a\nb\tc") == "a\\nb\\tc"


@given(st.text())
def test_nothing_hidden_is_left(text: str) -> None:
    assert all(letter in "\n\t" or unicodedata.category(letter) not in HIDDEN for letter in plain(text))
    assert "\n" not in one_line(text)
