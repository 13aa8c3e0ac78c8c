"""Whether a tab has come to show what it was told to, at every point of time."""

from __future__ import annotations

from typing import Any

import anyio
import pytest

from tests.stack.scripted_safaridriver import SHOP, SafariDriver, Tab, call, said, staged, texts
from tests.stack.staging import play


def opened(driver: SafariDriver, after_s: float = 0, then: dict[str, Any] | None = None) -> tuple[Any, SafariDriver]:
    """The reply to an open whose tab changes some time after it was made."""

    replies: list[Any] = []

    async def main() -> None:
        async with staged(driver) as (_, stack), anyio.create_task_group() as tasks:

            async def change() -> None:
                await anyio.sleep(after_s)
                for name, value in (then or {}).items():
                    setattr(driver.tabs[-1], name, value)

            tasks.start_soon(change)
            replies.append(await call(stack, "open", url=SHOP))

    play(main)
    return replies[0], driver


@pytest.mark.parametrize(("after_s", "code"), [(0.5, None), (11.9, None), (12.1, "load_timeout")])
def test_twelve_seconds(after_s: float, code: str | None) -> None:
    driver = SafariDriver(pages={"ready": lambda _, tab: {"state": tab.ready, "origin": "o"}})
    driver.answers["create_tab"] = lambda given: [texts(f'{{"handle": "{loading(driver, given)}"}}')]
    reply, _ = opened(driver, after_s, {"ready": "complete"})
    assert (reply.outcome, reply.code) == ("done", code)
    assert len(driver.tabs) == 1
    assert "close_tab" not in driver.names


def loading(driver: SafariDriver, given: dict[str, Any], **more: Any) -> str:
    return driver.add(given["arguments"]["url"], **{"ready": "loading", **more}).handle


@pytest.mark.parametrize(("real", "code"), [
    ("http://shop.test/other", "redirected"),
    ("https://shop.test/", "redirected"),
    ("safari-resource:/ErrorPage.html", "not_loaded"),
    ("about:error", "not_loaded"),
    ("about:blank", "load_timeout"),
])  # fmt: skip
def test_where_else_it_can_end(real: str, code: str) -> None:
    driver = SafariDriver()
    driver.answers["create_tab"] = lambda given: [
        texts(f'{{"handle": "{loading(driver, given, ready="complete", real=real)}"}}')
    ]
    reply, _ = opened(driver)
    assert (reply.outcome, reply.code, reply.is_error) == ("done", code, True)
    assert real in said(reply)


def test_a_look_that_is_answered_too_late_is_none() -> None:
    driver = SafariDriver(
        {
            "ready": [
                13.0,
                texts('{"program": "ready", "url": "http://shop.test/", "ok": true, "data": {"state": "complete"}}'),
            ]
        }
    )
    reply, _ = opened(driver)
    assert reply.code == "load_timeout"


def test_the_list_has_the_last_word() -> None:
    driver = SafariDriver(pages={"ready": lambda _, tab: moved(tab)})
    reply, _ = opened(driver)
    assert (reply.outcome, reply.code) == ("done", "redirected")


def moved(tab: Tab) -> dict[str, Any]:
    tab.real, tab.url = tab.url, "http://shop.test/later"
    return {"state": "complete", "origin": "o"}


@pytest.mark.parametrize("text", ["", "Created", "{}", '{"handle": 1}', '{"handle": "a b"}', '{"handle": ""}'])
def test_an_answer_that_names_no_tab(text: str) -> None:
    reply, driver = opened(SafariDriver({"create_tab": [texts(text)]}))
    assert (reply.outcome, reply.code) == ("unknown", "tab_unidentified")
    assert driver.names == ["create_tab"]


@pytest.mark.parametrize(("steps", "outcome", "code"), [
    ([], "unknown", "tab_unidentified"),
    ([{"jsonrpc": "2.0", "id": "$id", "result": None}], "unknown", "tab_unidentified"),
    ([b"{}\n"], "unknown", "tab_unidentified"),
    ([texts("Tool error: no", failed=True)], "refused", "driver_failed"),
])  # fmt: skip
def test_an_answer_that_is_lost_or_none(steps: list[Any], outcome: str, code: str) -> None:
    reply, driver = opened(SafariDriver({"create_tab": steps}))
    assert (reply.outcome, reply.code) == (outcome, code)
    assert driver.names == ["create_tab"]


def test_a_driver_that_has_ended_is_not_written_to() -> None:
    async def main() -> None:
        async with staged() as (host, stack):
            await call(stack, "tabs")
            host.processes[0].exit(0)
            await anyio.sleep(0.1)
            reply = await call(stack, "open", url=SHOP)
            assert (reply.outcome, reply.code) == ("done", None)
            assert len(host.processes) == 2

    play(main)
