"""What a run sheet may say of codex."""

from __future__ import annotations

import pytest

from fakes.fronts.codex_settings import KEYS
from fakes.settings import SettingsProblem, read


def test_every_default_is_a_value_that_may_be_said() -> None:
    defaults = read({}, KEYS, "x")
    assert read(defaults, KEYS, "x") == defaults
    assert defaults["profile"] == "0.171.0"
    assert all(meaning for _, _, meaning in KEYS.values())


@pytest.mark.parametrize(
    "given", [{"profile": "0.1.0"}, {"stray_turn": "always"}, {"version": "0.171.0"}, {"queue": 1.5}]
)
def test_anything_else_is_refused(given: dict[str, object]) -> None:
    with pytest.raises(SettingsProblem):
        read(given, KEYS, "programs.codex")
