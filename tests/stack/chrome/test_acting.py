"""The actions: by the way their node came, with a real click where the page needs one, or none."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from stack.chrome.desktop import DesktopError, Window
from tests.stack.chrome.rig import snapshot
from tests.stack.chrome.stand import CLICKED, Stand, stand, thing
from tests.stack.chrome.test_mapping import PLAIN

NO = DesktopError("unavailable", "no")
RECTANGLE = {**PLAIN, "window_id": 1, "tab_id": 1}
SELECTED = {"target": snapshot()["target"]}
LOCATED = {"rectangle": RECTANGLE}


async def press(each: Stand, *script: Any, node: str = "p0:1", tool: str = "ax_activate", **more: Any) -> Any:
    await each.read("Buy", "Sell")
    return await each.while_(each.call(tool, snapshot_id="s1", node_id=node, **more), *script)


def test_an_action_says_its_route_its_effect_and_its_place() -> None:
    async def body(each: Stand) -> None:
        reply = await press(each, each.answer(CLICKED))
        assert (reply.outcome, reply.code, reply.structured) == ("done", None, CLICKED)

    stand(body)


def test_a_value_reaches_the_extension_and_what_it_says_of_it_the_caller() -> None:
    async def body(each: Stand) -> None:
        await each.read("Buy")
        found: list[Any] = []

        async def answer() -> None:
            found.append(await each.started.answer({**CLICKED, "effect": ["value"], "value_taken": True, "value": "x"}))

        reply = await each.while_(each.call("ax_set_value", snapshot_id="s1", node_id="p0:1", value="x"), answer())
        assert found[0]["params"]["value"] == "x"
        assert found[0]["params"]["ref"]["node"] == "0:1"
        assert isinstance(reply.structured, dict)
        assert reply.structured["value"] == "x"

    stand(body)


@pytest.mark.parametrize("name", ["tab_id", "frame_id", "document_id"])
def test_an_answer_from_another_place_is_none(name: str) -> None:
    async def body(each: Stand) -> None:
        other = {"tab_id": 9, "frame_id": 9, "document_id": "F" * 32}[name]
        reply = await press(each, each.answer({**CLICKED, "target": {**CLICKED["target"], name: other}}))  # type: ignore[dict-item]
        assert (reply.outcome, reply.code) == ("unknown", "no_result")

    stand(body)


@pytest.mark.parametrize(
    ("reason", "detail", "outcome"),
    [
        ("no_observed_effect", {"dispatched": True}, "refused"),
        ("timed_out", {"dispatched": True}, "unknown"),
        ("timed_out", {"dispatched": False}, "refused"),
        ("stale_snapshot", {}, "refused"),
        ("not_actionable", {}, "refused"),
    ],
)
def test_what_failed_is_unknown_only_where_it_may_have_been_done(reason: str, detail: Any, outcome: str) -> None:
    async def body(each: Stand) -> None:
        reply = await press(each, each.fail(reason, **detail))
        assert (reply.outcome, reply.code) == (outcome, reason)

    stand(body)


def test_a_node_has_the_actions_that_it_was_shown_with() -> None:
    async def body(each: Stand) -> None:
        assert (await press(each, tool="ax_focus")).code == "not_actionable"

    stand(body)


def test_a_node_of_the_system_can_be_activated_and_nothing_else_whatever_the_system_offers() -> None:
    async def body(each: Stand) -> None:
        each.desktop.browser = [replace(thing("a"), actions=("activate", "focus"))]
        await each.read("Buy")
        reply = await each.call("ax_focus", snapshot_id="s1", node_id="na")
        assert reply.code == "not_actionable"
        assert each.desktop.done == []

    stand(body)


BEFORE = snapshot("Buy", "Sell")
"""What the extension reads just before the click."""


def trusted(each: Stand, *after: Any, again: Any = LOCATED, before: Any = BEFORE) -> list[Any]:
    return [each.fail("needs_trusted_input", rectangle=RECTANGLE), each.answer(SELECTED), each.answer(LOCATED),
            each.answer(before), each.answer(again), *after]  # fmt: skip


@pytest.mark.parametrize(
    ("after", "effect"),
    [
        (snapshot("Buy", "Sold"), ["content"]),
        (snapshot("Buy", "Sell", url="https://a.test/#x"), ["same_document_navigation"]),
        (snapshot("Buy", "Sell", document="E" * 32), ["navigation"]),
    ],
)
def test_one_real_click_in_the_middle_and_what_was_seen_of_it(after: Any, effect: list[str]) -> None:
    async def body(each: Stand) -> None:
        reply = await press(each, *trusted(each, each.answer(after)))
        assert (reply.outcome, reply.code) == ("done", None)
        assert reply.structured["route"] == "chrome_trusted_input_fallback"
        assert reply.structured["effect"] == effect
        assert each.desktop.done == [(1, 160, 205)]
        assert (await each.call("ax_activate", snapshot_id="s1", node_id="p0:2")).code == "stale_snapshot"

    stand(body)


def test_a_click_of_which_nothing_is_seen_is_no_success() -> None:
    async def body(each: Stand) -> None:
        reply = await press(each, *trusted(each, each.answer(snapshot("Buy", "Sell"))))
        assert (reply.outcome, reply.code, len(each.desktop.done)) == ("refused", "no_observed_effect", 1)

    stand(body)


def test_what_changed_before_the_click_is_no_effect_of_it() -> None:
    async def body(each: Stand) -> None:
        changed = snapshot("Buy", "Sold")
        reply = await press(each, *trusted(each, each.answer(changed), before=changed))
        assert (reply.outcome, reply.code, len(each.desktop.done)) == ("refused", "no_observed_effect", 1)

    stand(body)


def test_a_page_that_can_not_be_read_after_the_click_leaves_it_unknown() -> None:
    async def body(each: Stand) -> None:
        reply = await press(each, *trusted(each, each.fail("restricted_page")))
        assert (reply.outcome, reply.code) == ("unknown", "restricted_page")

    stand(body)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"again": {"rectangle": {**RECTANGLE, "y": 51}}}, "stale_snapshot"),
        ({"fronts": NO}, "needs_trusted_input"),
        ({"fronts": [Window(9, 9, "Notes", True, "point")]}, "needs_trusted_input"),
        ({"fronts": [Window(1, 7, "Chrome", False, "point")]}, "needs_trusted_input"),
        ({"clicks": NO}, "needs_trusted_input"),
        ({"clicks": DesktopError("refused", "no")}, "needs_trusted_input"),
        ({"clicks": DesktopError("timed_out", "no")}, "no_result"),
        ({"first": {"rectangle": {**RECTANGLE, "y": 700}}}, "needs_trusted_input"),
    ],
)
def test_nothing_is_clicked_where_the_place_is_not_certain(change: dict[str, Any], code: str) -> None:
    async def body(each: Stand) -> None:
        await each.read("Buy")
        each.desktop.fronts = change.get("fronts", each.desktop.fronts)
        each.desktop.clicks = change.get("clicks")
        script = [each.fail("needs_trusted_input", rectangle=RECTANGLE), each.answer(SELECTED)]
        if "fronts" not in change:
            script.append(each.answer(change.get("first", LOCATED)))
            if "first" not in change:
                script += [each.answer(BEFORE), each.answer(change.get("again", LOCATED))]
        reply = await each.while_(each.call("ax_activate", snapshot_id="s1", node_id="p0:1"), *script)
        assert (reply.code, each.desktop.done) == (code, [])
        assert reply.outcome == ("unknown" if code == "no_result" else "refused")
        if code == "needs_trusted_input":
            assert isinstance(reply.structured, dict)
            assert reply.structured["rectangle"] == RECTANGLE

    stand(body)


def test_a_field_that_needs_real_input_is_not_clicked_for_a_value() -> None:
    async def body(each: Stand) -> None:
        reply = await press(each, each.fail("needs_trusted_input", rectangle=RECTANGLE), tool="ax_set_value", value="x")
        assert reply.code == "needs_trusted_input"

    stand(body)


@pytest.mark.parametrize("works", [True, False])
def test_native_nodes_go_back_to_native_accessibility(works: bool) -> None:
    async def body(each: Stand) -> None:
        each.desktop.browser = [thing("tab")]
        if works:
            each.desktop.after = lambda: each.desktop.browser.append(thing("new"))
        reply = await press(each, node="ntab")
        assert each.desktop.done == [(1, "tab")]
        if works:
            assert reply.structured == {"route": "native_ax", "effect": ["content"]}
        else:
            assert (reply.outcome, reply.code) == ("refused", "no_observed_effect")
        assert (await each.call("ax_focus", snapshot_id="s1", node_id="ntab")).code == "not_actionable"
        each.desktop.browser = NO
        assert (await each.call("ax_activate", snapshot_id="s1", node_id="ntab")).code == "not_actionable"

    stand(body)


@pytest.mark.parametrize(
    ("reason", "outcome", "code"),
    [("no_such_node", "refused", "not_actionable"), ("unavailable", "refused", "not_actionable"),
     ("timed_out", "unknown", "no_result"), ("invalid_answer", "unknown", "no_result")],
)  # fmt: skip
@pytest.mark.parametrize("provider", ["native_ax", "ocr"])
def test_what_the_system_does_not_answer_may_have_been_done(
    reason: str, outcome: str, code: str, provider: str
) -> None:
    async def body(each: Stand) -> None:
        each.desktop.browser, each.desktop.words = [thing("tab")], [thing("1", "Pay")]
        if provider == "ocr":
            await each.while_(each.call("ax_read"), each.listed(), each.fail("restricted_page"))
            each.desktop.clicks = DesktopError(reason, "no")
            reply = await each.call("ax_activate", snapshot_id="s1", node_id="w1")
        else:
            await each.read("Buy")
            each.desktop.presses = DesktopError(reason, "no")
            reply = await each.call("ax_activate", snapshot_id="s1", node_id="ntab")
        assert (reply.outcome, reply.code, each.desktop.done) == (outcome, code, [])

    stand(body)


def test_what_was_done_and_not_seen_after_is_unknown() -> None:
    async def body(each: Stand) -> None:
        each.desktop.browser = [thing("tab")]

        def gone() -> None:
            each.desktop.browser = NO

        each.desktop.after = gone
        reply = await press(each, node="ntab")
        assert (reply.outcome, reply.code) == ("unknown", "no_result")

    stand(body)


@pytest.mark.parametrize("works", [True, False])
def test_words_are_clicked_in_their_centre_while_they_are_there(works: bool) -> None:
    async def body(each: Stand) -> None:
        each.desktop.words = [thing("1", "Pay")]
        if works:
            each.desktop.after = lambda: each.desktop.words.append(thing("2", "Paid"))
        await each.while_(each.call("ax_read"), each.listed(), each.fail("restricted_page"))
        reply = await each.call("ax_activate", snapshot_id="s1", node_id="w1")
        assert each.desktop.done == [(1, 25, 40)]
        if works:
            assert reply.structured == {"route": "ocr_center", "effect": ["content"]}
        else:
            assert reply.code == "no_observed_effect"
        assert (await each.call("ax_set_value", snapshot_id="s1", node_id="w1", value="x")).code == "not_actionable"
        each.desktop.words = [thing("1", "Other")]
        assert (await each.call("ax_activate", snapshot_id="s1", node_id="w1")).code == "stale_snapshot"

    stand(body)
