"""One tab: looks, actions with leave and at most once, lost answers."""

from __future__ import annotations

import json
from typing import Any

import anyio
import pytest

from stack.contract import Outcome
from stack.decide.port import MOVED, Acted, Failed
from stack.errors import CallError, StackError
from stack.safari_jxa.errors import DeliveryUnknown, StalePage
from stack.safari_loop.tab import Tab, TabDriver
from stack.safari_mcp import pinned
from tests.stack.safari_loop.paged import LOST, Paged, said, with_tab
from tests.stack.scripted_host import ScriptedCaller
from tests.stack.scripted_safaridriver import Exit, Leave, ScriptedGate, texts

CALLER: Any = ScriptedCaller()
FAILED = [texts("Tool error: Error: the document is gone", failed=True)]


async def acted(tab: Tab, action: str = "e1", text: str | None = None) -> Acted | StackError:
    """What came of one action of a fresh look."""
    page = await tab.observe()
    given = next(each for each in page.actions if each["id"] == action)
    try:
        return await tab.act(given, page.number, text, CALLER)
    except StackError as error:
        return error


def outcome(paged: Paged, gate: ScriptedGate | None = None, action: str = "e1", text: str | None = None) -> Any:
    found: list[Any] = []

    async def check(tab: Tab) -> None:
        found.append(await acted(tab, action, text))

    with_tab(paged, check, gate)
    return found[0]


def code(found: Any) -> tuple[str, Outcome]:
    assert isinstance(found, StackError), found
    return found.code, found.outcome


@pytest.mark.claim("JXA-RUN-16", tooth="an action that is sent without leave")
def test_leave_is_asked_with_exactly_what_is_sent() -> None:
    paged, gate = Paged(), ScriptedGate()
    assert outcome(paged, gate, "e2", "Lisbon") == Acted(changed=True)
    (proposal,) = gate.asked
    assert (proposal.scope, proposal.tool) == ("fill", "run")
    asked: Any = proposal.arguments
    assert (asked["expectedUrl"], asked["action"]["label"], asked["action"]["text"]) == (
        "http://shop.test/", "fill 2", "Lisbon"
    )  # fmt: skip
    assert proposal.context is not None
    assert (proposal.context["url"], proposal.context["text"]) == ("http://shop.test/", "Shop")
    (sent,) = paged.asked("act")
    assert (sent["text"], sent["action"]["kind"], sent["action"]["node"]) == ("Lisbon", "fill", 2)
    assert gate.leave.checks == 3  # when it was given, before the tab is chosen, and before the first byte


@pytest.mark.claim("JXA-RUN-16", tooth="leave that has ended at each of the looks at it")
@pytest.mark.parametrize("ends_at", [1, 2, 3])
def test_leave_that_has_ended_sends_nothing(ends_at: int) -> None:
    paged = Paged()
    found = outcome(paged, ScriptedGate(leave=Leave(ends_at=ends_at)))
    assert code(found) == ("operation_dropped", "refused")
    assert paged.asked("act") == []


@pytest.mark.claim("JXA-RUN-16", tooth="a kind of action that asks nobody")
@pytest.mark.parametrize(
    ("action", "text", "scope"),
    [("e1", None, "click"), ("e2", "x", "fill"), ("e3", None, "select"), ("scroll-down", None, "scroll")],
)
def test_every_kind_of_action_needs_leave(action: str, text: str | None, scope: str) -> None:
    paged, gate = Paged(), ScriptedGate(refuses=True)
    assert code(outcome(paged, gate, action, text)) == ("consent_missing", "refused")
    assert [each.scope for each in gate.asked] == [scope]
    assert paged.asked("act") == []


def test_a_wait_is_none_and_asks_nobody() -> None:
    paged, gate = Paged(), ScriptedGate(refuses=True)
    assert outcome(paged, gate, "wait") == Acted(changed=False)
    assert gate.asked == []


