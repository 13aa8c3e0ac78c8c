"""The table of styles: each has a request and a reading that agree on what a completion is."""

from __future__ import annotations

import pytest

from stack.consent.styles import STYLES, Unreadable
from tests.stack.consent.rig import completion


@pytest.mark.parametrize("name", STYLES)
def test_each_style_reads_its_own_completion(name: str) -> None:
    found = STYLES[name].read(completion(name, "hello"))
    assert (found.text, found.whole) == ("hello", True)
    assert STYLES[name].headers("") in ((), (("anthropic-version", "2023-06-01"),))


@pytest.mark.parametrize("name", STYLES)
@pytest.mark.parametrize("reply", [None, 3, "x", [], {}])
def test_another_shape_is_unreadable(name: str, reply: object) -> None:
    with pytest.raises(Unreadable):
        STYLES[name].read(reply)  # type: ignore[arg-type]
