"""The tools that change something: once, and read back."""

from __future__ import annotations

import json
from typing import Any

import anyio
import pytest

from tests.stack.scripted_safaridriver import SHOP, SafariDriver, call, first_tab, said, seen_tab, staged, texts
from tests.stack.staging import play

SCROLL: dict[str, Any] = {"type": "scroll", "purpose": "p", "scrollDelta": {"x": 0, "y": 5}}
B = "http://shop.test/b"


def one(driver: SafariDriver, tool: str, **arguments: Any) -> Any:
    async def main() -> Any:
        driver.tabs or driver.add()
        async with staged(driver) as (_, stack):
            named = "node" in arguments.get("action", {})
            return await call(stack, tool, **await (seen_tab if named else first_tab)(stack), **arguments)

    return play(main)


def test_an_action_is_sent_as_it_was_given() -> None:
    driver = SafariDriver()
    action = {"type": "type", "purpose": "p", "node": "3", "value": "é\n", "replaceAll": True}
    reply = one(driver, "interact", expectedUrl=SHOP, action=action)
    assert reply.outcome == "done"
    assert dict(driver.calls)["page_interactions"] == {"interactions": [action]}
    assert said(reply)["urlChanged"] is False


def test_an_interaction_that_leads_elsewhere_says_where() -> None:
    driver = SafariDriver()

    def go(_: Any) -> list[Any]:
        driver.tab.url = B
        return [texts('{"requested": 1, "successful": 1}')]

    driver.answers["page_interactions"] = go
    reply = one(driver, "interact", expectedUrl=SHOP, action=SCROLL)
    assert (reply.outcome, reply.code) == ("done", None)
    assert (said(reply)["url"], said(reply)["urlChanged"]) == (B, True)


@pytest.mark.parametrize("after", ["[]", json.dumps([{"handle": "page-1", "url": B}])])
def test_a_context_that_changed_is_said_and_not_repaired(after: str) -> None:
    driver = SafariDriver()
    lists = iter(['[{"handle": "page-1"}]', '[{"handle": "page-1"}]', after])
    driver.answers["list_tabs"] = lambda _: [texts(next(lists))]
    reply = one(driver, "interact", expectedUrl=SHOP, action=SCROLL)
    assert (reply.outcome, reply.code) == ("done", "context_changed")
    assert driver.names[-3:] == ["page_interactions", "page_info", "list_tabs"]


@pytest.mark.parametrize("tool", ["interact", "navigate"])
def test_a_page_that_is_elsewhere_is_not_touched(tool: str) -> None:
    driver = SafariDriver()
    more = {"action": SCROLL} if tool == "interact" else {"url": SHOP}
    reply = one(driver, tool, expectedUrl=B, **more)
    assert (reply.outcome, reply.code) == ("refused", "page_moved")
    assert driver.names[-1] == "page_info"


def test_a_navigation_is_sent_once_and_waited_for() -> None:
    driver = SafariDriver()
    reply = one(driver, "navigate", expectedUrl=SHOP, url="http://shop.test/a/../b")
    assert said(reply)["url"] == B
    assert [arguments for name, arguments in driver.calls if name == "navigate_to_url"] == [
        {"url": B, "tab_uuid": "page-1"}
    ]


def test_what_it_may_show_before_it_arrives() -> None:
    driver = SafariDriver(pages={})
    seen = iter([SHOP, B])

    def ready(_: Any, tab: Any) -> dict[str, Any]:
        tab.real = next(seen)
        return {"state": "complete"}

    driver.pages["ready"] = ready
    assert one(driver, "navigate", expectedUrl=SHOP, url=B).code is None


def test_a_navigation_whose_tab_is_gone_afterwards() -> None:
    driver = SafariDriver()

    def go(_: Any) -> list[Any]:
        driver.tabs.clear()
        return [texts("{}")]

    driver.answers["navigate_to_url"] = go
    reply = one(driver, "navigate", expectedUrl=SHOP, url=B)
    assert (reply.outcome, reply.code) == ("done", "context_changed")


@pytest.mark.parametrize(("tool", "sent"), [("close", "close_tab"), ("activate", "switch_tab")])
def test_exactly_this_tab(tool: str, sent: str) -> None:
    driver = SafariDriver()
    driver.add()
    driver.add()
    reply = one(driver, tool)
    assert reply.outcome == "done"
    assert driver.calls[1:] == [("list_tabs", {}), (sent, {"handle": "page-1"})]


def test_closing_what_is_gone_is_no_error_and_closes_nothing() -> None:
    driver = SafariDriver()
    lists = iter(['[{"handle": "page-1"}]', "[]"])
    driver.answers["list_tabs"] = lambda _: [texts(next(lists))]
    reply = one(driver, "close")
    assert (reply.outcome, reply.code, said(reply)["status"]) == ("refused", None, "already-absent")
    assert "close_tab" not in driver.names


@pytest.mark.parametrize(("steps", "outcome", "code"), [
    ([texts("Tool error: no", failed=True)], "refused", "driver_failed"), ([], "unknown", "operation_timeout"),
])  # fmt: skip
def test_a_close_that_fails_is_not_repeated(steps: list[Any], outcome: str, code: str) -> None:
    driver = SafariDriver({"close_tab": steps})
    reply = one(driver, "close")
    assert (reply.outcome, reply.code) == (outcome, code)
    assert driver.names.count("close_tab") == 1


def test_a_list_that_is_none_ends_a_close() -> None:
    driver = SafariDriver()
    lists = iter(['[{"handle": "page-1"}]', "{}"])
    driver.answers["list_tabs"] = lambda _: [texts(next(lists))]
    assert one(driver, "close").code == "tab_list_malformed"


def test_a_stale_target_is_not_closed() -> None:
    driver = SafariDriver()

    async def main() -> None:
        driver.add()
        async with staged(driver) as (host, stack):
            target = await first_tab(stack)
            host.processes[0].exit(0)
            await anyio.sleep(0.1)
            reply = await call(stack, "close", **target)
            assert (reply.outcome, reply.code) == ("refused", "stale_target")

    play(main)
