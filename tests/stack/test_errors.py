"""One tree, stable codes, advice for each, and no code that nothing gives."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from stack import errors
from stack.errors import ADVICE, Official, SetupError, StackError

SOURCES = Path(errors.__file__).parent


def test_an_error_says_what_was_seen_and_what_to_do() -> None:
    error = SetupError("program_missing", "codex is not there")
    assert str(error) == f"program_missing: codex is not there. {ADVICE['program_missing']}"
    assert (error.outcome, error.official) == ("refused", None)


def test_the_official_words_are_carried() -> None:
    official = Official(-10005, "text", {"a": 1})
    assert StackError("official_error", "x", official=official, outcome="unknown").official is official


def test_a_code_without_advice_is_a_defect() -> None:
    with pytest.raises(KeyError):
        StackError("no_such_code", "x")


@pytest.mark.parametrize("code", ADVICE)
def test_every_code_is_given_somewhere(code: str) -> None:
    assert re.fullmatch(r"[a-z]+(_[a-z]+)*", code)
    uses = [
        path
        for path in SOURCES.rglob("*.py")
        if f'"{code}"' in path.read_text(encoding="utf-8") and path.name != "errors.py"
    ]
    assert uses, f"{code} has advice, and nothing gives it"


@pytest.mark.parametrize("kind", StackError.__subclasses__())
def test_the_class_says_whose_fault_it_is(kind: type[StackError]) -> None:
    assert kind.__doc__
    assert issubclass(kind, StackError)
