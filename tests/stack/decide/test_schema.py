"""What is shown of a run's arguments is what is read."""

from __future__ import annotations

import pytest

from stack.decide.schema import RUN
from stack.decide.settings import options_from
from stack.errors import CallError

VALUES = {
    "goal": None, "plan": ["g"], "literals": {"a": "b"}, "execute": True, "expect": "x", "min_confidence": 0.4,
    "steady": 0.5,
}  # fmt: skip


def test_every_argument_that_is_shown_is_taken_and_no_other() -> None:
    assert set(VALUES) == set(RUN)
    options = options_from(VALUES)  # type: ignore[arg-type]
    assert (options.plan, options.execute, options.floor, options.steady_ms) == (("g",), True, 0.4, 500)
    with pytest.raises(CallError, match="unknown: more"):
        options_from({**VALUES, "more": 1})  # type: ignore[dict-item]
