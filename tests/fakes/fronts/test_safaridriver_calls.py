"""Calls about tabs, and what every call shares: what was shown, where content is put."""

from __future__ import annotations

from tests.fakes.fronts.drive_safari import drive
from tests.fakes.safaridriver.client import Client
from tests.fakes.safaridriver.pages import FORM, SECOND, SHOP, SLOW


def test_what_a_reference_comes_to_stand_for_is_written_once() -> None:
    async def body(client: Client) -> None:
        await client.open(SHOP)
        for _ in range(3):
            await client.value("list_tabs")
            await client.tree()
        await client.done("navigate_to_url", url=FORM)

    model = drive(body)
    shown = [(line["ref"], line["what"].get("node")) for line in model.of("shown")]
    handle = "page-00000000-0000-4000-8000-000000000001"
    assert len(shown) == len(set(shown)) and shown[0] == (handle, None)
    assert [node for _, node in shown[1:]] == [
        "link",
        "buy",
        "ask",
        "gone",
        "again",
        "veiled",
        "n2",
        "name",
        "secret",
        "size",
        "plain",
    ]
    documents = {line["what"]["document"] for line in model.of("shown")[1:]}
    assert documents == {"doc-2", "doc-3"}


def test_the_browser_is_started_with_the_first_tab() -> None:
    async def body(client: Client) -> None:
        assert await client.value("list_tabs") == []
        await client.done("create_tab")
        assert (await client.value("list_tabs"))[0]["url"] == "about:blank"
        await client.done("create_tab", url=SECOND)

    model = drive(body)
    assert [round(line["t"]) for line in model.of("effect")] == [308, 310]
    assert model.of("changed")[0]["what"]["controlled_by"] == "check"


def test_a_session_whose_window_the_user_closed_gets_another() -> None:
    async def body(client: Client) -> None:
        handle = await client.open(SHOP)
        await client.done("close_tab", handle=handle)
        assert await client.value("list_tabs") == []
        await client.open(SHOP)

    model = drive(body)
    assert len(model.of("held")) == 2 and len(model.of("freed")) == 1


def test_a_wait_for_a_load_that_is_too_long() -> None:
    async def body(client: Client) -> None:
        await client.done("create_tab", url=SLOW)
        assert "30 seconds" in await client.failed("wait_for_navigation")
        assert (await client.value("page_info"))["loadingState"] == "loading"
        await client.done("wait_for_navigation", timeout_seconds=60)
        assert (await client.value("page_info"))["loadingState"] == "complete"

    drive(body)


def test_sizes_decide_whether_content_is_put_into_a_file() -> None:
    async def body(client: Client) -> None:
        await client.open(SECOND)
        assert (await client.value("get_page_content"))["content"].endswith(" ")
        text = (await client.done("get_page_content", savePath="/tmp/x")).text
        assert text.startswith("Saved output to '/tmp/x' (0."), text

    drive(body, padding=10)

    async def large(client: Client) -> None:
        await client.open(SECOND)
        text = (await client.done("get_page_content")).text
        assert text.startswith("Saved large output to '/private/tmp/com.apple.Safari.MCP/1/content-1.json' ("), text

    drive(large, spill_bytes=50)
