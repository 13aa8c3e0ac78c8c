"""The frames of a model turn, which a zero-turn client must not let pass."""

from __future__ import annotations

import pytest

from fakes.fronts.codex_profiles import VERSIONS, Profile
from fakes.fronts.codex_turn import turn_frames


@pytest.mark.parametrize("version", VERSIONS)
def test_a_turn_is_answered_started_and_fails(version: str) -> None:
    frames = turn_frames(Profile(version), "t", "u", "i", "m")
    methods = [method for method, _ in frames]
    assert methods.count("") == 1
    assert methods.index("turn/started") < methods.index("item/started") < methods.index("item/completed")
    assert ("turn/completed" in methods) is (version == "0.144.2"), "the newer version goes on trying"
    for method, params in frames:
        if method:
            assert isinstance(params, dict) and params["threadId"] == "t"
