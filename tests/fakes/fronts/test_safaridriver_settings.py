"""Settings of safaridriver with their profiles."""

from __future__ import annotations

import pytest

from fakes.fronts.safaridriver_settings import PROFILES, says_of, settings_of
from fakes.fronts.safaridriver_tools import TAB_ARGUMENT
from fakes.settings import SettingsProblem


def test_profiles() -> None:
    assert set(PROFILES) == set(TAB_ARGUMENT)
    assert settings_of({})["loopback"] == "recorded"
    assert settings_of({"profile": "technology-preview"})["loopback"] == "lost"
    assert settings_of({"profile": "technology-preview", "loopback": "recorded"})["loopback"] == "recorded"
    assert "Technology Preview" in settings_of({"profile": "technology-preview"})["version"]
    for wrong in ({"profile": "26.0"}, {"loopback": "los"}):
        with pytest.raises(SettingsProblem):
            settings_of(wrong)


def test_rows_of_says() -> None:
    assert says_of(settings_of({})) == []
    given = {"says": [{"tool": "list_tabs", "text": "[]"}]}
    assert says_of(settings_of(given)) == [
        {"tool": "list_tabs", "nth": 0, "text": "[]", "does": True, "fails": False}
    ]
    for wrong in ({"tool": "list_tabs"}, {"text": "x"}, {"tool": "a", "text": "b", "of": 1}, "list_tabs"):
        with pytest.raises(SettingsProblem):
            says_of(settings_of({"says": [wrong]}))
