"""Facts about console and network (1.3 and 1.4)."""

from __future__ import annotations

from tests.fakes.safaridriver.client import Connect
from tests.fakes.safaridriver.pages import LOCAL, SHOP


async def check_safaridriver_console_drains(connect: Connect) -> None:
    """Reading clears the buffer, unless told not to (1.3)."""
    async with connect() as client:
        await client.open(SHOP)
        kept = await client.value("browser_console_messages", clear=False)
        assert [message["text"] for message in kept["messages"]] == ["first", "second"], kept
        assert {"level", "text", "url", "line"} <= set(kept["messages"][0]), kept
        assert await client.value("browser_console_messages") == kept
        assert (await client.value("browser_console_messages"))["messages"] == []


async def check_safaridriver_console_filters(connect: Connect) -> None:
    async with connect() as client:
        handle = await client.open(SHOP)
        arguments = {"clear": False, "tab_handle": handle}
        some = await client.value("browser_console_messages", level_filter=["error"], **arguments)
        assert [message["level"] for message in some["messages"]] == ["error"], some
        last = await client.value("browser_console_messages", limit=1, **arguments)
        assert [message["text"] for message in last["messages"]] == ["second"], last


async def check_safaridriver_network_is_armed(connect: Connect) -> None:
    """Recording begins with the first look, which is empty (1.3)."""
    async with connect() as client:
        await client.open(SHOP)
        assert await client.value("list_network_requests") == {"count": 0, "requests": []}
        await client.act("click", node=await client.uid("Ask for more"))
        listed = await client.until(lambda listed: listed["count"] == 1, "list_network_requests")
        (request,) = listed["requests"]
        assert request["method"] == "POST" and request["url"] == SHOP + "late.json", request
        assert sorted(request) == [
            "duration_ms", "initiator", "method", "mime_type", "request_id", "response_size_bytes", "status", "url",
        ], request  # fmt: skip
        assert request["request_id"].count(".") == 1 and set(request["initiator"]) == {"type"}, request
        details = await client.value("get_network_request", request_id=request["request_id"])
        assert details["url"] == request["url"] and "body" in details, details
        await client.failed("get_network_request", request_id="9.9999")


async def check_safaridriver_network_filters(connect: Connect) -> None:
    """By part of the URL and by method in any case, by status; clear drains (1.3)."""
    async with connect() as client:
        await client.open(SHOP)
        await client.done("list_network_requests")
        await client.done("navigate_to_url", url=SHOP)
        # the page's script asks for the second one, and no load waits for a script
        await client.until(lambda listed: listed["count"] == 2, "list_network_requests")
        for rules, count in (
            ({"url_substring": "EARLY"}, 1),
            ({"method": "get"}, 2),
            ({"method": "PUT"}, 0),
            ({"status_min": 400}, 0),
            ({"status_max": 299}, 2),
        ):
            listed = await client.value("list_network_requests", filter=rules)
            assert listed["count"] == count, (rules, listed)
        assert (await client.value("list_network_requests", clear=True))["count"] == 2
        assert (await client.value("list_network_requests"))["count"] == 0


async def check_safaridriver_loopback(connect: Connect) -> None:
    """Requests to this machine are recorded on 27.0 and are not on Technology Preview, as the sources have it (1.6)."""
    async with connect() as client:
        await client.open(SHOP)
        await client.done("list_network_requests")
        await client.done("navigate_to_url", url=LOCAL)
        count = (await client.value("list_network_requests"))["count"]
        assert count == (1 if client.profile == "27.0" else 0), count
