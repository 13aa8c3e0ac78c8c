"""Facts about page_interactions and dialogs (1.3, 1.4 and 1.6)."""

from __future__ import annotations

import trio

from tests.fakes.safaridriver.client import Connect
from tests.fakes.safaridriver.pages import ALERTS, FORM, SECOND, SHOP


async def check_safaridriver_click(connect: Connect) -> None:
    """A click does what the page does, and the reply has the difference (1.3)."""
    async with connect() as client:
        await client.open(SHOP)
        reply = await client.act("click", node=await client.uid("'Buy'"))
        assert (reply["requested"], reply["successful"]) == (1, 1) and "failureReason" not in reply, reply
        assert "bought" in reply["diff"] and "Welcome" not in reply["diff"], reply


async def check_safaridriver_click_that_navigates(connect: Connect) -> None:
    """It waits, and the reply has the new page (1.3)."""
    async with connect() as client:
        await client.open(SHOP)
        reply = await client.act("click", node=await client.uid("Second page"))
        assert "the second page" in reply.get("content", ""), reply
        assert (await client.value("page_info"))["url"] == SECOND


async def check_safaridriver_failed_step_succeeds(connect: Connect) -> None:
    """A step that fails is a successful reply with successful below requested; later steps are not tried (1.4)."""
    async with connect() as client:
        await client.open(SHOP)
        uid = await client.uid("'Buy'")
        steps = [{"type": "click", "purpose": "a", "node": "9999"}, {"type": "click", "purpose": "b", "node": uid}]
        reply = await client.value("page_interactions", interactions=steps)
        assert (reply["requested"], reply["successful"]) == (2, 0), reply
        assert reply.get("failureReason") == "Failed to resolve nodeIdentifier 9999", reply
        assert "nothing bought" in "\n".join(await client.tree())


async def check_safaridriver_failure_reasons(connect: Connect) -> None:
    """The texts are WebKit's (1.6)."""
    async with connect() as client:
        await client.open(SHOP)
        gone, again, veiled = [await client.uid(text) for text in ("'Leave'", "'Draw again'", "'Veiled'")]
        for uid in (gone, again, veiled):
            assert (await client.act("click", node=uid))["successful"] == 1
        reasons = {
            "Target has been disconnected from the DOM": {"type": "click", "node": gone},
            "Target is not rendered (possibly display: none)": {"type": "click", "node": veiled},
            "Missing location and nodeIdentifier": {"type": "click"},
            "Missing nodeIdentifier": {"type": "type", "value": "x"},
            "'no such text' not found inside the target node": {"type": "click", "text": "no such text"},
            "No scrollable area found": {"type": "scroll"},
        }
        for reason, step in reasons.items():
            reply = await client.act(**step)
            assert (reply["successful"], reply.get("failureReason")) == (0, reason), (step, reply)
        assert (
            (await client.act("click", node=again)).get("failureReason", "").startswith("Target has been disconnected")
        )


async def check_safaridriver_stale_number(connect: Connect) -> None:
    """The number of a node of an earlier document stands for nothing in the next one (1.6)."""
    async with connect() as client:
        await client.open(SHOP)
        uid = await client.uid("'Buy'")
        await client.done("navigate_to_url", url=SHOP)
        reply = await client.act("click", node=uid)
        assert reply.get("failureReason") == f"Failed to resolve nodeIdentifier {uid}", reply


async def check_safaridriver_types(connect: Connect) -> None:
    """type appends, or replaces where told; what is no field can't be edited (1.6)."""
    async with connect() as client:
        await client.open(FORM)
        uid = await client.uid("placeholder")
        plain = await client.uid("'no field'")
        assert (await client.act("type", node=uid, value="a"))["successful"] == 1
        assert (await client.act("type", node=uid, value="Bea", replaceAll=True))["successful"] == 1
        reply = await client.act("type", node=plain, value="x")
        expected = f"{plain} cannot be edited (requires text field or contentEditable)"
        assert reply.get("failureReason") == expected, reply


async def check_safaridriver_chords_are_letters(connect: Connect) -> None:
    """A name that is no key is typed letter by letter, and called a success (1.6)."""
    async with connect() as client:
        await client.open(FORM)
        await client.act("click", node=await client.uid("placeholder"))
        reply = await client.act("keyPress", value="cmd+k")
        assert reply["successful"] == 1, reply


async def check_safaridriver_native_menu_chooses_nothing(connect: Connect) -> None:
    """selectMenuItem on a native select is called done and chooses nothing (1.6); selectText sets it by value."""
    async with connect() as client:
        await client.open(FORM)
        uid = await client.uid("select uid")
        assert (await client.act("selectMenuItem", node=uid, value="l"))["successful"] == 1
        assert "selected=s" in "\n".join(await client.tree())
        assert (await client.act("selectText", node=uid, value="l"))["successful"] == 1
        assert "selected=l" in "\n".join(await client.tree())


async def check_safaridriver_alert_blocks(connect: Connect) -> None:
    """A click that opens a dialog does not answer before the dialog is answered (1.6)."""
    async with connect() as client:
        await client.open(ALERTS)
        uid = await client.uid("'Alert'")
        blocked = await client.begin("page_interactions", interactions=[{"type": "click", "purpose": "x", "node": uid}])
        while not (dialogs := (await client.value("browser_dialogs", action="list"))["dialogs"]):
            assert not client.answered(blocked), "the click answered although a dialog was to open"
        assert dialogs == [{"type": "alert", "message": "Really?"}], dialogs
        assert len(await client.value("list_tabs")) == 1, "listing tabs goes on meanwhile"
        await trio.sleep(2)  # more than any rest between two steps
        assert not client.answered(blocked)
        await client.done("browser_dialogs", action="respond")
        reply = (await client.result(blocked)).value
        assert reply["successful"] == 1, reply
        assert "went on" in "\n".join(await client.tree())
        await client.failed("browser_dialogs", action="respond")


async def check_safaridriver_dialog_answers(connect: Connect) -> None:
    """respond accepts, dismiss does not."""
    async with connect() as client:
        await client.open(ALERTS)
        uid = await client.uid("'Confirm'")
        for action, text in (("respond", "yes"), ("dismiss", "no")):
            steps = [{"type": "click", "purpose": "x", "node": uid}]
            blocked = await client.begin("page_interactions", interactions=steps)
            while not (await client.value("browser_dialogs", action="list"))["dialogs"]:
                assert not client.answered(blocked)
            await client.done("browser_dialogs", action=action)
            await client.result(blocked)
            assert f"'{text}'" in "\n".join(await client.tree()), text
