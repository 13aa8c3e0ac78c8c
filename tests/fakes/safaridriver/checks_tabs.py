"""Facts about sessions and tabs (1.1, 1.2 and 1.4): own tabs only, popups, acknowledgements, what is active."""

from __future__ import annotations

from tests.fakes.safaridriver.client import Connect, Options
from tests.fakes.safaridriver.pages import POPUP, SECOND, SHOP

USERS = Options(world={"windows": [{"id": 7, "tabs": [{"url": SECOND}, {"url": SHOP}]}]})


async def check_safaridriver_own_tabs_only(connect: Connect) -> None:
    """The user's tabs are in no list, and a fresh session has none."""
    async with connect(USERS) as client:
        assert await client.value("list_tabs") == []
        assert "No active tab" in await client.failed("page_info")
        handle = await client.open(SHOP)
        tabs = await client.value("list_tabs")
        assert [tab["handle"] for tab in tabs] == [handle], tabs


async def check_safaridriver_rows_of_tabs(connect: Connect) -> None:
    async with connect() as client:
        first = await client.open(SHOP)
        second = await client.open(SECOND)
        rows = {tab["handle"]: tab for tab in await client.value("list_tabs")}
        assert set(rows) == {first, second} and first.startswith("page-"), rows
        assert rows[first] == {"handle": first, "title": "Shop", "url": SHOP, "active": False}, rows
        assert rows[second] == {"handle": second, "title": "Second", "url": SECOND, "active": True}, rows


async def check_safaridriver_plain_acknowledgements(connect: Connect) -> None:
    """switch_tab and close_tab answer in plain text, not in JSON; a closed active tab leaves none (1.4)."""
    async with connect() as client:
        first, second = await client.open(SHOP), await client.open(SECOND)
        for tool, handle in (("switch_tab", first), ("close_tab", first)):
            text = (await client.done(tool, handle=handle)).text
            assert text and text[0] not in '{["', text
        assert [tab["handle"] for tab in await client.value("list_tabs")] == [second]
        assert "No active tab" in await client.failed("page_info")


async def check_safaridriver_unknown_handle(connect: Connect) -> None:
    async with connect() as client:
        handle = await client.open(SHOP)
        for tool in ("switch_tab", "close_tab"):
            await client.failed(tool, handle="page-00000000-0000-4000-8000-00000000FFFF")
        assert [tab["handle"] for tab in await client.value("list_tabs")] == [handle]


async def check_safaridriver_lists_popups(connect: Connect) -> None:
    """A tab that a page of the session opened is listed too, and none is active then (1.1, 1.4)."""
    async with connect() as client:
        handle = await client.open(POPUP)
        reply = await client.act("click", node=await client.uid("New tab"))
        assert reply["successful"] == 1, reply
        tabs = await client.value("list_tabs")
        assert [tab["url"] for tab in tabs] == [POPUP, SECOND], tabs
        assert [tab["active"] for tab in tabs] == [False, False], tabs
        await client.done("switch_tab", handle=handle)
        assert [tab["active"] for tab in await client.value("list_tabs")] == [True, False]


async def check_safaridriver_page_info(connect: Connect) -> None:
    async with connect() as client:
        await client.open(SHOP)
        info = await client.value("page_info")
        assert (info["url"], info["title"]) == (SHOP, "Shop") and len(info) == 3, info
