"""ax_read and ax_targets: who is asked, and what follows where the extension gives nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import anyio
import pytest

from stack.chrome.desktop import DesktopError, Window
from stack.chrome.reasons import REASONS
from tests.stack.chrome.rig import HELLO, snapshot
from tests.stack.chrome.stand import ROW, Stand, stand, thing

NO = DesktopError("unavailable", "no")


def structured(reply: Any) -> dict[str, Any]:
    assert isinstance(reply.structured, dict)
    return reply.structured


def test_the_page_in_front_with_the_browsers_own_controls() -> None:
    async def body(each: Stand) -> None:
        each.desktop.browser = [thing("address")]
        reply = await each.read("Buy")
        assert (reply.outcome, reply.code) == ("done", None)
        found = structured(reply)
        assert [(node["id"], node["provider"]) for node in found["nodes"]] == [
            ("naddress", "native_ax"), ("p0:1", "chrome_extension"),
        ]  # fmt: skip
        assert (found["provider"], found["coverage"], found["fallbacks"]) == ("chrome_extension", "complete", [])
        assert "ref" not in found["frames"][0]

    stand(body)


@pytest.mark.parametrize(
    ("fronts", "browser", "why"),
    [
        (NO, [], "unavailable"),
        ([], [], "unavailable"),
        ([Window(1, 7, "Chrome", True, "point")], NO, "unavailable"),
    ],
)
def test_where_native_accessibility_gives_nothing_that_is_said(fronts: Any, browser: Any, why: str) -> None:
    async def body(each: Stand) -> None:
        each.desktop.fronts, each.desktop.browser = fronts, browser
        assert structured(await each.read("Buy"))["fallbacks"] == [{"provider": "native_ax", "reason": why}]

    stand(body)


@pytest.mark.parametrize("front", [True, False])
def test_a_named_tab_has_the_controls_of_its_browser_only_where_that_is_in_front(front: bool) -> None:
    async def body(each: Stand) -> None:
        each.desktop.fronts = [Window(1, 7 if front else 9, "X", True, "point")]
        each.desktop.browser = [thing("address")]
        reply = await each.read("Buy", title="A")
        assert len(structured(reply)["nodes"]) == (2 if front else 1)

    stand(body)


@pytest.mark.claim("CHR-IPC-02", tooth="a reading without the claim, by any provider")
@pytest.mark.parametrize("reason", REASONS)
def test_each_reason_falls_or_ends_as_its_row_says(reason: str) -> None:
    async def body(each: Stand) -> None:
        each.desktop.page = [thing("native")]
        again = [each.listed(), each.fail(reason)] if reason == "bridge_disconnected" else []  # asked once more
        reply = await each.while_(each.call("ax_read"), each.listed(), each.fail(reason), *again)
        if REASONS[reason].falls:
            found = structured(reply)
            assert (reply.outcome, found["provider"], found["coverage"]) == ("done", "native_ax", "partial")
            assert found["fallbacks"] == [{"provider": "chrome_extension", "reason": reason}]
        else:
            assert (reply.outcome, reply.code) == ("refused", reason)
            assert "native" not in str(reply)

    stand(body)


def test_what_was_named_is_never_replaced_by_what_is_in_front() -> None:
    async def body(each: Stand) -> None:
        each.desktop.page = [thing("native")]
        reply = await each.while_(each.call("ax_read", title="A"), each.listed(), each.fail("site_permission_required"))
        assert (reply.outcome, reply.code) == ("refused", "site_permission_required")

    stand(body)


@pytest.mark.parametrize(
    ("page", "words", "image", "provider"),
    [
        ([thing("a")], NO, NO, "native_ax"),
        ([], [thing("1")], NO, "ocr"),
        (NO, [], {"type": "image", "data": "AA==", "mimeType": "image/png"}, "screenshot"),
        (NO, NO, NO, None),
    ],
)
def test_the_ladder(page: Any, words: Any, image: Any, provider: str | None) -> None:
    async def body(each: Stand) -> None:
        each.desktop.page, each.desktop.words, each.desktop.image = page, words, image
        reply = await each.while_(each.call("ax_read"), each.listed(), each.fail("restricted_page"))
        found = structured(reply)
        if provider is None:
            assert (reply.outcome, reply.code, len(found["fallbacks"])) == ("refused", "restricted_page", 4)
        else:
            assert found["provider"] == provider
            assert len(reply.content) == (2 if provider == "screenshot" else 1)

    stand(body)


@pytest.mark.parametrize(
    ("registered", "reason"), [(True, "extension_not_installed"), (False, "native_host_not_registered")]
)
def test_without_any_connection_the_reason_says_what_is_missing(registered: bool, reason: str) -> None:
    async def body(each: Stand) -> None:
        each.desktop.fronts = NO
        assert (await each.call("ax_read")).code == reason
        assert (await each.call("ax_targets")).code == reason

    stand(body, connected=False, registered=lambda: ("chrome",) if registered else ())


def test_a_browser_that_was_connected_is_waited_for_and_then_is_gone() -> None:
    async def body(each: Stand) -> None:
        await each.read("Buy")
        await each.started.into.aclose()
        await anyio.sleep(1)
        began = anyio.current_time()
        assert (await each.call("ax_read")).code == "bridge_disconnected"
        assert anyio.current_time() - began >= 2
        each._started = None

        async def back() -> None:
            await anyio.sleep(0.5)
            each._started = await each.rig.start(parent=7)
            await each.listed()
            await each.answer(snapshot("Buy"))

        assert (await each.while_(each.call("ax_read"), back())).outcome == "done"

    stand(body, reconnect_ms=2000)


def test_a_host_that_refuses_is_the_reason() -> None:
    async def body(each: Stand) -> None:
        host = each.rig.host()
        host.is_mine = lambda stream: False
        await each.rig.start(parent=7, host=host)
        assert (await each.call("ax_read")).code == "unauthorised"

    stand(body, connected=False)


@pytest.mark.parametrize(
    ("rows", "code"),
    [
        ([{**ROW, "active": False}], "tab_not_found"),
        ([ROW, {**ROW, "tab_id": 2}], "ambiguous_target"),
    ],
)
def test_one_tab_has_to_be_in_front(rows: list[Any], code: str) -> None:
    async def body(each: Stand) -> None:
        assert (await each.while_(each.call("ax_read"), each.listed(*rows))).code == code

    stand(body)


def test_titles_and_targets_name_a_tab_or_none() -> None:
    async def body(each: Stand) -> None:
        reply = await each.while_(each.call("ax_targets"), each.listed())
        target = structured(reply)["targets"][0]["target"]
        reply = await each.while_(each.call("ax_read", target=target), each.answer(snapshot("Buy")))
        assert reply.outcome == "done"
        for wrong in ("nobody/1", target + "x", "x"):
            assert (await each.call("ax_read", target=wrong)).code == "tab_not_found"
        assert (await each.while_(each.call("ax_read", title="B"), each.listed())).code == "tab_not_found"
        twice = [ROW, {**ROW, "tab_id": 2}]
        reply = await each.while_(each.call("ax_read", title="A"), each.listed(*twice))
        assert (reply.code, len(structured(reply)["candidates"])) == ("ambiguous_target", 2)

    stand(body)


@pytest.mark.claim("CHR-SNAP-05", tooth="tabs of which none holds a secret, whose names are told")
@pytest.mark.parametrize(
    ("title", "name"), [("Other", "A"), ("Card [redacted]", "[redacted]"), (None, "[redacted]")]
)
def test_what_the_controls_say_beside_a_target_depends_on_every_tab(title: str | None, name: str) -> None:
    """Where the tabs are not told, nobody knows what the controls say."""

    async def body(each: Stand) -> None:
        target = structured(await each.while_(each.call("ax_targets"), each.listed()))["targets"][0]["target"]
        each.desktop.browser = [replace(thing("address"), role="tab")]
        tabs = each.fail("timed_out") if title is None else each.listed(ROW, {**ROW, "tab_id": 2, "title": title})
        reply = await each.while_(each.call("ax_read", target=target), each.answer(snapshot("Buy")), tabs)
        assert [node["name"] for node in structured(reply)["nodes"]] == [name, "Buy"]

    stand(body)


def test_of_two_browsers_the_window_decides_and_without_it_nobody() -> None:
    async def body(each: Stand) -> None:
        other = await each.rig.start({**HELLO, "browser": {"name": "edge", "version": "1"}}, parent=8)
        assert (await each.read("Buy")).outcome == "done"
        each.desktop.fronts = NO
        assert (await each.call("ax_read")).code == "ambiguous_target"
        each.desktop.fronts = [Window(1, 8, "Edge", True, "point")]
        each._started = other
        assert (await each.read("Buy")).outcome == "done"

    stand(body)
