"""What `do JavaScript` gives back on the model."""

from __future__ import annotations

from typing import Any

import pytest

from fakes.worlds import safari_witness
from fakes.worlds.safari import Safari
from fakes.worlds.safari_dictionary import AppleEventError
from fakes.worlds.safari_javascript import EXPRESSIONS, across, evaluate, read_call
from stack.safari_jxa.scripts import program
from tests.fakes.osascript.drive import WORLD
from tests.fakes.worlds.recorded import Book


def run(text: str) -> tuple[Any, Book]:
    book = Book()
    world = Safari(book, WORLD)
    return evaluate(world, lambda *what: None, 1, world.tab("tab-1"), text), book


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("document.title", "Alpha"),
        (" document.title; ", "Alpha"),
        ("location.href", "http://a.test/1"),
        ("document.URL", "http://a.test/1"),
        ("document.readyState", "complete"),
        ("document.body.innerText", "Hello"),
        ("document.hasFocus()", True),
        ("window.scrollY", 0.0),
        ("undefined", None),
    ],
)
def test_plain_expressions(text: str, value: Any) -> None:
    assert run(text)[0] == value
    assert not read_call(text).changing


def test_every_expression_has_a_value() -> None:
    assert [run(text)[1].of("violation") for text in EXPRESSIONS] == [[]] * len(EXPRESSIONS)


def test_a_text_that_the_model_cannot_run_is_a_violation_and_never_a_value() -> None:
    for text in ("alert(1)", "(function () {}\n)({})", "(" + program() + "\n)({)", "()"):
        book = Book()
        world = Safari(book, WORLD)
        with pytest.raises(AppleEventError, match="-10000"):
            evaluate(world, lambda *what: None, 1, world.tab("tab-1"), text)
        assert len(book.of("violation")) == 1
        assert read_call(text).changing


def test_a_page_program_is_known_by_its_text() -> None:
    text = "(" + program() + '\n)({"op":"bind","epoch":"E"})'
    assert (read_call(text).name, read_call(text).op, read_call(text).changing) == ("jxa_page", "bind", False)
    assert run(text)[0].startswith('{"status":"ok","epoch":"E"')
    acting = "(" + program() + '\n)({"op":"act"})'
    assert (read_call(acting).op, read_call(acting).changing) == ("act", True)
    odd = "(" + program() + "\n)(5)"
    assert (read_call(odd).op, read_call(odd).changing) == (None, False)


def test_a_world_with_an_engine_is_asked_for_every_text(monkeypatch: pytest.MonkeyPatch) -> None:
    class World:
        blocking = True

    monkeypatch.setattr(safari_witness, "run", lambda world, show, p, tab, text: f"ran {text}")
    tab: Any = None
    assert evaluate(World(), lambda *what: None, 1, tab, "alert(1)") == "ran alert(1)"


@pytest.mark.parametrize(
    ("value", "booleans", "got"),
    [
        (True, "kept", True),
        (True, "lost", None),
        (False, "lost", None),
        (1, "lost", 1),
        ("a", "lost", "a"),
        (None, "kept", None),
    ],
)
def test_losses_on_the_way(value: Any, booleans: str, got: Any) -> None:
    assert across(value, booleans) == got
