"""Texts of errors, and the line on standard error."""

from __future__ import annotations

from typing import Any

import pytest

from fakes.fronts.osascript_texts import STYLES, TEXTS, complaint, message


@pytest.mark.parametrize("number", TEXTS)
def test_no_number_is_told_by_the_same_words_in_each_style(number: int) -> None:
    texts = {style: message(number, style, "window id 7") for style in STYLES}
    assert texts["german"] != texts["straight"]
    assert "'" not in texts["typographic"] and "'" not in texts["german"]


@pytest.mark.parametrize(
    ("number", "style", "about", "text"),
    [
        (-1728, "straight", "window id 7", "Can't get object."),
        (-1728, "typographic", "window id 7", "Can’t get window id 7."),
        (-1728, "typographic", None, "Can’t get object."),
        (-1719, "typographic", "tab 3 of window id 1", "Can’t get tab 3 of window id 1. Invalid index."),
        (-9, "straight", None, "An error occurred."),
        (-9, "german", None, "Ein Fehler ist aufgetreten."),
    ],
)
def test_messages(number: int, style: str, about: str | None, text: str) -> None:
    assert message(number, style, about) == text


def facts(**other: Any) -> dict[str, Any]:
    return {"name": "Error", "message": "m", "number": -1728, "line": 2, "syntax": False, **other}


@pytest.mark.parametrize(
    ("given", "file", "positions", "line"),
    [
        (facts(), None, False, "execution error: Error: Error: m (-1728)\n"),
        (facts(), "/a.js", False, "/a.js: execution error: Error: Error: m (-1728)\n"),
        (facts(), None, True, "3:7: execution error: Error on line 2: Error: m (-1728)\n"),
        (facts(line=None), None, True, "execution error: Error: Error: m (-1728)\n"),
        (facts(name=""), None, False, "execution error: m (-1728)\n"),
        (facts(syntax=True, name="SyntaxError"), None, False, "syntax error: Error: SyntaxError: m (-1728)\n"),
    ],
)
def test_complaints(given: dict[str, Any], file: str | None, positions: bool, line: str) -> None:
    assert complaint(given, file, "ab\ncdef\n", positions=positions) == line
