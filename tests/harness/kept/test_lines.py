"""The tables of history and world record: what a line may be, and that each other line is refused with its place."""
from __future__ import annotations

from typing import Any

import pytest

from harness.kept import KeptProblem
from harness.kept.lines import BOOKS, HISTORY, WORLD, check

ASKED = {
    "n": 0, "t": 1.5, "k": 1, "j": 0, "e": "asked", "call": 0,
    "tool": "t", "arguments": {}, "means": None, "deadline_ms": 5,
}  # fmt: skip
ANSWERED = {
    "n": 1, "t": 2, "k": 4, "j": 2, "e": "answered", "call": 0,
    "outcome": "done", "code": None, "sha256": "0" * 64, "bytes": 2,
}  # fmt: skip
EFFECT = {"n": 0, "t": 1.5, "k": 2, "j": 1, "e": "effect", "p": 1, "verb": "click", "target": {"node": "a"}}
GOOD: dict[str, list[dict[str, Any]]] = {
    "history": [ASKED, ANSWERED],
    "world": [EFFECT, {"n": 1, "t": 1.5, "k": 3, "j": 2, "e": "freed", "p": 1, "what": "lock", "id": "a", "more": []}],
}


@pytest.mark.parametrize("book", GOOD)
def test_what_the_tables_say_is_taken(book: str) -> None:
    check(book, GOOD[book])
    check(book, [])


BAD: list[tuple[str, dict[str, Any], str]] = [
    ("history", {**ASKED, "e": "wondered"}, "one of told, unheeded, asked"),
    ("history", {**ASKED, "e": 3}, "one of told, unheeded, asked"),
    ("history", {**ASKED, "e": ["asked"]}, "one of told, unheeded, asked"),
    ("history", {key: value for key, value in ASKED.items() if key != "tool"}, "tool: text"),
    ("history", {**ASKED, "call": -1}, "a whole number from 0"),
    ("history", {**ASKED, "call": True}, "a whole number from 0"),
    ("history", {**ASKED, "means": {"verb": "click"} | {"who": 1}}, "verb, ref, value"),
    ("history", {**ASKED, "means": {"ref": "4"}}, "verb, ref, value"),
    ("history", {**ASKED, "means": {"verb": "click", "ref": 4}}, "verb, ref, value"),
    ("history", {**ASKED, "means": {"verb": "click", "looks": 1}}, "verb, ref, value"),
    ("history", {**ASKED, "k": 0.5}, "a whole number that rises"),
    ("history", {**ASKED, "t": float("nan")}, "virtual milliseconds from 0"),
    ("history", {**ASKED, "t": -1}, "virtual milliseconds from 0"),
    ("history", {**ASKED, "n": 1}, "counts lines without holes"),
    ("history", {**ANSWERED, "n": 0}, "'asked' before it"),
    ("history", {**ASKED, "j": "2"}, "how many events of the journal"),
    ("history", {key: value for key, value in ASKED.items() if key != "j"}, "how many events of the journal"),
    ("world", {**EFFECT, "target": "a"}, "an object"),
    ("world", {**EFFECT, "grant": 1}, "text, or null"),
    ("world", {**EFFECT, "needs": None}, "text"),
    ("world", {**EFFECT, "e": "asked"}, "one of shown, effect"),
]


@pytest.mark.parametrize(("book", "line", "expected"), BAD)
def test_any_other_line_is_refused_with_its_place(book: str, line: dict[str, Any], expected: str) -> None:
    with pytest.raises(KeptProblem) as caught:
        check(book, [line])
    assert expected in caught.value.expected
    assert f"in line 1 of the {book}" in caught.value.seen
    with pytest.raises(KeptProblem) as caught:
        check(book, [line], "a.jsonl")
    assert (caught.value.file, caught.value.line) == ("a.jsonl", 1)


SEQUENCES: list[tuple[str, list[dict[str, Any]], str]] = [
    ("order does not rise", [ASKED, {**ANSWERED, "k": 1}], "rises"),
    ("fewer events than before", [{**ASKED, "j": 3}, ANSWERED], "how many events of the journal"),
    ("a line is missing", [ASKED, {**ANSWERED, "n": 2}], "without holes"),
    ("asked twice", [ASKED, {**ASKED, "n": 1, "k": 2}], "each call asked once"),
    ("answered twice", [ASKED, ANSWERED, {**ANSWERED, "n": 2, "k": 5}], "one answer"),
    ("an outcome that is none", [ASKED, {**ANSWERED, "outcome": "maybe"}], "one of done, refused, unknown"),
    ("cancelled, never asked", [{"n": 0, "t": 0, "k": 1, "j": 0, "e": "cancelled", "call": 3}], "'asked' before it"),
]


@pytest.mark.parametrize(("name", "lines", "expected"), SEQUENCES)
def test_lines_out_of_turn_are_refused(name: str, lines: list[dict[str, Any]], expected: str) -> None:
    with pytest.raises(KeptProblem) as caught:
        check("history", lines)
    assert expected in caught.value.expected


def test_told_may_be_about_a_call() -> None:
    told = {"n": 0, "t": 0, "k": 1, "j": 0, "e": "told", "event": "tools_changed", "call": 9}
    check("history", [told])


def test_every_kind_has_fields_and_meanings() -> None:
    for table in (HISTORY, WORLD):
        assert all(meaning for fields in table.values() for _, _, meaning in fields.values())
    assert BOOKS == {"history": HISTORY, "world": WORLD}
