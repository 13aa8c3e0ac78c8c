"""What the model's page program offers, and that the real program on a real engine offers and refuses the same."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from fakes.engines.javascript import EngineMissing
from fakes.worlds.page_jxa_look import ACTION_LIMIT, TEXT_LIMIT, viewport
from fakes.worlds.safari_webkit import SafariOnWebKit
from tests.fakes.worlds.jxa_pages import COVERED, FORM, URL, Page, el, on_engine, on_model, row
from tests.fakes.worlds.recorded import Book

OFFERED = [
    ("click", "Home", "link", "", None),
    ("fill", "Name", "textbox", "", None),
    ("click", "Name", "textbox", "", None),
    ("select", "Color: Red", "combobox", "Red", 0),
    ("select", "Color: Blue", "combobox", "b", 1),
    ("click", "Box", "checkbox", "false", None),
    ("click", "Go", "button", "", None),
    ("click", "Dead", "button", "", None),
    ("scroll", "Scroll down", None, None, None),
    ("wait", "Wait for the page to update", None, None, None),
]
CONTROLS = {"title": "Controls", "body": [
    row(0, el("div", "tick", "Tick", role="checkbox", aria_checked="true", tabindex="0")),
    row(1, el("span", "plain", "plain"), el("span", "hook", "Hook", onclick="1")),
    row(2, el("label", "pill", "Pill", for_="hid"), el("input", "hid", id="hid", type="checkbox", hidden="display")),
    row(3, el("input", "code", autocomplete="one-time-code", aria_label="Code"), el("input", "file", type="file")),
    row(4, el("div", "free", "Text", contenteditable="true", aria_label="Free")),
    row(5, el("textarea", "area", "Hi", aria_label="Area")),
    row(6, el("input", "range", type="range", aria_label="Range"), el("input", "reset", type="reset")),
    row(7, el("div", "inert", children=[el("button", "in", "In", type="button")], inert=True)),
    row(8, el("div", "aria", children=[el("button", "deaf", "Deaf", type="button")], aria_hidden="true")),
    row(9, el("a", "nowhere", "Nowhere"), el("button", "named", "x", type="button", aria_label="Named")),
    row(10, el("div", "fixed", "Fixed", contenteditable="true", aria_readonly="true", aria_label="Fixed")),
]}  # fmt: skip


def offered(page: Page) -> list[tuple[Any, ...]]:
    return [
        (each["kind"], each["label"], each.get("role"), each.get("value"), each.get("option"))
        for each in page.observe()["actions"]
    ]


def test_the_form_offers() -> None:
    page = on_model()
    assert offered(page) == OFFERED
    assert [each["id"] for each in page.seen["actions"]][:8] == [f"e{n}" for n in range(1, 9)]
    assert page.seen["text"].split("\n")[0] == "Home"
    assert page.seen["scroll"] == {"y": 0, "height": 3010}
    assert sorted(page.seen["page"]) == ["content", "fields", "route", "viewport"]
    assert page.seen["page"]["route"] == "http://form.test/page"
    rect = page.action("click", "Go")["rect"]
    assert (rect["x"], rect["y"]) == (20, 360)


def test_numbers_stay_with_their_elements() -> None:
    page = on_model()
    page.observe()
    before = page.action("click", "Go")["node"]
    page.world.change("page", page={"tab": "tab-1", "do": [{"remove": "link"}, {"rerender": "dead"}]})
    page.observe()
    assert page.action("click", "Go")["node"] == before
    assert page.action("click", "Dead")["node"] > before + 1


def test_a_secret_stays_one_when_it_is_shown() -> None:
    page = on_model()
    page.observe()
    page.world.change(
        "page", page={"tab": "tab-1", "do": [{"set": {"node": "secret", "attributes": {"type": "text"}}}]}
    )
    assert offered(page) == OFFERED


def test_bounds_of_an_observation() -> None:
    many = {
        "body": [el("button", f"b{n}", f"B{n}", type="button", at=[0, 0, 50, 20]) for n in range(ACTION_LIMIT + 20)]
    }
    page = on_model({**many, "size": [1200, 740]})
    assert len(offered(page)) == ACTION_LIMIT + 1
    long = on_model({"body": [{"tag": "p", "text": "word " * 2000}]})
    assert len(long.observe()["text"]) == TEXT_LIMIT


def test_a_viewport_is_as_large_as_its_window_lets_it() -> None:
    page = on_model()
    assert viewport(page.world, page.tab) == (1200, 740)
    page.world.change("user", move_window={"window": 7, "bounds": [0, 0, 900, 700]})
    assert viewport(page.world, page.tab) == (900, 640)
    page.tab.window.session = 1
    assert viewport(page.world, page.tab) == (1200, 740)


def test_what_lies_around_an_element() -> None:
    """A row around it counts; a form or the whole body does not."""
    page = on_model({"body": [el("form", "form", children=[el("button", "a", "A", type="button")])]})
    page.observe()
    page.world.change("page", page={"tab": "tab-1", "do": [{"insert": {"into": "form", "element": {"text": "more"}}}]})
    assert page.act("click", "A")["status"] == "finished"
    item = on_model({"body": [el("div", "item", role="listitem", children=[el("div", "in", children=[
        el("button", "a", "A", type="button")])])]})  # fmt: skip
    item.observe()
    item.world.change("page", page={"tab": "tab-1", "do": [{"insert": {"into": "item", "element": {"text": "more"}}}]})
    assert item.act("click", "A") == {"status": "refused", "part": "around"}


# The model against the program itself


class Blocking(Book):
    """The record of a run in which looking may take time; its clock goes on with every look."""

    may_block = True

    def now_ms(self) -> float:
        self.time_ms += 5
        return self.time_ms


PAGES = {"form": FORM, "controls": CONTROLS, "covered": COVERED}


@pytest.fixture(scope="module")
def engine() -> Iterator[tuple[Any, Book]]:
    """One engine for the module; each test has a page of its own in a fresh document."""
    try:
        book = Blocking()
        pages = {f"http://{name}.test/page": page for name, page in PAGES.items()}
        world = SafariOnWebKit(
            book, {"pages": pages, "windows": [{"id": 7, "tabs": [{"url": "http://form.test/page"}]}]}
        )
    except EngineMissing as missing:
        pytest.skip(str(missing))
    yield world, book
    world.close()


def both(engine: tuple[Any, Book], name: str) -> tuple[Page, Page]:
    """The same page on the model, and freshly loaded on the engine, both observed."""
    world, book = engine
    tab = world.windows[0].tabs[0]
    world.navigate(1, tab, f"http://{name}.test/page")
    document = tab.document.key
    while tab.loading or tab.document.key == document:
        world.advance()
    book.lines.clear()
    model, real = on_model(PAGES[name], URL.replace("form", name)), on_engine(world, book)
    model.observe()
    real.observe()
    return model, real


@pytest.mark.engine("webkit")
@pytest.mark.engine("xvfb")
@pytest.mark.parametrize("name", PAGES)
def test_the_program_offers_what_the_model_offers(engine: tuple[Any, Book], name: str) -> None:
    model, real = both(engine, name)
    assert offered(real) == offered(model)
    assert {ref: what["node"] for ref, what in real.shown.items() if "node" in what} == {
        ref: what["node"] for ref, what in model.shown.items() if "node" in what
    }


@pytest.mark.engine("webkit")
@pytest.mark.engine("xvfb")
@pytest.mark.parametrize(
    ("name", "kind", "label", "text", "more"),
    [
        ("form", "click", "Go", None, {}),
        ("form", "click", "Dead", None, {}),
        ("form", "click", "Box", None, {}),
        ("form", "fill", "Name", "Ada", {}),
        ("form", "fill", "Name", "too long", {}),
        ("form", "select", "Color: Blue", None, {}),
        ("form", "select", "Color: Blue", None, {"option": 2}),
        ("form", "select", "Color: Blue", None, {"option": 9}),
        ("form", "scroll", "Scroll down", None, {"direction": "down"}),
        ("controls", "fill", "Area", "New", {}),
        ("controls", "fill", "Free", "New", {}),
        ("controls", "click", "Pill", None, {}),
        ("covered", "click", "Under", None, {}),
    ],
)
def test_the_program_does_what_the_model_does(
    engine: tuple[Any, Book], name: str, kind: str, label: str, text: str | None, more: dict[str, Any]
) -> None:
    model, real = both(engine, name)
    assert real.act(kind, label, text, action=more) == model.act(kind, label, text, action=more)
    assert [(verb, node) for verb, node, _ in real.effects] == [(verb, node) for verb, node, _ in model.effects]
    if kind in ("fill", "select"):
        assert real.effects == model.effects
    assert real.act(kind, label, text, action=more)["status"] == model.act(kind, label, text, action=more)["status"]


@pytest.mark.engine("webkit")
@pytest.mark.engine("xvfb")
@pytest.mark.parametrize(
    "do",
    [
        {"set": {"node": "box", "checked": True}},
        {"set": {"node": "go", "text": "Stop"}},
        {"set": {"node": "out", "text": "New"}},
        {"insert": {"into": "row6", "element": {"tag": "b", "text": "more"}}},
        {"remove": "go"},
        {"rerender": "go"},
        {"push": "/other"},
        {"push": "/page?q=3"},
        {"title": "Other"},
    ],
)
def test_the_program_sees_move_what_the_model_sees_move(engine: tuple[Any, Book], do: dict[str, Any]) -> None:
    model, real = both(engine, "form")
    for page in (model, real):
        page.world.change("page", page={"tab": "tab-1", "do": [do]})
    assert real.act("click", "Go", op="fresh") == model.act("click", "Go", op="fresh")