@pytest.mark.claim("JXA-RUN-10", tooth="each thing that the page can say of an action")
@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ({"status": "refused", "part": "around"}, ("stale_page", "around")),
        ({"status": "refused", "reason": "covered"}, ("action_blocked", "covered")),
        ({"status": "document"}, ("stale_page", "document")),
    ],
)
def test_a_refusal_of_the_page_costs_the_decision_alone(reply: Any, expected: tuple[str, str]) -> None:
    paged = Paged({"act": said(reply)})
    found = outcome(paged)
    assert isinstance(found, StalePage)
    assert (found.code, getattr(found, "reason", found.part)) == expected
    assert (found.code in MOVED, found.outcome, len(paged.asked("act"))) == (True, "refused", 1)
    assert paged.asked("resolve") == []


@pytest.mark.claim("JXA-RUN-10", tooth="each way in which an answer is lost, and each phase that is read back")
@pytest.mark.parametrize("lost", [LOST, FAILED, said({"status": "failed", "message": "x"}), [texts("none")]])
@pytest.mark.parametrize(
    ("phase", "expected"),
    [
        ({"status": "ok", "phase": "finished", "changed": True}, Acted(changed=True)),
        ({"status": "ok", "phase": "refused", "part": "target"}, ("stale_page", "refused")),
        ({"status": "ok", "phase": "void"}, ("never_ran", "refused")),
        ({"status": "ok", "phase": "started"}, ("delivery_unknown", "unknown")),
        ({"status": "ok", "phase": 7}, ("delivery_unknown", "unknown")),
        ({"status": "document"}, ("delivery_unknown", "unknown")),
    ],
)
def test_a_lost_answer_is_looked_up_and_never_sent_again(lost: Any, phase: Any, expected: Any) -> None:
    paged = Paged({"act": lost, "resolve": said(phase)})
    found = outcome(paged)
    assert (found if isinstance(found, Acted) else code(found)) == expected
    (sent,), (looked,) = paged.asked("act"), paged.asked("resolve")
    assert (looked["nonce"], looked["epoch"]) == (sent["nonce"], sent["epoch"])


def test_a_look_that_can_not_be_made_is_made_twice() -> None:
    paged = Paged({"act": LOST, "resolve": FAILED})
    assert code(outcome(paged)) == ("delivery_unknown", "unknown")
    assert [len(paged.asked(op)) for op in ("act", "resolve")] == [1, 2]


@pytest.mark.claim("JXA-RUN-10", tooth="a driver that ends, and one that is silent")
@pytest.mark.parametrize("steps", [[Exit(1)], []])
def test_a_driver_that_is_gone_leaves_the_outcome_unknown(steps: Any) -> None:
    paged = Paged({"act": steps})
    assert code(outcome(paged)) == ("delivery_unknown", "unknown")
    assert len(paged.asked("act")) == 1


@pytest.mark.claim("JXA-RUN-10", tooth="an action after one whose outcome is unknown")
def test_after_an_unknown_outcome_nothing_is_asked_any_more() -> None:
    paged = Paged({"act": LOST, "resolve": said({"status": "document"})})

    async def check(tab: Tab) -> None:
        await acted(tab)
        heard = len(paged.heard)
        for again in (tab.observe, lambda: tab.act({"id": "e1"}, 1, None, CALLER)):
            with pytest.raises(DeliveryUnknown) as caught:
                await again()
            assert repr(caught.value) == repr(tab.error) and caught.value.outcome == "refused"
        assert len(paged.heard) == heard

    with_tab(paged, check)


@pytest.mark.claim("JXA-RUN-10", tooth="an action of a document that is gone")
def test_a_look_puts_the_runtime_back_and_an_action_does_not() -> None:
    paged = Paged()

    async def check(tab: Tab) -> None:
        page = await tab.observe()
        paged.page.epoch = ""  # another document, without the program
        with pytest.raises(StalePage, match="document"):
            await tab.act(page.actions[0], page.number, None, CALLER)
        assert paged.page.epoch == "" and len(paged.asked("act")) == 1
        again = await tab.observe()
        assert (again.rebound, again.number) == (True, 2)
        assert again.epoch == paged.page.epoch != page.epoch
        assert await tab.act(again.actions[0], again.number, None, CALLER) == Acted(changed=True)

    with_tab(paged, check)


