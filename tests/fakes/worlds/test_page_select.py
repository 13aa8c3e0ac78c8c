"""Selectors: each kind against one tree; what is no selector, and what this fake does not know."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fakes.worlds import page_select
from fakes.worlds.page import Definition
from fakes.worlds.page_select import SelectorError, matches, select

TREE = Definition(
    {
        "body": [
            {"id": "list", "tag": "ul", "attributes": {"class": "big list", "lang": "en-GB"}, "children": [
                {"id": "one", "tag": "li", "attributes": {"id": "first", "data-x": "a-b c"}, "text": "1"},
                {"id": "two", "tag": "li", "children": [
                    {"id": "deep", "tag": "a", "attributes": {"href": "/Path", "class": "list"}}]},
                {"id": "three", "tag": "li"}]},
            {"id": "box", "tag": "input", "attributes": {"type": "checkbox", "disabled": True}, "checked": True},
            {"id": "free", "tag": "input"},
            {"id": "host", "shadow": [{"id": "shade", "tag": "li"}]},
        ]
    },
    "test",
).tree()  # fmt: skip


def found(selector: str) -> list[str]:
    return [node.name for node in select(TREE, selector)]


@pytest.mark.parametrize(("selector", "names"), [
    ("li", ["one", "two", "three"]),
    ("LI", ["one", "two", "three"]),
    ("#first", ["one"]),
    (".list", ["list", "deep"]),
    ("ul.big.list", ["list"]),
    ("ul > li", ["one", "two", "three"]),
    ("body a", ["deep"]),
    ("ul>a", []),
    ("li + li", ["two", "three"]),
    ("#first ~ li", ["two", "three"]),
    ("#first~*", ["two", "three"]),
    ("a, #first", ["one", "deep"]),
    ("[href]", ["deep"]),
    ("[href='/Path']", ["deep"]),
    ('[href="/path" i]', ["deep"]),
    ("[href='/Path' s]", ["deep"]),
    ("[href=x]", []),
    ("[data-x^=a]", ["one"]),
    ("[data-x$=c]", ["one"]),
    ("[data-x*='b c']", ["one"]),
    ("[data-x~='a-b']", ["one"]),
    ("[lang|=en]", ["list"]),
    ("[ href ]", ["deep"]),
    ("li:first-child", ["one"]),
    ("li:last-child", ["three"]),
    ("a:only-child", ["deep"]),
    ("li:empty", ["three"]),
    (":checked", ["box"]),
    ("input:disabled", ["box"]),
    (":enabled", ["free"]),
    ("a:any-link", ["deep"]),
    (":link", ["deep"]),
    ("li:not(#first)", ["two", "three"]),
    (":is(a, ul)", ["list", "deep"]),
    (r"#\66irst", ["one"]),
    (r"\#first", []),
])  # fmt: skip
def test_what_matches(selector: str, names: list[str]) -> None:
    assert found(selector) == names
    assert all(matches(node, selector) for node in select(TREE, selector))


@pytest.mark.parametrize("selector", [
    "", " ", "a,", ",a", "a >", "> a", "..x", "#", "#1", "[", "[a", "[a=]", "[a='b]", "[a^b]", "a:not(", "a)", "a b!",
    "a{}",
    "\\", "[a='\\", "1a", "a:not(b",
])  # fmt: skip
def test_what_is_no_selector(selector: str) -> None:
    with pytest.raises(SelectorError) as raised:
        found(selector)
    assert raised.value.known


@pytest.mark.parametrize("selector", ["a::before", "a:hover", "li:nth-child(2)", ":has(a)"])
def test_what_this_fake_does_not_know_is_said(selector: str) -> None:
    with pytest.raises(SelectorError) as raised:
        found(selector)
    assert not raised.value.known


@given(st.text("ab#.[]=:~>+*,()'\"\\ 1", max_size=12))
@settings(max_examples=50)
def test_any_text_matches_or_is_refused(text: str) -> None:
    try:
        names = found(text)
    except SelectorError:
        return
    assert all(isinstance(name, str) for name in names)


def test_a_selector_is_parsed_once_and_few_are_kept() -> None:
    page_select._parsed.clear()
    first = page_select.parse("p")
    assert page_select.parse("p") is first
    for number in range(page_select.KEPT):
        page_select.parse(f"p{number}")
    assert 0 < len(page_select._parsed) <= page_select.KEPT
    assert page_select.parse("p") is not first
