"""A search, and what becomes of its tab."""

from __future__ import annotations

from typing import Any

import anyio
import pytest

from stack.errors import ProtocolError, StackError
from stack.safari_mcp.page_programs import PageAnswer
from stack.safari_mcp.searching import read_results, search_url
from tests.stack.scripted_host import ScriptedCaller
from tests.stack.scripted_safaridriver import Exit, SafariDriver, call, error, said, staged, texts
from tests.stack.staging import play

ROW = {"title": "t", "url": "http://a.test/", "snippet": ""}


def searched(driver: SafariDriver, **arguments: Any) -> Any:
    async def main() -> Any:
        async with staged(driver) as (_, stack):
            return await call(stack, "search", **{"query": "q", **arguments})

    return play(main)


@pytest.mark.parametrize(("arguments", "url"), [
    ({"query": "a b"}, "?q=a%20b&kl=wt-wt"),
    ({"query": "a&b=c'é/?#"}, "?q=a%26b%3Dc%27%C3%A9%2F%3F%23&kl=wt-wt"),
    ({"query": "a", "region": "de-de", "time": "any"}, "?q=a&kl=de-de"),
    ({"query": "a", "time": "y"}, "?q=a&kl=wt-wt&df=y"),
])  # fmt: skip
def test_the_url_of_a_search(arguments: dict[str, Any], url: str) -> None:
    assert search_url(arguments) == f"https://html.duckduckgo.com/html/{url}"


def test_rows_are_ranked() -> None:
    other = {**ROW, "url": "http://b.test/"}
    driver = SafariDriver(pages={"search": lambda *_: {"results": [ROW, other], "truncated": True}})
    found = said(searched(driver))
    assert [row["rank"] for row in found["results"]] == [1, 2]
    assert (found["truncated"], found["cleanup"]) == (True, {"status": "closed"})
    assert "empty" not in found
    assert driver.tabs == []


@pytest.mark.parametrize("data", [
    {}, {"results": {}, "truncated": False}, {"results": [], "truncated": 0},
    {"results": [ROW] * 6, "truncated": False},
    {"results": [ROW, ROW], "truncated": False}, {"results": [1], "truncated": False},
    {"results": [{**ROW, "title": "t" * 301}], "truncated": False},
    {"results": [{**ROW, "snippet": "s" * 601}], "truncated": False},
    {"results": [{**ROW, "url": "http://a.test/" + "u" * 2048}], "truncated": False},
    {"results": [{**ROW, "url": "javascript:x"}], "truncated": False},
    {"results": [{**ROW, "url": "http://user@a.test/"}], "truncated": False},
    {"results": [{"title": "t", "url": "http://a.test/"}], "truncated": False},
])  # fmt: skip
def test_a_page_that_answers_something_else(data: dict[str, Any]) -> None:
    with pytest.raises(StackError) as caught:
        read_results(PageAnswer("u", data), "u", 5)
    assert caught.value.code in ("page_malformed", "invalid_url")
    driver = SafariDriver(pages={"search": lambda *_: data})
    reply = searched(driver)
    assert (reply.outcome, reply.is_error) == ("refused", True)
    assert reply.evidence["cleanup"] == "closed"


def test_a_limit_that_is_no_number_is_a_defect() -> None:
    with pytest.raises(ProtocolError):
        read_results(PageAnswer("u", {"results": [], "truncated": False}), "u", "5")


def test_a_page_that_is_another_one_when_it_is_read() -> None:
    driver = SafariDriver()

    def away(_: Any, tab: Any) -> dict[str, Any]:
        tab.real = "http://evil.test/"
        return {"results": [], "truncated": False}

    driver.pages["search"] = away
    reply = searched(driver)
    assert (reply.outcome, reply.code) == ("refused", "page_malformed")
    assert "cleanup: closed" in said(reply)


@pytest.mark.parametrize(("answers", "outcome", "code", "cleanup"), [
    ({"create_tab": []}, "unknown", "tab_unidentified", "unidentified"),
    ({"create_tab": [texts("made")]}, "unknown", "tab_unidentified", "unidentified"),
    ({"create_tab": [texts("Tool error: no", failed=True)]}, "refused", "driver_failed", "not-needed"),
    ({"search": [texts("x")]}, "refused", "page_malformed", "closed"),
    ({"search": [Exit(1)]}, "unknown", "driver_closed", "skipped-retired-epoch"),
    ({"search": []}, "unknown", "operation_timeout", "skipped-retired-epoch"),
    ({"search": [texts("x")], "close_tab": [error(-1, "no")]}, "unknown", "page_malformed", "failed"),
    ({"search": [texts("x")], "close_tab": []}, "unknown", "page_malformed", "failed"),
])  # fmt: skip
def test_what_becomes_of_the_tab_when_it_fails(answers: dict[str, Any], outcome: str, code: str, cleanup: str) -> None:
    driver = SafariDriver(answers)
    reply = searched(driver)
    assert (reply.outcome, reply.code, reply.evidence.get("cleanup")) == (outcome, code, cleanup)
    assert driver.names.count("close_tab") == (cleanup in ("closed", "failed"))
    if code != "operation_timeout" and cleanup != "unidentified":
        assert f"cleanup: {cleanup}" in said(reply)


def test_a_tab_that_is_gone_already() -> None:
    driver = SafariDriver()

    def gone(_: Any, tab: Any) -> dict[str, Any]:
        return {"results": [], "truncated": False}

    lists = iter([None, None, None, "[]"])

    def listed(_: Any) -> list[Any]:
        text = next(lists)
        row = f'[{{"handle": "page-1", "url": "{driver.tabs[0].url}"}}]'
        return [texts(text or row)]

    driver.pages["search"] = gone
    driver.answers["list_tabs"] = listed
    assert said(searched(driver))["cleanup"] == {"status": "already-absent"}
    assert "close_tab" not in driver.names


def test_a_search_that_is_taken_back_closes_its_tab() -> None:
    driver = SafariDriver(pages={"ready": lambda *_: {"state": "loading"}})

    async def main() -> None:
        async with staged(driver) as (_, stack):
            with anyio.move_on_after(3.01):
                reply = await stack.call("search", {"query": "q"}, ScriptedCaller())
            assert (reply.outcome, reply.code, reply.evidence["cleanup"]) == ("refused", "cancelled", "closed")
            assert driver.tabs == []
            assert (await stack.status())["epoch"] is not None

    play(main)


def test_a_cleanup_has_three_seconds() -> None:
    driver = SafariDriver({"search": [texts("x")], "close_tab": []})

    async def main() -> None:
        async with staged(driver) as (_, stack):
            began = anyio.current_time()
            await call(stack, "search", query="q")
            assert anyio.current_time() - began == pytest.approx(3, abs=0.01)

    play(main)
