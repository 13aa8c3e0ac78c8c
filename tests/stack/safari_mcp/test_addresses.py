"""URLs: normalised as a browser does it, or refused with what to write instead."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stack.errors import CallError
from stack.safari_mcp.addresses import LONGEST, page_url, web_url

NORMAL = [
    # given, as a browser writes it (WHATWG URL standard)
    ("http://shop.test", "http://shop.test/"),
    ("HTTP://Shop.TEST/A", "http://shop.test/A"),
    ("https://shop.test:443/", "https://shop.test/"),
    ("http://shop.test:80", "http://shop.test/"),
    ("http://shop.test:0080/", "http://shop.test/"),
    ("http://shop.test:443/", "http://shop.test:443/"),
    ("http://shop.test:/", "http://shop.test/"),
    ("http://shop.test:0/", "http://shop.test:0/"),
    ("http://shop.test?a=1#b", "http://shop.test/?a=1#b"),
    ("http://shop.test#", "http://shop.test/#"),
    ("http://shop.test/a/./b/../c", "http://shop.test/a/c"),
    ("http://shop.test/a/%2E%2e/c/..", "http://shop.test/"),
    ("http://shop.test/../../a", "http://shop.test/a"),
    ("http://shop.test/a//b/", "http://shop.test/a//b/"),
    ("http://shop.test/é?ü#ß", "http://shop.test/%C3%A9?%C3%BC#%C3%9F"),
    ("http://shop.test/a'\"<>`{}|?'\"<>`{}|#'\"<>`{}|", "http://shop.test/a'%22%3C%3E%60%7B%7D|?%27%22%3C%3E`{}|#'%22%3C%3E%60{}|"),
    ("http://shop.test/%zz%41", "http://shop.test/%zz%41"),
    ("http://127.0.0.1:8080/x", "http://127.0.0.1:8080/x"),
    ("http://[::1]:80/", "http://[::1]/"),
    ("http://[0:0:0:0:0:0:0:1]/", "http://[::1]/"),
    ("http://a_b.shop.test./", "http://a_b.shop.test./"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "normal"), NORMAL)
def test_what_a_browser_makes_of_it(text: str, normal: str) -> None:
    assert web_url(text) == normal
    assert web_url(normal) == normal


REFUSED = [
    "", "shop.test", "javascript:alert(1)", "file:///etc/passwd", "data:text/html,x", "about:blank", "ftp://shop.test/",
    "http:shop.test", "http:/shop.test", "http://", "http:///a", "http://?a", "blob:http://shop.test/1",
    "http://user@shop.test/", "http://user:word@shop.test/", "http://@shop.test/", "https://shop.test@evil.test",
    "http://shop.test:99999/", "http://shop.test:8a/", "http://shop.test: 80/", "http://shöp.test/", "http://[::1/",
    "http://[zz]/", "http://[1:2]/", "http://1/", "http://0x7f.1/", "http://127.1/", "http://256.0.0.1/",
    "http://shop.test/\\a", "http:\\\\shop.test\\", "http://shop.test\\@evil.test/", "http://shop.test/a b",
    " http://shop.test/", "http://shop.test/\n", "http://sh\top.test/", "http://shop.test/a^b",
    "http://shop.test/\ud800", "http://shop.test/?" + "a" * LONGEST, "http://shop.test/?" + "é" * 2000,
]  # fmt: skip


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_refused(text: str) -> None:
    with pytest.raises(CallError) as error:
        web_url(text)
    assert error.value.code == "invalid_url"


def test_the_longest_url() -> None:
    start = "http://shop.test/"
    assert web_url(start + "a" * (LONGEST - len(start)))
    for check in (web_url, page_url):
        with pytest.raises(CallError):
            check(start + "a" * (LONGEST - len(start) + 1))


def test_the_url_of_a_page_is_taken_as_it_is() -> None:
    for text in ("http://shop.test/a^b c", "https://shöp.test/@a", "http://shop.test/?a@b"):
        assert page_url(text) == text
    for text in ("about:blank", "safari-resource:/ErrorPage.html", "http://user@shop.test/", "https://a@b"):
        with pytest.raises(CallError):
            page_url(text)


@settings(max_examples=50)
@given(st.text(max_size=40))
def test_any_text_is_normal_afterwards_or_refused(text: str) -> None:
    codes: list[str] = []
    normal = "http://shop.test/"
    try:
        normal = web_url(normal + text)
    except CallError as error:
        codes.append(error.code)
    assert codes in ([], ["invalid_url"])
    if not codes:
        assert normal.isascii()
        assert normal.startswith("http://shop.test/")
        assert web_url(normal) == normal
