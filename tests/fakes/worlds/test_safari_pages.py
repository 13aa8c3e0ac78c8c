"""Which page an URL leads to."""

from __future__ import annotations

import pytest

from fakes.settings import SettingsProblem
from fakes.worlds.safari_pages import Pages


def test_exact_prefix_missing_and_unknown() -> None:
    pages = Pages({
        "http://a.test": {"title": "root"}, "http://a.test/x*": {"title": "prefix"},
        "http://a.test/xy*": {"title": "longer"},
        "http://a.test/twice": [{"title": "first"}, {"title": "then"}],
    })  # fmt: skip
    titles = [pages.look_up(url)["title"] for url in (
        "http://a.test/", "http://a.test/#frag", "http://a.test/xz?q", "http://a.test/xyz", "http://a.test/none",
        "http://a.test/twice", "http://a.test/twice", "http://a.test/twice", "about:blank",
    )]  # fmt: skip
    assert titles == ["root", "root", "prefix", "longer", "404 Not Found", "first", "then", "then", ""]
    assert pages.look_up("http://a.test/none")["status"] == 404
    assert pages.look_up("http://b.test/")["fails"] == "host" and pages.look_up("file:///x")["fails"] == "host"
    assert sorted(pages.all()) == ["http://a.test/", "http://a.test/twice", "http://a.test/x*", "http://a.test/xy*"]


@pytest.mark.parametrize("url", ["a.test", "http://a.test/#x", "about:blank"])
def test_urls_that_no_page_can_have(url: str) -> None:
    with pytest.raises(SettingsProblem):
        Pages({url: {}})


def test_an_empty_list_is_no_page() -> None:
    with pytest.raises(SettingsProblem):
        Pages({"http://a.test/": []})
