"""The tables of the driver's tools: what may be sent, and that it is in the schema it is sent under."""

from __future__ import annotations

import pytest

from stack.safari_mcp.pinned import CONTENT, INTERACT, PINNED, REQUIRED, SCREENSHOT, SENT, Profile

NEVER = {
    CONTENT: {"savePath", "includeEventListeners", "includeSelectOptions"},
    SCREENSHOT: {"savePath", "node"},
    INTERACT: {"fullText"},
}


def test_twelve_tools_and_no_other() -> None:
    assert set(SENT) == set(REQUIRED)
    assert not set(SENT) & set(PINNED)
    assert len(SENT) + len(PINNED) == 12


@pytest.mark.parametrize(("tool", "profile"), [(tool, profile) for tool, rows in PINNED.items() for profile in rows])
def test_what_is_sent_is_in_the_schema(tool: str, profile: Profile) -> None:
    properties = profile.schema["properties"]
    assert isinstance(properties, dict)
    assert set(profile.names.values()) <= set(properties)
    assert not set(profile.names.values()) & NEVER.get(tool, set())


def test_profiles_of_a_tool_differ() -> None:
    for rows in PINNED.values():
        assert len({repr(row.schema) for row in rows}) == len(rows)
