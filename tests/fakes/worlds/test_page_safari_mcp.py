"""What the five page programs answer on the model."""

from __future__ import annotations

from typing import Any

import pytest

from fakes.worlds.page_safari_mcp import ANSWERS, PROGRAMS, collapsed, cut, units, unwrapped
from harness.wire.jsontext import loads
from tests.fakes.worlds.surf import HOME, surf


def answer(program: str, given: Any, *body: Any, **members: Any) -> Any:
    made, tab = surf(*body, **members)
    reply = loads(str(ANSWERS[f"safari_mcp_{program}"](made.world, tab.document, given)))
    assert isinstance(reply, dict) and reply["program"] == program and reply["url"] == HOME
    return reply.get("data", reply)


def test_every_program_has_an_answer() -> None:
    assert {f"safari_mcp_{name}" for name in PROGRAMS} == set(ANSWERS)


def test_ready() -> None:
    assert answer("ready", {}) == {"state": "complete", "origin": "http://shop.test"}
    made, _ = surf()
    tab = made.open("http://nowhere.test/")
    failed: Any = loads(str(ANSWERS["safari_mcp_ready"](made.world, tab.document, {})))
    assert failed["url"].startswith("safari-resource:") and failed["data"]["origin"].startswith("safari-resource:")


def test_read() -> None:
    body = [
        {"tag": "a", "attributes": {"href": "two"}, "text": " Two  words "},
        {"tag": "a", "attributes": {"href": "/x"}, "hidden": "display", "text": "hidden"},
        {"tag": "a", "attributes": {"href": "mailto:a@b.test"}, "text": "mail"},
        {"tag": "a", "text": "no link"},
        {"tag": "a", "attributes": {"href": "/" + "x" * 3000}, "text": "long"},
        {"shadow": [{"tag": "a", "attributes": {"href": "/dark"}, "text": "dark"}]},
    ]
    data = answer("read", {"chars": 7, "links": 5}, *body)
    assert data["links"] == [{"text": "Two words", "href": HOME + "two"}, {"text": "mail", "href": "mailto:a@b.test"}]
    assert data["linksTruncated"] and data["textTruncated"] and len(data["text"]) == 7 and data["title"] == "Home"
    data = answer("read", {"chars": 10_000, "links": 1}, *body[:3])
    assert len(data["links"]) == 1 and data["linksTruncated"] and not data["textTruncated"]


def test_link() -> None:
    body = [
        {"tag": "a", "attributes": {"href": "/a", "class": "x"}, "text": "a"},
        {"tag": "a", "attributes": {"href": "/b", "class": "x"}, "hidden": "display"},
        {"tag": "p", "attributes": {"class": "x"}},
    ]
    assert answer("link", {"selector": ".x", "scan": 2000}, *body) == {
        "matched": 1,
        "href": HOME + "a",
        "truncated": False,
    }
    assert answer("link", {"selector": ".y", "scan": 2000}, *body) == {"matched": 0, "href": None, "truncated": False}
    assert answer("link", {"selector": ".x", "scan": 2}, *body)["truncated"]
    assert answer("link", {"selector": "..", "scan": 2}, *body) == {
        "program": "link",
        "url": HOME,
        "ok": False,
        "error": "invalid_selector",
    }


