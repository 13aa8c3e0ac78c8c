"""What is taken out of a page: types, numbers, words and their order."""

from __future__ import annotations

from typing import Any

import pytest

from fakes.worlds.page_content import Extraction, escaped, is_word, node_of, quoted, shortened, uid_of
from fakes.worlds.page_tree import text_tree
from tests.fakes.worlds.surf import HOME, node, surf


def lines(*body: Any, **options: Any) -> list[str]:
    _, tab = surf(*body, world=options.pop("world", None))
    return text_tree(Extraction(tab.document, options, (1200, 740))).split("\n")[1:]


@pytest.mark.parametrize(("element", "line"), [
    ({"tag": "a", "attributes": {"href": "x"}, "text": "t"}, f"link uid=1 url={HOME}x 't'"),
    ({"tag": "a", "text": "t"}, "'t'"),
    ({"tag": "a", "text": "t", "on": {"click": []}}, "a clickable uid=1 't'"),
    ({"tag": "button", "attributes": {"disabled": True}, "text": "t"}, "button uid=1 disabled 't'"),
    ({"tag": "input"}, "input uid=1"),
    ({"tag": "input", "attributes": {"type": "search"}}, "input search uid=1"),
    ({"tag": "input", "attributes": {"type": "checkbox", "value": "v"}, "checked": True},
     "input checkbox uid=1 checked value=v"),
    ({"tag": "input", "attributes": {"type": "submit", "value": "Go on"}}, "input submit uid=1 value='Go on'"),
    ({"tag": "input", "attributes": {"autocomplete": "email", "readonly": True, "placeholder": "p", "pattern": "x+",
      "name": "n", "minlength": "1", "maxlength": "9", "required": True}},
     "input uid=1 autocomplete=email readonly placeholder=p pattern=x+ name=n minlength=1 maxlength=9 required"),
    ({"tag": "textarea", "text": "typed"}, "textarea uid=1"),
    ({"attributes": {"contenteditable": True}, "text": "t"}, "contentEditable uid=1 't'"),
    ({"text": "t", "on": {"click": []}}, "div clickable uid=1 't'"),
    ({"attributes": {"role": "button"}, "text": "t"}, "div uid=1 role=button 't'"),
    ({"attributes": {"role": "note", "title": "a b"}, "text": "t"}, "div role=note title='a b' 't'"),
    ({"attributes": {"aria-label": "t", "aria-live": "polite", "aria-busy": "false"}, "text": "the t"},
     "div live=polite 'the t'"),
    ({"attributes": {"aria-label": "other"}, "text": "t"}, "div label=other 't'"),
    ({"tag": "img", "attributes": {"alt": "A cat"}}, "image alt='A cat'"),
    ({"tag": "h2", "attributes": {"class": "main x9 big-title", "id": "headline"}, "text": "t"},
     "h2 class='main big-title' id=headline 't'"),
    ({"tag": "nav", "children": [{"tag": "ul", "children": [{"tag": "li", "text": "t"}]}]}, "navigation"),
    ({"overlay": True, "text": "t"}, "overlay 't'"),
    ({"text": "it's \\ here"}, "'it\\'s \\\\ here'"),
])  # fmt: skip
def test_one_element(element: Any, line: str) -> None:
    assert lines(element)[0].strip() == line


def test_generic_containers_give_their_children_away() -> None:
    assert lines({"children": [{"children": ["a", {"tag": "p", "text": "b"}]}]}) == ["\t'a'", "\t'b'"]


def test_depth_and_lists() -> None:
    made = lines(
        {
            "tag": "ul",
            "children": [{"tag": "li", "text": "a"}, {"tag": "li", "children": ["b", {"tag": "h3", "text": "c"}]}],
        }
    )
    assert made == ["\tlist", "\t\tlist-item 'a'", "\t\tlist-item", "\t\t\t'b'", "\t\t\th3 'c'"]


