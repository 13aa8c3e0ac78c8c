"""The difference of two texts; most of it changed means the whole."""

from __future__ import annotations

import pytest

from fakes.worlds.page_diff import difference


@pytest.mark.parametrize(("before", "after", "expected"), [
    ("a\nb\nc", "a\nb\nc", ""),
    ("a\nb\nc\nd", "a\nx\nc\nd", "- b\n+ x"),
    ("a\nb\nc", "a\nb\nc\nd", "+ d"),
    ("a\na\nb", "a\nb", "- a"),
    ("a\nb", "c\nd", None),
    ("\ta\nb\nc", "b\nc", "- a"),
])  # fmt: skip
def test_difference(before: str, after: str, expected: str | None) -> None:
    assert difference(before, after) == expected
