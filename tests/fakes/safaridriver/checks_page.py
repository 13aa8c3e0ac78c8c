"""Facts about pages: navigation and its failures, content in its formats, spills, scripts, pictures (1.3 to 1.6)."""

from __future__ import annotations

from typing import Any

from fakes.fronts.safaridriver_tools import TAB_ARGUMENT
from harness.wire.jsontext import loads
from tests.fakes.safaridriver.client import Connect
from tests.fakes.safaridriver.pages import FORM, FRAMED, LARGE, MOVED, SECOND, SHOP, SLOW

SPILL = 32768


async def check_safaridriver_navigates(connect: Connect) -> None:
    """It makes a tab where there is none, waits for the load, and answers with the content (1.3)."""
    async with connect() as client:
        reply = await client.value("navigate_to_url", url=SHOP)
        assert (reply["title"], reply["url"]) == ("Shop", SHOP), reply
        assert "Welcome to the shop" in reply["content"], reply
        assert len(await client.value("list_tabs")) == 1
        reply = await client.value("navigate_to_url", url=MOVED)
        assert reply["url"] == SECOND, reply
        assert len(await client.value("list_tabs")) == 1


async def check_safaridriver_navigates_a_named_tab(connect: Connect) -> None:
    """By the argument of its profile alone: the other's name is no argument, so the active tab goes (1.3)."""
    async with connect() as client:
        first, second = await client.open(SHOP), await client.open(SHOP)
        own = TAB_ARGUMENT[client.profile]
        await client.done("navigate_to_url", url=SECOND, **{own: first})
        urls = {tab["handle"]: tab["url"] for tab in await client.value("list_tabs")}
        assert urls == {first: SECOND, second: SHOP}, urls
        other = next(name for name in TAB_ARGUMENT.values() if name != own)
        await client.done("switch_tab", handle=second)
        await client.done("navigate_to_url", url=FORM, **{other: first})
        urls = {tab["handle"]: tab["url"] for tab in await client.value("list_tabs")}
        assert urls == {first: SECOND, second: FORM}, urls


async def check_safaridriver_failed_navigation_succeeds(connect: Connect) -> None:
    """A host that there is not is no error; the page is Safari's own error page (1.6)."""
    async with connect() as client:
        reply = await client.value("navigate_to_url", url="http://no-such-host.invalid/")
        assert "http://no-such-host.invalid/" in reply["url"] or "safari-resource:" in reply["url"], reply
        inside = await client.value("evaluate_javascript", expression="return location.href")
        assert inside.startswith("safari-resource:"), inside
        reply = await client.value("navigate_to_url", url=SHOP + "no-such-page")
        assert reply["url"] == SHOP + "no-such-page", reply


async def check_safaridriver_text_tree(connect: Connect) -> None:
    """One item a line, tabs for depth, uid second, text quoted; nothing that is not rendered (1.5)."""
    async with connect() as client:
        await client.open(SHOP)
        lines = await client.tree()
        assert lines[0] == "root" and all(line.startswith("\t") for line in lines[1:]), lines
        text = "\n".join(lines)
        assert "link uid=" in text and f"url={SECOND}" in text and "'Second page'" in text, text
        assert "button uid=" in text and "'Buy'" in text, text
        for absent in ("never rendered", "closed text"):
            assert absent not in text, text


async def check_safaridriver_fields(connect: Connect) -> None:
    """Values of text fields and passwords are not told; a select's is (1.5)."""
    async with connect() as client:
        await client.open(FORM)
        text = "\n".join(await client.tree(includeSelectOptions=True))
        assert "placeholder='Your name'" in text and "name=name" in text, text
        assert "Ann" not in text and "hunter2" not in text, text
        assert "secure" in text and "input password uid=" in text, text
        assert "selected=s" in text and "'Large'" in text, text


async def check_safaridriver_node_ids(connect: Connect) -> None:
    """nodeIds says what gets a number; markdown and plainText have none (1.3)."""
    async with connect() as client:
        await client.open(FORM)
        numbers = {}
        for which in ("none", "editable", "interactive", "allContainers"):
            numbers[which] = "\n".join(await client.tree(nodeIds=which)).count("uid=")
        assert numbers["none"] == 0 < numbers["editable"] <= numbers["interactive"] <= numbers["allContainers"], numbers
        for format in ("markdown", "plainText"):
            assert "uid=" not in "\n".join(await client.tree(format=format, nodeIds="allContainers"))


async def check_safaridriver_formats(connect: Connect) -> None:
    """The envelope is the same for each format; `text` is textTree; JSON has version 2 at its root (1.3 to 1.5)."""
    async with connect() as client:
        await client.open(SHOP)
        contents = {}
        for format in ("textTree", "text", "json", "html", "markdown", "plainText"):
            reply = await client.value("get_page_content", format=format)
            assert sorted(reply) == ["content", "format", "title", "url"] and reply["format"] == format, reply
            assert "Welcome to the shop" in reply["content"], reply
            contents[format] = reply["content"]
        assert contents["text"] == contents["textTree"]
        tree: Any = loads(contents["json"])
        assert tree["type"] == "root" and tree["version"] == 2 and tree["nodeName"] == "body", tree
        assert "#" not in contents["markdown"] and f"[Second page]({SECOND})" in contents["markdown"], contents
        assert "<h1>" in contents["html"], contents