def test_focus_events_and_accessibility() -> None:
    _, tab = surf({"id": "i", "tag": "input", "attributes": {"aria-label": "x"}, "on": {"type": [], "change": []}})
    tab.document.page.focus = node(tab, "i")

    def line(**options: Any) -> str:
        return text_tree(Extraction(tab.document, options, (1200, 740))).split("\n\t")[1]

    assert line() == "input uid=1 label=x focused"
    assert (
        line(includeAccessibilityAttributes=False, includeEventListeners=True)
        == "input uid=1 events=change,type focused"
    )
    assert line(nodeIds="none") == "input label=x focused"


def test_urls() -> None:
    long = "http://shop.test/" + "a" * 200
    _, tab = surf({"tag": "a", "attributes": {"href": long}, "text": "t"})

    def line(**options: Any) -> str:
        return text_tree(Extraction(tab.document, options, (1200, 740))).split("\n\t")[1]

    assert "url=" not in line(includeURLs=False)
    assert long in line(shortenURLs=False)
    assert f"url={shortened(long)}" in line() and "…" in shortened(long) and len(shortened(long)) <= 150


def test_the_viewport_leaves_out_what_is_below() -> None:
    body = [{"tag": "p", "text": f"line {n}"} for n in range(100)] + [{"id": "b", "tag": "button", "text": "below"}]
    assert len(lines(*body)) < 60 and len(lines(*body, region="entire_page")) == 101
    _, tab = surf(*body)
    tab.document.page.scroll[1] = 1500
    scrolled = text_tree(Extraction(tab.document, {}, (1200, 740)))
    assert "below" in scrolled and "'line 0'" not in scrolled


def test_numbers_stay_and_are_resolved() -> None:
    _, tab = surf({"id": "b", "tag": "button"}, {"id": "c", "tag": "button"})
    button = node(tab, "b")
    assert uid_of(tab.document, button) == uid_of(tab.document, button) == "1"
    assert node_of(tab.document, "1") == (tab.document, button)
    for uid in ("2", "x", "", "1_1_1", "١", "-1"):
        assert node_of(tab.document, uid) is None, uid


def test_frames() -> None:
    body = (
        {"id": "same", "tag": "iframe", "attributes": {"src": "/two"}},
        {"id": "other", "tag": "iframe", "attributes": {"src": "http://a.test/"}},
    )
    world = {
        "pages": {
            HOME + "two": {"body": [{"id": "fb", "tag": "button", "text": "in"}]},
            "http://a.test/": {"body": ["secret"]},
        }
    }
    assert lines(*body, world=world) == ["\tiframe", "\tiframe origin=http://a.test"]
    assert lines(*body, world=world, includeSubframes=True) == [
        "\tiframe",
        "\t\tbutton uid=6_1_1 'in'",
        "\tiframe origin=http://a.test",
    ]
    _, tab = surf(*body, world=world)
    frame = node(tab, "same").frame
    assert uid_of(frame, node(frame, "fb")) == "6_1_1" and node_of(tab.document, "6_1_1") == (frame, node(frame, "fb"))


def test_select_options() -> None:
    select = {
        "tag": "select",
        "children": [{"tag": "option", "attributes": {"value": "1"}, "text": "One"}, {"tag": "option", "text": "Two"}],
    }
    assert lines(select) == ["\tselect uid=1 selected=1"]
    assert lines(select, includeSelectOptions=True) == [
        "\tselect uid=1 selected=1",
        "\t\toption selected 'One'",
        "\t\toption 'Two'",
    ]


def test_shadow_roots_are_what_is_shown() -> None:
    assert lines({"text": "light", "shadow": [{"tag": "h1", "text": "dark"}]}) == ["\th1 'dark'"]


@pytest.mark.parametrize(
    ("text", "word"), [("price", True), ("price-tag", True), ("btn", False), ("a9", False), ("x", False)]
)
def test_words_of_classes(text: str, word: bool) -> None:
    assert is_word(text) is word


def test_quotes() -> None:
    assert quoted("a") == "a" and quoted("a b") == "'a b'" and escaped("a\nb") == "a\\nb"
