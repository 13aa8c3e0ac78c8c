"""`do JavaScript` on a real engine: values with their losses, and effects that the page itself saw."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from fakes.worlds import safari_witness
from fakes.worlds.page_programs import ScriptError
from fakes.worlds.safari_webkit import SafariOnWebKit
from tests.fakes.worlds.recorded import Book

PAGE = {
    "title": "Form",
    "body": [
        {"tag": "label", "id": "label", "attributes": {"for": "box"}, "text": "Box"},
        {"tag": "input", "id": "box", "attributes": {"id": "box", "type": "checkbox"}},
        {"tag": "input", "id": "name", "attributes": {"id": "name"}},
        {"tag": "select", "id": "color", "attributes": {"id": "color"}, "children": [
            {"tag": "option", "text": "Red"}, {"tag": "option", "text": "Blue"}]},
        {"tag": "button", "id": "go", "attributes": {"id": "go", "type": "button"}, "text": "Go",
         "on": {"click": [{"title": "Gone"}]}},
        {"tag": "div", "at": [0, 0, 10, 4000]},
    ],
}  # fmt: skip
WORLD: dict[str, Any] = {
    "pages": {"http://form.test/": PAGE},
    "windows": [{"id": 7, "tabs": [{"url": "http://form.test/"}]}],
}


class Blocking(Book):
    """The record of a run in which looking may take time; its clock goes on with every look."""

    may_block = True

    def now_ms(self) -> float:
        self.time_ms += 5
        return self.time_ms


@pytest.fixture(scope="module")
def page() -> Iterator[tuple[Any, Book]]:
    """One engine for the whole module."""
    book = Blocking()
    world = SafariOnWebKit(book, WORLD)
    while world.windows[0].tabs[0].loading:
        world.advance()
    yield world, book
    world.close()


def run(page: tuple[Any, Book], text: str) -> Any:
    world, book = page
    book.lines.clear()
    shown: list[Any] = []
    return safari_witness.run(world, lambda *what: shown.append(what), 1, world.windows[0].tabs[0], text)


@pytest.mark.engine("webkit")
@pytest.mark.engine("xvfb")
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("'a\\u2028é\\ud83d\\ude00'", "a\u2028é\U0001f600"),
        ("1.5", 1.5),
        ("NaN", None),
        ("true", True),
        ("undefined", None),
        ("null", None),
        ("Promise.resolve(5)", None),
        ("new Promise(() => {})", None),
        ("throw new Error('lost')", None),
        ("1 +", None),
        ("({a: [1]})", {"a": [1]}),
        ("document.title", "Form"),
    ],
)
def test_values_come_back_as_from_safari(page: tuple[Any, Book], text: str, value: Any) -> None:
    assert run(page, text) == value


@pytest.mark.engine("webkit")
@pytest.mark.engine("xvfb")
@pytest.mark.parametrize(
    ("text", "effects"),
    [
        ("document.querySelector('#go').click()", [("click", "go", None)]),
        ("document.querySelector('label').click()", [("click", "label", None)]),
        (
            "const n = document.querySelector('#name'); n.value = 'x'; n.dispatchEvent(new Event('input'))",
            [("fill", "name", "x")],
        ),
        (
            "const c = document.querySelector('#color'); c.selectedIndex = 1; c.dispatchEvent(new Event('change'))",
            [("select", "color", "Blue")],
        ),
        ("scrollBy(0, 100)", [("scroll", None, [0, 100])]),
        ("document.title", []),
    ],
)
def test_effects_are_what_the_page_saw(page: tuple[Any, Book], text: str, effects: list[Any]) -> None:
    run(page, text)
    lines = page[1].of("effect")
    assert [(line["verb"], line["target"].get("node"), line["value"]) for line in lines] == effects


def test_deeds_of_events() -> None:
    def event(type: str, tag: str, node: str, value: str = "", kind: str = "") -> dict[str, Any]:
        return {"type": type, "tag": tag, "node": node, "value": value, "inputType": kind}

    box = [event("click", "input", "box", "on", "checkbox"), event("input", "input", "box", "on", "checkbox")]
    assert safari_witness.deeds([event("click", "label", "l"), *box]) == [("click", "l", None)]
    assert safari_witness.deeds([event("input", "select", "s", "v"), event("change", "select", "s", "v")]) == [
        ("select", "s", "v")
    ]
    assert safari_witness.deeds([event("input", "div", "d", "t"), event("change", "div", "d", "t")]) == [
        ("fill", "d", "t")
    ]


def test_an_evaluation_that_is_lost_answers_nothing() -> None:
    class World:
        def evaluate(self, document: Any, script: str) -> Any:
            raise ScriptError("unexpected alert open")

    class Tab:
        class document:
            class page:
                @staticmethod
                def walk(shadow: bool) -> list[Any]:
                    return []

    assert safari_witness.run(World(), lambda *what: None, 1, Tab(), "x") is None  # type: ignore[arg-type]