@pytest.mark.claim("JXA-RUN-10", tooth="an action that is no candidate of its observation")
def test_what_is_no_candidate_is_refused_before_anybody_is_asked() -> None:
    paged, gate = Paged(), ScriptedGate()

    async def check(tab: Tab) -> None:
        page = await tab.observe()
        first = dict(page.actions[0])
        for given, number, text, refused in (
            ({**first, "label": "Sell"}, 1, None, "invalid_action"),
            (first, 9, None, "unknown_observation"),
            (first, 1, "text", "invalid_arguments"),
        ):
            with pytest.raises(CallError) as caught:
                await tab.act(given, number, text, CALLER)
            assert caught.value.code == refused

    with_tab(paged, check, gate)
    assert (gate.asked, paged.asked("act")) == ([], [])


@pytest.mark.parametrize("steps", [LOST, FAILED, said({"status": "document"}), said({"status": "ok"})])
def test_a_page_that_can_not_be_read_is_unreadable_for_the_moment(steps: Any) -> None:
    async def check(tab: Tab) -> None:
        with pytest.raises(StackError) as caught:
            await tab.observe()
        assert (caught.value.code, tab.seen) == ("page_unreadable", False)

    with_tab(Paged({"observe": steps}), check)


def test_a_tab_that_is_gone_is_no_page() -> None:
    paged = Paged()

    async def check(tab: Tab) -> None:
        page = await tab.observe()
        driver.tabs.clear()
        for asked in (tab.observe(), tab.act(page.actions[0], 1, None, CALLER)):
            with pytest.raises(CallError) as caught:
                await asked
            assert (caught.value.code, caught.value.outcome) == ("target_gone", "refused")

    driver = paged.driver()
    paged.driver = lambda: driver  # type: ignore[method-assign]
    with_tab(paged, check)
    assert paged.asked("act") == []


@pytest.mark.parametrize("within", [0.05, 0.3])
def test_an_action_that_is_taken_back_says_what_is_known(within: float) -> None:
    """Before the leave is there nothing was sent; while it is under way nobody can tell."""
    paged = Paged({"act": [0.5, *LOST]})
    found: list[Any] = []

    async def check(tab: Tab) -> None:
        page = await tab.observe()
        with anyio.move_on_after(within):
            try:
                await tab.act(page.actions[0], page.number, None, CALLER)
            except StackError as error:
                found.append(code(error))

    with_tab(paged, check, ScriptedGate(takes_s=0.2))
    assert found == [("cancelled", "refused") if within < 0.2 else ("delivery_unknown", "unknown")]


def test_the_loop_drives_a_tab_as_any_other() -> None:
    paged = Paged()

    async def check(tab: Tab) -> None:
        driver = TabDriver(tab, CALLER)
        page = await driver.observe()
        assert (page.number, page.text, [each["id"] for each in page.actions][-1]) == (1, "Shop", "wait")
        assert await driver.act(page.actions[0], page, None) == Acted(changed=True)
        await driver.act(page.actions[-1], page, None)
        assert (driver.acted, await driver.text()) == (1, "Shop")

    driver = with_tab(paged, check)
    names = [name for name, _ in driver.calls if name != pinned.LIST_TABS]
    assert set(names) == {pinned.SWITCH_TAB, pinned.EVALUATE}
    assert json.loads(json.dumps(paged.heard))


@pytest.mark.claim("JXA-RUN-08", tooth="a refusal whose page is of no use")
@pytest.mark.parametrize("epoch", ["its own", "another"])
def test_what_came_with_a_refusal_can_be_acted_on(epoch: str) -> None:
    paged = Paged()

    async def check(tab: Tab) -> None:
        driver = TabDriver(tab, CALLER)
        page = await driver.observe()
        seen = paged.page.snapshot({"epoch": paged.page.epoch, "rebind": None})
        if epoch == "another":
            seen["epoch"] = epoch
        paged.answers["act"] = said({"status": "refused", "part": "around", "seen": seen})
        with pytest.raises(Failed) as caught:
            await driver.act(page.actions[0], page, None)
        found = caught.value
        assert (found.code, found.part) == ("stale_page", "around")
        del paged.answers["act"]
        if epoch == "another":
            assert found.page is None
            return
        assert found.page is not None and found.page.number == 2
        assert await driver.act(found.page.actions[0], found.page, None) == Acted(changed=True)
        assert len(paged.asked("observe")) == 1

    with_tab(paged, check)
