"""URLs: parts, resolving and origins, against a table; and the standard library for plain ones."""

from __future__ import annotations

import urllib.parse

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fakes.worlds.page_url import form_text, normal, origin, page_of, resolve, split, unquoted


@pytest.mark.parametrize(("url", "parts"), [
    ("http://A.test:80/p/q?x=1#f", ("http", "a.test:80", "/p/q", "?x=1", "#f")),
    ("//a.test?x", ("", "a.test", "", "?x", "")),
    ("about:blank", ("about", "", "blank", "", "")),
    ("path/only#f", ("", "", "path/only", "", "#f")),
    ("a b:c", ("", "", "a b:c", "", "")),
    ("", ("", "", "", "", "")),
])  # fmt: skip
def test_split(url: str, parts: tuple[str, ...]) -> None:
    assert split(url) == parts


@pytest.mark.parametrize(("url", "expected"), [
    ("HTTP://Shop.Test", "http://shop.test/"),
    ("http://shop.test:80/a b", "http://shop.test/a%20b"),
    ("https://shop.test:443/?q#f", "https://shop.test/?q#f"),
    ("http://shop.test:8080/", "http://shop.test:8080/"),
    ("data:text/plain,x", "data:text/plain,x"),
])  # fmt: skip
def test_normal(url: str, expected: str) -> None:
    assert normal(url) == expected
    assert normal(expected) == expected


BASE = "http://shop.test/a/b/c?q=1#f"


@pytest.mark.parametrize(("reference", "expected"), [
    ("/x", "http://shop.test/x"),
    ("x", "http://shop.test/a/b/x"),
    ("../x/", "http://shop.test/a/x/"),
    ("./", "http://shop.test/a/b/"),
    ("..", "http://shop.test/a/"),
    ("?r", "http://shop.test/a/b/c?r"),
    ("#g", "http://shop.test/a/b/c?q=1#g"),
    ("//other.test/x", "http://other.test/x"),
    ("https://other.test", "https://other.test/"),
    ("javascript:void(0)", "javascript:void(0)"),
])  # fmt: skip
def test_resolve(reference: str, expected: str) -> None:
    assert resolve(BASE, reference) == expected
    if reference not in ("https://other.test",):
        assert urllib.parse.urljoin(BASE, reference) == expected


def test_origin_and_page() -> None:
    assert origin(BASE) == "http://shop.test"
    assert origin("about:blank") == "null"
    assert page_of(BASE) == "http://shop.test/a/b/c?q=1"


@given(st.text(max_size=30))
@settings(max_examples=50)
def test_a_form_writes_what_the_library_reads(text: str) -> None:
    safe = text.encode("utf-8", "ignore").decode()
    assert urllib.parse.parse_qs(f"k={form_text(safe)}", keep_blank_values=True)["k"] == [safe]
    assert unquoted(form_text(safe).replace("+", " ")) == safe


@pytest.mark.parametrize(("text", "expected"), [("%", "%"), ("%4", "%4"), ("%zz%41", "%zzA"), ("plain", "plain")])
def test_escapes_that_are_none_stay(text: str, expected: str) -> None:
    assert unquoted(text) == expected