def test_find() -> None:
    body = [
        {"tag": "button", "at": [1, 2, 3, 4],
         "attributes": {"id": "go", "aria-label": " Go now ", "role": "switch", "disabled": True}},
        {"tag": "input", "attributes": {"type": "checkbox", "placeholder": "p"}, "checked": True, "value": "secret"},
        {"tag": "p", "text": "Some  TEXT"},
        {"tag": "p", "hidden": "visibility", "text": "some text"},
    ]  # fmt: skip
    plain = {"selector": None, "text": None, "limit": 50, "scan": 2000}
    data = answer("find", {**plain, "selector": "button"}, *body)
    assert data == {"scanned": 1, "truncated": False, "matches": [{
        "tag": "button", "id": "go", "role": "switch", "type": "", "name": "Go now",
        "disabled": True, "checked": False,
        "attributes": {"aria-label": " Go now ", "aria-expanded": "", "aria-checked": "", "placeholder": "",
                       "title": "", "href": ""},
        "rect": {"x": 1, "y": 2, "width": 3, "height": 4}}]}  # fmt: skip
    data = answer("find", {**plain, "text": "some text"}, *body)
    assert [row["tag"] for row in data["matches"]] == ["body", "p"] and data["scanned"] == 5
    data = answer("find", {**plain, "selector": "input"}, *body)
    assert data["matches"][0]["name"] == "" and data["matches"][0]["checked"] and "secret" not in repr(data)
    assert answer("find", {**plain, "limit": 1}, *body)["truncated"]
    assert answer("find", {**plain, "scan": 2}, *body) | {"matches": 0} == {
        "matches": 0,
        "scanned": 2,
        "truncated": True,
    }
    many = [{"tag": "p", "attributes": {"title": "t" * 500}, "text": "n" * 500} for _ in range(60)]
    data = answer("find", {**plain, "selector": "p"}, *many)
    assert data["truncated"] and len(data["matches"]) < 50
    assert answer("find", {**plain, "selector": "["}, *body)["error"] == "invalid_selector"


def result(href: str, title: str = "Title", snippet: str | None = "A  snippet", **container: Any) -> dict[str, Any]:
    children: list[Any] = [
        {"tag": "h2", "children": [{"tag": "a", "attributes": {"href": href, "class": "result__a"}, "text": title}]}
    ]
    if snippet is not None:
        children.append({"attributes": {"class": "result__snippet"}, "text": snippet})
    return {"attributes": {"class": "result"}, "children": children, **container}


def test_search() -> None:
    redirect = "//duckduckgo.com/l/?uddg=http%3A%2F%2Fc.test%2Fx%3Fy%3D1&rut=0"
    body = [
        result("http://a.test/"), result("http://a.test/", "again"), result(redirect, "C", None),
        result("http://ad.test/", attributes={"class": "result result--ad"}),
        result("http://b.test/", children=[{"attributes": {"class": "badge--ad"}}, *result("http://b.test/")["children"]]),
        result("http://h.test/", hidden="display"), result("ftp://f.test/"), result("http://u:p@f.test/"),
        result("http://t.test/", ""),
        result("https://duckduckgo.com/y.js?x"), {"attributes": {"class": "result"}, "text": "no link"}, result("http://z.test/"),
    ]  # fmt: skip
    data = answer("search", {"limit": 10, "containers": 100}, *body)
    assert data["results"] == [
        {"title": "Title", "url": "http://a.test/", "snippet": "A snippet"},
        {"title": "C", "url": "http://c.test/x?y=1", "snippet": ""},
        {"title": "Title", "url": "http://z.test/", "snippet": "A snippet"},
    ]
    assert data["containers"] == len(body) and not data["truncated"]
    assert answer("search", {"limit": 2, "containers": 100}, *body)["truncated"]
    data = answer("search", {"limit": 10, "containers": 2}, *body)
    assert data["containers"] == 2 and data["truncated"] and len(data["results"]) == 1
    assert answer("search", {"limit": 1, "containers": 100}) == {"results": [], "containers": 0, "truncated": False}


@pytest.mark.parametrize(("url", "goal"), [
    ("https://duckduckgo.com/l/?uddg=https%3A%2F%2Fduckduckgo.com%2F", None),
    ("https://html.duckduckgo.com/l/?x=1", None),
    ("https://notduckduckgo.com/l/?uddg=x", "https://notduckduckgo.com/l/?uddg=x"),
    ("http://a.test/" + "x" * 3000, None),
    ("javascript:alert(1)", None),
])  # fmt: skip
def test_unwrapped(url: str, goal: str | None) -> None:
    assert unwrapped(url) == goal


def test_lengths_are_those_of_javascript() -> None:
    assert units("a😀") == 3
    assert cut("a😀b", 2) == "a" and cut("a😀b", 3) == "a😀" and cut("abc", 99) == "abc" and cut("abc", 0) == ""
    assert collapsed(" a \n b ") == "a b"
