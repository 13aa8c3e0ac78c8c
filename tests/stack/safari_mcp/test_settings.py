"""What a run sheet may set, and that nothing else is taken."""

from __future__ import annotations

from typing import Any

import pytest

from stack.safari_mcp.settings import PLATFORM, Deadlines, Settings, from_sheet


def test_a_run_sheet_has_safari_unless_it_says_otherwise() -> None:
    assert from_sheet({}) == Settings(platform=PLATFORM)
    assert from_sheet({"platform": "linux", "deadlines": {"idle": 5}}) == Settings(
        platform="linux", deadlines=Deadlines(idle=5)
    )


@pytest.mark.parametrize("given", [
    {"checks": False}, {"platform": 1}, {"deadlines": 1}, {"deadlines": {"work": 0}}, {"deadlines": {"work": True}},
    {"deadlines": {"work": "1"}}, {"deadlines": {"other": 1}},
])  # fmt: skip
def test_everything_else_is_refused(given: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="settings: "):
        from_sheet(given)


def test_the_bounds_are_the_published_ones() -> None:
    settings = Settings()
    assert (settings.deadlines.work, settings.deadlines.cleanup, settings.deadlines.load) == (20_000, 3_000, 12_000)
    assert (settings.deadlines.idle, settings.deadlines.close) == (300_000, 2_000)
    assert (settings.bounds.message_bytes, settings.bounds.result_bytes) == (262_144, 49_152)
    assert settings.bounds.text == 12_000