async def check_safaridriver_last_options(connect: Connect) -> None:
    """A navigation answers in the format of the last get_page_content (1.3)."""
    async with connect() as client:
        await client.open(SHOP)
        await client.done("get_page_content", format="plainText")
        reply = await client.value("navigate_to_url", url=SECOND)
        assert reply["content"] == "the second page", reply


async def check_safaridriver_region(connect: Connect) -> None:
    """The viewport alone, where nothing else is asked for (1.3)."""
    async with connect() as client:
        await client.open(LARGE)
        text = "\n".join(await client.tree())
        assert "paragraph number 0 " in text and "paragraph number 399 " not in text, text[-300:]


async def check_safaridriver_rects(connect: Connect) -> None:
    """Rectangles where they are asked for, with the sign U+00D7 (1.5)."""
    async with connect() as client:
        await client.open(SHOP)
        assert "×" not in "\n".join(await client.tree())
        line = next(line for line in await client.tree(includeRects=True) if "'Buy'" in line)
        assert "[" in line and ";" in line and "×" in line, line


async def check_safaridriver_words(connect: Connect) -> None:
    """A paragraph is cut after so many words, with an ellipsis (1.3)."""
    async with connect() as client:
        await client.open(SHOP)
        assert any("'Welcome to…'" in line for line in await client.tree(maxWordsPerParagraph=2))


async def check_safaridriver_spills(connect: Connect) -> None:
    """Content of 32 kB and more goes to a file that the reply names, with its size (1.3)."""
    async with connect() as client:
        await client.open(LARGE)
        text = (await client.done("get_page_content", region="entire_page")).text
        assert text.startswith("Saved large output to '/") and " kB)" in text, text[:200]
        assert float(text.partition("(")[2].partition(" ")[0]) * 1024 >= SPILL, text
        text = (await client.done("get_page_content", savePath="/tmp/page.json")).text
        assert "'/tmp/page.json'" in text, text


async def check_safaridriver_frames(connect: Connect) -> None:
    """Nodes of a frame of the same origin have numbers of three parts, where frames are asked for (1.5)."""
    async with connect() as client:
        await client.open(FRAMED)
        assert "placeholder" not in "\n".join(await client.tree())
        uid = await client.uid("placeholder", includeSubframes=True)
        assert len(uid.split("_")) == 3, uid
        reply = await client.act("type", node=uid, value="!")
        assert reply["successful"] == 1, reply


async def check_safaridriver_evaluates_a_body(connect: Connect) -> None:
    """The expression is a function body: without return it has no value (1.3)."""
    async with connect() as client:
        await client.open(SHOP)
        assert await client.value("evaluate_javascript", expression="1+1") is None
        assert await client.value("evaluate_javascript", expression="return document.title") == "Shop"
        await client.failed("evaluate_javascript", expression="return document.title", frameId="1_1")


async def check_safaridriver_screenshot_is_a_path(connect: Connect) -> None:
    """A picture is a path in text, never a block; `node` changes nothing (1.3)."""
    async with connect() as client:
        await client.open(SHOP)
        first, second = (await client.done("screenshot")).text, (await client.done("screenshot", node="1")).text
        for text in (first, second):
            assert "'/" in text and ".png'" in text, text
        assert first != second


async def check_safaridriver_wait_times_out(connect: Connect) -> None:
    """A wait for a navigation ends at its own time, 30 s where none is said (1.3)."""
    async with connect() as client:
        await client.done("create_tab", url=SLOW)
        await client.failed("wait_for_navigation", timeout_seconds=1)
        assert (await client.value("page_info"))["url"] == SLOW
        await client.done("navigate_to_url", url=SHOP)
        reply = await client.value("wait_for_navigation", timeout_seconds=1)
        assert (reply["url"], reply["title"]) == (SHOP, "Shop"), reply


async def check_safaridriver_viewport(connect: Connect) -> None:
    async with connect() as client:
        await client.open(LARGE)
        before = len(await client.tree())
        await client.done("set_viewport_size", width=1200, height=200)
        assert len(await client.tree()) < before


async def check_safaridriver_emulated_media(connect: Connect) -> None:
    """The page is shown for another medium, as it sees itself, until an empty text ends that (1.3)."""
    async with connect() as client:
        await client.open(SHOP)
        for media, is_print in (("print", True), ("", False), ("screen", False), ("print", True)):
            await client.done("set_emulated_media", media=media)
            seen = await client.value("evaluate_javascript", expression="return matchMedia('print').matches")
            assert seen is is_print, (media, seen)
