"""Refs: the number of an observation, and an action's id."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stack.errors import CallError
from stack.session.refs import read, ref_of


@pytest.mark.claim("JXA-SES-09", tooth="refs of an observation that differ from those of its whole list")
@settings(max_examples=50)
@given(st.integers(1, 10**9 - 1), st.from_regex(r"[a-z][a-z0-9-]{0,10}", fullmatch=True))
def test_a_ref_reads_as_what_it_was_made_of(number: int, action: str) -> None:
    assert read(ref_of(number, action)) == (number, action)


@pytest.mark.parametrize("text", ["", "7", "e5", "0.e5", "3.", "3.5", "3.e5 ", "03.e1", "3.e5\n", "3.e 5", "-1.e5"])
def test_anything_else_is_none(text: str) -> None:
    with pytest.raises(CallError):
        read(text)
