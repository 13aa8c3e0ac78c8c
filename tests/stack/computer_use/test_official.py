"""What official errors mean, in all three carriers."""

from __future__ import annotations

import pytest

from stack.computer_use.official import (
    LOCKED_MEANING,
    NUMBERS,
    UNKNOWN,
    WORDS,
    Meaning,
    failed_result_text,
    meaning,
    number,
    official_error,
)
from stack.contract import Json
from stack.errors import ADVICE, Official

TEXTS: list[tuple[int | None, str, str, int | None]] = [
    (-10005, "The computer is locked", "screen_locked", -10005),
    (-32603, 'tool call failed for `x/y`: Mcp error: -10005: Locked({"a":1})', "screen_locked", -10005),
    (None, "Computer Use server error -10005: cgWindowNotFound", "window_not_found", -10005),
    (
        -32603, "tool call failed for `x/y`: Mcp error: -32603: Computer Use server error -10005: The Mac is locked",
        "screen_locked", -10005,
    ),
    (-10005, "cgWindowNotFound", "window_not_found", -10005),
    (None, "Computer Use server error -10005: noWindowsAvailable", "no_windows", -10005),
    (-10005, "timeoutReached", "official_timeout", -10005),
    (-10005, "the screen is unlocked but odd", "official_error", -10005),
    (-10005, "", "official_error", -10005),
    (-10000, "Sender process is not authenticated", "not_authenticated", -10000),
    (-32602, "Unknown tool: x", "invalid_parameters", -32602),
    (-32603, "tool call failed for `x/y`: Mcp error: -32602: Unknown tool: y", "invalid_parameters", -32602),
    (-32603, "tool call failed for `x/y`: Transport closed", "helper_dead", -32603),
    (-32603, "timed out awaiting tools/call after 120s", "official_timeout", -32603),
    (-32603, "tool 'x' is disabled for MCP server 'computer-use'", "tool_disabled", -32603),
    (-32001, "Server overloaded; retry later.", "overloaded", -32001),
    (None, "Computer Use approval denied via MCP elicitation for app 'x'.", "approval_denied", None),
    (None, "Computer Use is not allowed to use the app 'x' for safety reasons.", "app_not_allowed", None),
    (None, "The user changed 'Locked'. Re-query the latest state with get_app_state", "app_changed", None),
    (None, "Computer Use is not active", "not_active", None),
    (None, "The element ID is no longer valid. Re-query the latest state", "element_gone", None),
    (None, "something nobody has seen", "official_error", None),
]


@pytest.mark.claim("CUA-ERR-01")
@pytest.mark.parametrize(("code", "text", "ours", "carried"), TEXTS)
def test_an_official_error_has_its_code_and_number(code: int | None, text: str, ours: str, carried: int | None) -> None:
    official = Official(code, text, {"a": 1})
    assert meaning(official).code == ours
    assert number(official) == carried
    error = official_error(official, reads=False)
    assert error.official == Official(carried, text, {"a": 1})
    assert text in str(error)


@pytest.mark.parametrize(("words", "row"), WORDS)
def test_each_row_of_words_is_reached_by_its_words(words: str, row: Meaning) -> None:
    assert meaning(Official(None, f"Before {words.upper()} after")) == row


@pytest.mark.parametrize("found", NUMBERS)
def test_each_row_of_numbers_is_reached(found: int) -> None:
    assert meaning(Official(found, "x")) == NUMBERS[found]


def test_every_code_has_advice() -> None:
    assert {row.code for _, row in WORDS} | {row.code for row in NUMBERS.values()} <= set(ADVICE)
    assert {LOCKED_MEANING.code, UNKNOWN.code} <= set(ADVICE)


@pytest.mark.parametrize("text", ["locked", "is LOCKED.", "(locked)"])
def test_locked_is_a_word(text: str) -> None:
    assert meaning(Official(-10005, text)) == LOCKED_MEANING


@pytest.mark.parametrize("text", ["unlocked", "blocked", "lockedness", "lock"])
def test_other_words_with_those_letters_are_not(text: str) -> None:
    assert meaning(Official(-10005, text)) == UNKNOWN


def test_nothing_about_a_tool_that_only_reads_is_unknown() -> None:
    assert official_error(Official(None, "x"), reads=True).outcome == "refused"
    assert official_error(Official(None, "x"), reads=False).outcome == "unknown"


def test_the_text_of_a_failed_result() -> None:
    blocks: list[dict[str, Json]] = [
        {"type": "text", "text": "a"},
        {"type": "image"},
        {"type": "text", "text": 3},
        {"type": "text", "text": "b"},
    ]
    assert failed_result_text(blocks) == "a\nb"
