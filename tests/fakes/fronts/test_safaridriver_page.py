"""Calls about a page where time, faults or closed tabs come between."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import trio

from harness.serve.scheduler import run_virtual
from tests.fakes.fronts.drive_safari import drive
from tests.fakes.safaridriver.backs import Model
from tests.fakes.safaridriver.client import Client, Options
from tests.fakes.safaridriver.pages import ALERTS, FORM, FRAMED, SECOND, SHOP, button

HANDLE = "page-00000000-0000-4000-8000-000000000001"


def beside(body: Callable[[Client, Any], Awaitable[None]], **world: Any) -> Model:
    """A body that changes the world beside the driver."""
    model = Model()

    async def main() -> None:
        async with model(Options(world=world)) as client:
            await body(client, model.stages[-1].world)

    run_virtual(main, 1)
    return model


def test_a_tab_that_goes_while_a_call_waits() -> None:
    async def body(client: Client, world: Any) -> None:
        for tool, arguments in (
            ("get_page_content", {}),
            ("evaluate_javascript", {"expression": "return document.title"}),
            ("page_interactions", {"interactions": []}),
            ("navigate_to_url", {"url": SECOND, "tab_uuid": HANDLE}),
        ):
            handle = await client.open(SHOP)
            tab = world.tab(handle)
            world.change("user", dialog={"tab": tab.key, "text": "?"})
            blocked = await client.begin(
                tool, **{**arguments, **({"tab_uuid": handle} if "tab_uuid" in arguments else {})}
            )
            await client.value("list_tabs")
            assert not client.answered(blocked), tool
            world.change("user", close_tab=tab.key)
            result = await client.result(blocked)
            assert result.is_error and "No active tab" in result.text, tool

    beside(body)


def test_a_page_that_closes_itself_ends_the_steps() -> None:
    page = {"body": [button("bye", "Bye", {"close": True})]}

    async def body(client: Client, world: Any) -> None:
        await client.open("http://bye.test/")
        uid = await client.uid("Bye")
        step = {"type": "click", "purpose": "x", "node": uid}
        reply = await client.value("page_interactions", interactions=[step, step])
        assert reply == {"requested": 2, "successful": 1, "failureReason": "Browsing context has been detached"}

    beside(body, pages={"http://bye.test/": page})


def test_the_whole_text_where_asked_or_where_most_changed() -> None:
    async def body(client: Client) -> None:
        await client.open(SHOP)
        uid = await client.uid("'Buy'")
        step = {"type": "click", "purpose": "x", "node": uid}
        reply = await client.value("page_interactions", interactions=[step], fullText=True)
        assert "Welcome" in reply["content"] and "diff" not in reply

    drive(body)


def test_a_step_that_is_no_step() -> None:
    async def body(client: Client) -> None:
        await client.open(SHOP)
        for step, missing in ((7, "purpose"), ({"purpose": "x"}, "type"), ({"purpose": "x", "type": "tap"}, "type")):
            assert f"Missing required '{missing}'" in await client.failed("page_interactions", interactions=[step])

    model = drive(body)
    assert [line["verb"] for line in model.of("effect")] == ["open"]


def test_new_numbers_in_a_difference_are_shown() -> None:
    new = {"insert": {"into": "body", "element": {"id": "fresh", "tag": "button", "text": "Fresh"}}}
    page = {"body": [{"tag": "p", "text": f"{n}"} for n in range(9)] + [button("more", "More", new)]}

    async def body(client: Client) -> None:
        await client.open("http://more.test/")
        reply = await client.act("click", node=await client.uid("More"))
        assert "+ button uid=2 'Fresh'" in reply["diff"]

    model = drive(body, world={"pages": {"http://more.test/": page}})
    assert model.of("shown")[-1]["ref"] == f"{HANDLE}/2"


def test_scripts_in_frames_and_values_twice_encoded() -> None:
    async def body(client: Client) -> None:
        await client.open(FRAMED)
        script = "return document.title"
        assert (await client.done("evaluate_javascript", expression=script, frameId="6_1")).text == '"\\"Form\\""'
        assert "No frame" in await client.failed("evaluate_javascript", expression=script, frameId="9_9")
        assert "knows no page program" in await client.failed("evaluate_javascript", expression="return 1")

    drive(body, double=True)


def test_pictures_sizes_and_media() -> None:
    async def body(client: Client) -> None:
        assert "No active tab" in await client.failed("screenshot")
        await client.open(FORM)
        assert "'/tmp/a.png'" in (await client.done("screenshot", savePath="/tmp/a.png")).text
        assert "1x2" in (await client.done("set_viewport_size", width=1, height=2)).text
        assert "print" in (await client.done("set_emulated_media", media="print")).text
        assert "cleared" in (await client.done("set_emulated_media", media="")).text

    media = [line["what"]["media"] for line in drive(body).of("changed") if "media" in line["what"]]
    assert media == ["print", ""]


def test_a_navigation_that_alerts_does_not_return() -> None:
    page = {"on": {"load": [{"alert": "hello"}]}, "load_ms": 0, "commit_ms": 0}

    async def body(client: Client) -> None:
        await client.done("navigate_to_url", url=ALERTS)
        reply = await client.value("navigate_to_url", url="http://hello.test/")
        assert reply["url"] == "http://hello.test/"
        blocked = await client.begin("get_page_content")
        assert (await client.value("browser_dialogs", action="list"))["dialogs"]
        assert not client.answered(blocked)
        await client.done("browser_dialogs", action="dismiss")
        assert not (await client.result(blocked)).is_error

    drive(body, world={"pages": {ALERTS: {}, "http://hello.test/": page}})


def test_a_navigation_answers_before_its_page_where_it_is_set_to() -> None:
    slow = {SHOP: {"title": "Shop"}, SECOND: {"title": "Second", "commit_ms": 2000, "load_ms": 3000}}

    async def titles(client: Client) -> list[str]:
        await client.open(SHOP)
        answer = (await client.value("navigate_to_url", url=SECOND))["title"]
        await trio.sleep(4)
        return [answer, (await client.value("page_info"))["title"]]

    for navigates, expected in (("begun", ["Shop", "Second"]), ("loaded", ["Second", "Second"])):
        seen: list[list[str]] = []

        async def body(client: Client, seen: list[list[str]] = seen) -> None:
            seen.append(await titles(client))

        drive(body, world={"pages": slow}, navigates=navigates)
        assert seen == [expected]
