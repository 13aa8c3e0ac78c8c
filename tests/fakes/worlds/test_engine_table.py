"""Definitions as the page server's table: what HTML can't say is in it, and every address that a page asks for."""

from __future__ import annotations

from typing import Any

import pytest

from fakes.worlds.engine_table import table
from fakes.worlds.safari_pages import Pages


def made(**pages: Any) -> dict[str, Any]:
    return table(Pages({f"http://shop.test/{name}": page for name, page in pages.items()}).all())


HTML = [["Content-Type", "text/html; charset=utf-8"]]
CASES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "plain": ({"body": ["hi"]}, {"status": 200, "delay_ms": 5, "headers": HTML}),
    "status": ({"status": 404, "commit_ms": 1}, {"status": 404, "delay_ms": 1}),
    "redirect": ({"redirect": "/b"}, {"status": 302, "headers": [["Location", "/b"]]}),
    "another redirect": ({"redirect": "/b", "status": 307}, {"status": 307}),
    "fails": ({"fails": "refused"}, {"refused": True}),
}


@pytest.mark.parametrize(("page", "entry"), CASES.values(), ids=CASES)
def test_a_page_is_delivered_as_its_definition_says(page: dict[str, Any], entry: dict[str, Any]) -> None:
    assert made(a=page)["http://shop.test/a"].items() >= entry.items()


def test_a_list_of_pages_has_one_turn_a_load() -> None:
    turns = made(a=[{"title": "One"}, {"title": "Two"}])["http://shop.test/a"]["turns"]
    assert ["<title>One</title>" in turns[0]["body"], "<title>Two</title>" in turns[1]["body"]] == [True, True]


def test_what_a_page_fetches_has_an_answer_wherever_the_effect_stands() -> None:
    click = [{"after_ms": 5, "do": [{"fetch": {"url": "/deep", "status": 503, "body": "no", "mime": "text/plain"}}]}]
    found = made(
        **{"x/a": {
            "requests": [{"url": "early"}],
            "timers": [{"after_ms": 1, "do": [{"fetch": {"url": "/timer"}}]}],
            "on": {"load": [{"fetch": {"url": "http://other.test/load"}}]},
            "body": [{"tag": "p", "children": [{"tag": "button", "on": {"click": click}}]}],
        }}
    )  # fmt: skip
    assert found["http://shop.test/deep"]["status"] == 503 and found["http://shop.test/deep"]["body"] == "no"
    assert {"http://shop.test/x/early", "http://shop.test/timer", "http://other.test/load"} <= set(found)


def test_a_page_that_is_also_fetched_stays_a_page() -> None:
    found = made(a={"requests": [{"url": "/b", "body": "{}"}]}, b={"title": "B"})
    assert "<title>B</title>" in found["http://shop.test/b"]["body"]


def test_a_long_load_is_held_back_by_a_picture_that_nobody_sees() -> None:
    found = made(a={"load_ms": 900}, b={"load_ms": 30})
    assert '<img hidden alt="" src="/.held/900"></body>' in found["http://shop.test/a"]["body"]
    assert found["http://shop.test/.held/900"]["delay_ms"] == 900
    assert ".held" not in found["http://shop.test/b"]["body"]
