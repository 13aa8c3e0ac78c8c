"""Console, network and dialogs beyond what the checks say."""

from __future__ import annotations

import pytest

from fakes.fronts.safaridriver_logs import BEGAN_S, _seconds
from fakes.fronts.safaridriver_session import ToolError
from tests.fakes.fronts.drive_safari import drive
from tests.fakes.safaridriver.client import Client
from tests.fakes.safaridriver.pages import LOCAL, SECOND, SHOP


@pytest.mark.parametrize(("text", "seconds"), [
    ("2026-09-01T00:00:00Z", BEGAN_S),
    ("2026-09-01", BEGAN_S),
    ("1970-01-01T00:00:01.5Z", 1.5),
    ("2024-02-29T12:00:00Z", 1709208000),
    ("2000-03-01T00:00:00Z", 951868800),
])  # fmt: skip
def test_times(text: str, seconds: float) -> None:
    assert _seconds(text) == seconds


@pytest.mark.parametrize("text", ["yesterday", "2026-09", "2026-09-01T1Z"])
def test_what_is_no_time(text: str) -> None:
    with pytest.raises(ToolError):
        _seconds(text)


def test_requests_since() -> None:
    async def body(client: Client) -> None:
        await client.open(SHOP)
        await client.done("list_network_requests")
        await client.done("navigate_to_url", url=SHOP)
        for since, count in (("2026-09-01T00:00:00Z", 2), ("2026-09-01T01:00:00Z", 0)):
            assert (await client.value("list_network_requests", since=since))["count"] == count
        await client.failed("list_network_requests", since="now")

    drive(body)


def test_tabs_that_came_after_the_first_look_are_recorded_from_their_beginning() -> None:
    async def body(client: Client) -> None:
        assert "No request" in await client.failed("get_network_request", request_id="0.1")
        first = await client.open(SHOP)
        await client.done("list_network_requests")
        await client.open(SECOND)
        assert (await client.value("list_network_requests"))["count"] == 1
        assert (await client.value("list_network_requests", tab_handle=first))["count"] == 0
        assert "No request" in await client.failed("get_network_request", request_id="0.1")

    drive(body)


def test_loopback_with_and_without_a_port() -> None:
    async def body(client: Client) -> None:
        await client.open(SHOP)
        await client.done("list_network_requests")
        for url in (LOCAL, "http://localhost/", SECOND):
            await client.done("navigate_to_url", url=url)
        listed = await client.value("list_network_requests")
        assert [request["url"] for request in listed["requests"]] == [SECOND]

    drive(body, loopback="lost", world={"pages": {SHOP: {}, SECOND: {}, LOCAL: {}, "http://localhost/": {}}})


def test_the_console_as_a_list_and_without_a_page() -> None:
    async def body(client: Client) -> None:
        await client.done("create_tab")
        assert "No page is loaded" in await client.failed("browser_console_messages")
        await client.open(SHOP)
        messages = await client.value("browser_console_messages", limit=9999, clear=False)
        assert [message["level"] for message in messages] == ["warn", "error"]
        assert await client.value("browser_console_messages", limit=0) == []

    drive(body, console="list")


def test_dialogs_that_are_not_there() -> None:
    async def body(client: Client) -> None:
        assert "No active tab" in await client.failed("browser_dialogs", action="list")
        await client.open(SHOP)
        assert await client.value("browser_dialogs", action="list") == {"dialogs": []}
        assert "No dialog is open" in await client.failed("browser_dialogs", action="dismiss")
        assert "Missing required 'action'" in await client.failed("browser_dialogs", action="close")

    drive(body)
