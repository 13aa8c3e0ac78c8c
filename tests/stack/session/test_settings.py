"""The settings of a stack with sessions and a model."""

from __future__ import annotations

import pytest

from stack import safari_jxa
from stack.decide import Model
from stack.session import Settings
from stack.session.settings import from_sheet


def test_settings_are_the_drivers_and_a_model() -> None:
    assert from_sheet({}) == Settings()
    found = from_sheet({"pid": 3, "model": {"url": "u"}})
    assert (found.safari, found.model) == (safari_jxa.Settings(pid=3), Model("u"))
    with pytest.raises(ValueError, match="model"):
        from_sheet({"model": {}})
    with pytest.raises(ValueError, match="other"):
        from_sheet({"other": 1})
