"""Which codes only cost a decision: each is one that the stack really gives, and says that nothing was done."""

from __future__ import annotations

import pytest

from stack.decide.port import MOVED, UNREADABLE
from stack.errors import ADVICE


@pytest.mark.parametrize("code", sorted(MOVED | UNREADABLE))
def test_each_code_is_one_of_the_stacks(code: str) -> None:
    assert code in ADVICE


@pytest.mark.parametrize("code", ["delivery_unknown", "scope_lost", "bridge_timeout", "session_dead"])
def test_what_may_have_happened_is_never_decided_anew(code: str) -> None:
    assert code not in MOVED | UNREADABLE
