"""The table of exit codes."""

from __future__ import annotations

import pytest

from stack.errors import ADVICE
from stack.session.exits import EXITS, exit_of


@pytest.mark.parametrize("code", EXITS)
def test_each_code_is_one_of_the_stacks(code: str) -> None:
    assert code in ADVICE


@pytest.mark.claim("JXA-SES-05", tooth="a code that is in no row")
def test_a_code_that_nobody_has_thought_of_ends_the_session() -> None:
    assert exit_of("something_new", session=True) == 4
    assert exit_of("something_new", session=False) == 5
    assert exit_of("invalid_arguments", session=False) == 2
    assert exit_of("stale_page", session=True) == 3
    assert set(EXITS.values()) == {2, 3, 4, 5}
