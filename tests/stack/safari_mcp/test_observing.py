"""The tools that look: what they send, what they give back, and when they give nothing back."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from stack.safari_mcp import SafariMcp
from tests.stack.scripted_safaridriver import SHOP, SafariDriver, Tab, call, first_tab, said, staged, texts
from tests.stack.staging import play

WAYS: dict[str, dict[str, Any]] = {
    "read": {}, "snapshot": {}, "find": {"selector": "a"}, "inspect": {"selector": "a"},
    "wait": {"expectedUrl": SHOP, "selector": "a"}, "screenshot": {}, "console": {}, "network": {},
}  # fmt: skip
LOOK = {
    "snapshot": "get_page_content", "screenshot": "screenshot", "console": "browser_console_messages",
    "network": "list_network_requests",
}  # fmt: skip


def looked(driver: SafariDriver, work: Callable[[SafariMcp, dict[str, Any]], Awaitable[Any]]) -> Any:
    """What `work` gives, with a stack and its first tab."""

    async def main() -> Any:
        driver.tabs or driver.add()
        async with staged(driver) as (_, stack):
            return await work(stack, await first_tab(stack))

    return play(main)


@pytest.mark.parametrize("tool", WAYS)
def test_the_exact_tab_is_selected_and_looked_at_before_and_after(tool: str) -> None:
    driver = SafariDriver()
    driver.add()
    driver.add("http://other.test/")
    reply = looked(driver, lambda stack, target: call(stack, tool, **target, **WAYS[tool]))
    assert reply.outcome == "done"
    look = LOOK.get(tool, "evaluate_javascript")
    assert driver.names[1:] == ["list_tabs", "switch_tab", "page_info", look, "page_info", "list_tabs"]
    assert dict(driver.calls)["switch_tab"] == {"handle": "page-1"}
    assert "Untrusted" in said(reply)["note"]


def elsewhere(driver: SafariDriver, at: int) -> None:
    """From the page_info of that number on the tab is elsewhere."""
    seen = [0]

    def info(_: Any) -> list[Any]:
        seen[0] += 1
        return [texts(json.dumps({"url": SHOP if seen[0] < at else "http://shop.test/b"}))]

    driver.answers["page_info"] = info


@pytest.mark.parametrize("tool", WAYS)
def test_a_tab_that_moves_gives_nothing_back(tool: str) -> None:
    driver = SafariDriver()
    elsewhere(driver, 2)
    reply = looked(driver, lambda stack, target: call(stack, tool, **target, **WAYS[tool]))
    assert (reply.outcome, reply.code) == ("refused", "page_moved")


@pytest.mark.parametrize(
    "last", ["[]", '[{"handle": "page-1", "url": "http://shop.test/b"}]', '[{"handle": "page-1"}]']
)
def test_nor_does_one_that_is_gone_or_listed_elsewhere(last: str) -> None:
    driver = SafariDriver()
    lists = iter([None, None, last])

    def listed(_: Any) -> list[Any]:
        text = next(lists)
        return [texts(text or '[{"handle": "page-1", "url": "http://shop.test/"}]')]

    driver.answers["list_tabs"] = listed
    reply = looked(driver, lambda stack, target: call(stack, "read", **target))
    assert (reply.outcome, reply.code) == ("refused", "page_moved")


def test_nor_does_a_page_that_is_not_what_the_driver_says() -> None:
    driver = SafariDriver()
    driver.add(real="http://shop.test/b")
    reply = looked(driver, lambda stack, target: call(stack, "read", **target))
    assert (reply.outcome, reply.code) == ("refused", "page_moved")


def test_what_is_sent() -> None:
    driver = SafariDriver()

    async def work(stack: SafariMcp, target: dict[str, Any]) -> None:
        await call(stack, "snapshot", **target)
        await call(stack, "snapshot", **target, entirePage=True)
        await call(stack, "screenshot", **target)
        await call(stack, "screenshot", **target, fullPage=True)
        await call(stack, "console", **target)
        await call(stack, "console", **target, limit=3)
        await call(stack, "network", **target)
        await call(stack, "network", **target, urlSubstring="x")

    looked(driver, work)
    sent = [arguments for name, arguments in driver.calls if name in LOOK.values()]
    tree = {
        "format": "textTree", "region": "viewport", "nodeIds": "interactive", "includeAccessibilityAttributes": True,
        "includeURLs": True, "includeRects": True, "includeSubframes": False, "maxWordsPerParagraph": 30,
    }  # fmt: skip
    logs = {"clear": False, "tab_handle": "page-1"}
    assert sent == [
        tree, {**tree, "region": "entire_page"}, {"full_page": False}, {"full_page": True},
        {**logs, "limit": 100}, {**logs, "limit": 3}, logs, {**logs, "filter": {"url_substring": "x"}},
    ]  # fmt: skip


def test_the_data_of_the_page_programs() -> None:
    given: list[Any] = []

    def keep(data: dict[str, Any], _: Tab) -> dict[str, Any]:
        given.append(data)
        return {"matches": [], "scanned": 0, "truncated": False}

    driver = SafariDriver(pages={"find": keep, "read": keep})

    async def work(stack: SafariMcp, target: dict[str, Any]) -> None:
        await call(stack, "read", **target)
        await call(stack, "read", **target, maxChars=1, maxLinks=2)
        await call(stack, "find", **target, text="ÄB")
        await call(stack, "find", **target, selector="a", limit=7)
        await call(stack, "inspect", **target, selector="a")

    looked(driver, work)
    assert given == [
        {"chars": 8000, "links": 20}, {"chars": 1, "links": 2},
        {"selector": None, "text": "äb", "limit": 20, "scan": 2000},
        {"selector": "a", "text": None, "limit": 7, "scan": 2000},
        {"selector": "a", "text": None, "limit": 2, "scan": 2000},
    ]  # fmt: skip


@pytest.mark.parametrize("data", [
    {}, {"matches": {}, "truncated": False}, {"matches": [], "truncated": 0}, {"matches": [1] * 3, "truncated": False},
])  # fmt: skip
def test_rows_that_the_program_does_not_give(data: dict[str, Any]) -> None:
    driver = SafariDriver(pages={"find": lambda *_: data})
    reply = looked(driver, lambda stack, target: call(stack, "find", **target, text="x", limit=2))
    assert (reply.outcome, reply.code) == ("refused", "page_malformed")


@pytest.mark.parametrize(("count", "truncated", "code"), [
    (0, False, "no_single_match"), (1, False, None), (2, False, "no_single_match"), (1, True, "no_single_match"),
    (2, True, "no_single_match"),
])  # fmt: skip
def test_exactly_one_is_inspected(count: int, truncated: bool, code: str | None) -> None:
    driver = SafariDriver(pages={"find": lambda *_: {"matches": [{}] * count, "truncated": truncated, "scanned": 1}})
    reply = looked(driver, lambda stack, target: call(stack, "inspect", **target, selector="a"))
    assert reply.code == code


@pytest.mark.parametrize(("data", "code"), [
    ({"matched": 1, "href": "http://shop.test/x", "truncated": False}, None),
    ({"matched": 0, "href": None, "truncated": False}, "no_single_match"),
    ({"matched": 2, "href": "http://shop.test/x", "truncated": False}, "no_single_match"),
    ({"matched": 1, "href": "http://shop.test/x", "truncated": True}, "no_single_match"),
    ({"matched": 1, "href": 3, "truncated": False}, "no_single_match"),
    ({"matched": 1, "href": "javascript:x", "truncated": False}, "invalid_url"),
])  # fmt: skip
def test_exactly_one_link_is_followed(data: dict[str, Any], code: str | None) -> None:
    driver = SafariDriver(pages={"link": lambda *_: data})
    reply = looked(driver, lambda stack, target: call(stack, "follow_link", **target, expectedUrl=SHOP, selector="a"))
    assert reply.code == code
    assert ("create_tab" in driver.names) is (code is None)


def test_a_link_of_another_page_is_not_followed() -> None:
    driver = SafariDriver()
    other = f"{SHOP}other"
    reply = looked(driver, lambda stack, target: call(stack, "follow_link", **target, expectedUrl=other, selector="a"))
    assert (reply.outcome, reply.code) == ("refused", "page_moved")
    assert "create_tab" not in driver.names


def nothing(_: Any, __: Tab) -> dict[str, Any]:
    return {"matches": [], "scanned": 0, "truncated": False}


@pytest.mark.parametrize(("timeout_ms", "looks"), [(0, 1), (100, 2), (200, 2), (500, 4)])
def test_a_wait_looks_at_once_and_then_every_200_ms(timeout_ms: int, looks: int) -> None:
    driver = SafariDriver(pages={"find": nothing})
    more = {"expectedUrl": SHOP, "text": "x", "timeoutMs": timeout_ms}
    reply = looked(driver, lambda stack, target: call(stack, "wait", **target, **more))
    assert (reply.outcome, reply.code) == ("refused", "wait_timeout")
    assert driver.names.count("evaluate_javascript") == looks


def test_a_wait_ends_where_the_page_is_elsewhere() -> None:
    driver = SafariDriver(pages={"find": nothing})
    more = {"expectedUrl": f"{SHOP}b", "text": "x"}
    reply = looked(driver, lambda stack, target: call(stack, "wait", **target, **more))
    assert (reply.outcome, reply.code) == ("refused", "page_moved")


def test_a_hundred_tabs_at_the_most() -> None:
    driver = SafariDriver()
    for _ in range(101):
        driver.add()
    reply = looked(driver, lambda stack, _: call(stack, "tabs"))
    assert len(said(reply)["tabs"]) == 100
    assert said(reply)["truncated"] is True


def test_a_tab_without_url_and_title() -> None:
    driver = SafariDriver({"list_tabs": [texts('[{"handle": "a"}]')]})
    reply = looked(driver, lambda stack, _: call(stack, "tabs"))
    (tab,) = said(reply)["tabs"]
    assert set(tab) == {"targetId", "epoch"}


@pytest.mark.parametrize("text", ["{}", "[]", '{"url": 1}'])
def test_a_page_without_a_url(text: str) -> None:
    driver = SafariDriver({"page_info": [texts(text)]})
    reply = looked(driver, lambda stack, target: call(stack, "read", **target))
    assert (reply.outcome, reply.code) == ("refused", "driver_malformed")
