"""Settings: strict where they are read, and with no switch for the policy."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

from stack.computer_use.pinned import PINNED
from stack.computer_use.settings import LINUX, MACOS, Bounds, Deadlines, Settings, from_sheet


def test_the_defaults_are_the_stated_deadlines() -> None:
    settings = Settings()
    deadlines = settings.deadlines
    assert (deadlines.initialize, deadlines.thread_start, deadlines.tool_timeout) == (15_000, 30_000, 120_000)
    assert settings.bounds.line_bytes == 8 * 1024 * 1024
    assert settings.platform is MACOS
    assert settings.inventory is PINNED
    assert deadlines.reply + deadlines.finding + deadlines.cleanup == deadlines.call == 150_000
    assert deadlines.answer == deadlines.lock + deadlines.cleanup + deadlines.call


@pytest.mark.claim("CUA-RUN-05")
def test_a_call_must_outlast_the_tool_timeout() -> None:
    with pytest.raises(ValueError, match="more than the tool timeout"):
        Deadlines(call=120_000 + Deadlines().finding + Deadlines().cleanup)
    assert Deadlines(call=120_001 + Deadlines().finding + Deadlines().cleanup).reply == 120_001


@pytest.mark.claim("CUA-POL-01")
def test_no_setting_turns_a_check_off() -> None:
    flags = [
        field.name for kind in (Settings, Deadlines, Bounds) for field in fields(kind) if "bool" in str(field.type)
    ]
    assert flags == ["progressive"]


def test_a_sheet_may_say_these_things() -> None:
    settings = from_sheet(
        {
            "platform": "macos",
            "progressive": True,
            "deadlines": {"call": 90_000, "tool_timeout": 8},
            "bounds": {"elicitations": 1},
        }
    )
    assert (settings.platform, settings.progressive) == (MACOS, True)
    assert (settings.deadlines.call, settings.bounds.elicitations) == (90_000, 1)
    assert from_sheet({}) == Settings(platform=LINUX)


@pytest.mark.parametrize(
    ("sheet", "shown"),
    [
        ({"policy": "safe"}, "policy"),
        ({"platform": "windows"}, "windows"),
        ({"platform": []}, "platform"),
        ({"progressive": 1}, "progressive"),
        ({"deadlines": []}, "deadlines"),
        ({"deadlines": {"calls": 1}}, "deadlines"),
        ({"deadlines": {"call": 0}}, "deadlines.call"),
        ({"deadlines": {"call": True}}, "deadlines.call"),
        ({"bounds": {"line_bytes": "8"}}, "bounds.line_bytes"),
    ],
)
def test_everything_else_is_an_error_that_names_it(sheet: dict[str, Any], shown: str) -> None:
    with pytest.raises(ValueError, match=shown):
        from_sheet(sheet)
