"""One session: every call through scope and guards, and every mutation at most once, whatever is lost."""

from __future__ import annotations

from functools import partial

import pytest

from stack.errors import CallError
from stack.safari_jxa.errors import (
    SCOPE,
    Blocked,
    BridgeCallError,
    BridgeError,
    ScopeLost,
    StalePage,
)
from stack.safari_jxa.scope import State
from stack.safari_jxa.session import Session
from tests.stack.scripted_safari import Safari, failing, lent, owned


@pytest.mark.claim("JXA-OBS-01", tooth="another scroll position")
def test_an_observation_has_a_fingerprint_of_what_was_seen() -> None:
    safari = Safari()

    async def check(session: Session) -> None:
        one, two = await session.observe(), await session.observe()
        assert (one.number, two.number, one.fingerprint) == (1, 2, two.fingerprint)
        assert len(one.fingerprint) == 64
        safari.pages["observe"] = lambda a: {**safari.snapshot(a), "scroll": {"y": 4, "height": 900}}
        assert (await session.observe()).fingerprint != one.fingerprint
        assert await session.text() == "Shop"
        assert one.shown()["actions"] == safari.actions

    lent(safari, check)


def test_an_action_is_done_once_and_says_whether_it_changed_anything() -> None:
    safari = Safari()

    async def check(session: Session) -> None:
        page = await session.observe()
        assert (await session.act("e1", page)).changed is True
        safari.pages["act"] = {"status": "finished", "changed": False}
        acted = await session.act(page.actions[1], page, "Lisbon")
        assert (acted.changed, acted.landed) == (False, False)
        await session.act("e3", page)
        await session.act("scroll-down", page)
        assert [a["argument"]["action"] for a in safari.asked("act")] == [
            {"kind": "click", "node": 1, "option": None, "direction": None},
            {"kind": "fill", "node": 2, "option": None, "direction": None},
            {"kind": "select", "node": 3, "option": 1, "direction": None},
            {"kind": "scroll", "node": None, "option": None, "direction": "down"},
        ]
        assert len({a["argument"]["nonce"] for a in safari.asked("act")}) == 4

    lent(safari, check)


@pytest.mark.claim("JXA-ACT-04", tooth="the page marker in a fill's guard")
def test_an_action_with_a_target_is_compared_with_it_and_one_without_with_the_page() -> None:
    safari = Safari()

    async def check(session: Session) -> None:
        page = await session.observe()
        await session.act("e2", page, "x")
        await session.act("scroll-down", page)
        fill, scroll = (set(asked["argument"]["guard"]) for asked in safari.asked("act"))
        assert fill == {"route", "viewport", "fields", "target", "around"}
        assert scroll == {"route", "viewport", "fields", "content"}

    lent(safari, check)


def test_waiting_dispatches_nothing() -> None:
    safari = Safari()

    async def check(session: Session) -> None:
        page = await session.observe()
        assert (await session.act("wait", page)).changed is False
        assert (await session.fresh("wait", page)).fresh is True

    assert lent(safari, check) == 1.0
    assert safari.asked("act") == []


@pytest.mark.parametrize("part", ["route", "viewport", "field", "target", "around"])
@pytest.mark.claim("JXA-ACT-02", tooth="a page that refuses, naming each part in turn")
def test_a_page_that_moved_is_stale_and_says_which_part(part: str) -> None:
    safari = Safari()

    async def check(session: Session) -> None:
        page = await session.observe()
        safari.pages["act"] = safari.pages["fresh"] = {"status": "refused", "part": part}
        with pytest.raises(StalePage) as caught:
            await session.act("e1", page)
        assert (caught.value.part, caught.value.outcome) == (part, "refused")
        fresh = await session.fresh("e1", page)
        assert (fresh.fresh, fresh.part, fresh.reason) == (False, part, None)
        assert session.state is State.LIVE

    lent(safari, check)


@pytest.mark.parametrize("reason", ["gone", "read_only", "out_of_view", "covered", "forbidden", "rejected"])
def test_a_blocked_action_says_why(reason: str) -> None:
    safari = Safari()

    async def check(session: Session) -> None:
        page = await session.observe()
        safari.pages["act"] = safari.pages["fresh"] = {"status": "refused", "reason": reason}
        with pytest.raises(Blocked) as caught:
            await session.act("e1", page)
        assert (caught.value.reason, caught.value.outcome) == (reason, "refused")
        assert (await session.fresh("e1", page)).reason == reason

    lent(safari, check)


@pytest.mark.parametrize(
    ("tabs", "visible", "cause"),
    [(3, [1], "gained_tab"), (1, [0], "lost_tab"), (2, [0], "other_tab"), (3, [2], "gained_tab")],
)
@pytest.mark.claim("JXA-SCP-01", "JXA-SCP-02", "JXA-SCP-04", tooth="a window that changes between two calls")
def test_a_lent_window_that_changes_is_lost_for_good(tabs: int, visible: list[int], cause: str) -> None:
    safari = Safari()

    async def check(session: Session) -> None:
        page = await session.observe()
        safari.tabs, safari.visible = tabs, visible
        with pytest.raises(ScopeLost) as caught:
            await session.act("e1", page)
        assert (caught.value.cause, caught.value.outcome) == (cause, "refused")
        safari.tabs, safari.visible = 2, [1]
        asked = len(safari.heard)
        for call in (session.observe(), session.text(), session.act("e1", page), session.fresh("e1", page)):
            with pytest.raises(ScopeLost) as again:
                await call
            assert repr(again.value) == repr(caught.value) and again.value.outcome == "refused"
        assert session.status()["error"] == {"code": "scope_lost", "seen": caught.value.seen}
        assert len(safari.heard) == asked
        assert (await session.close()).window == "left open"
        assert safari.asked("close") == []

    lent(safari, check)


@pytest.mark.claim("JXA-SCP-01", tooth="another document under the same address")
def test_a_lent_document_that_was_replaced_is_lost() -> None:
    safari = Safari()

    async def check(session: Session) -> None:
        await session.observe()
        safari.epoch = "another"
        with pytest.raises(ScopeLost, match="replaced"):
            await session.observe()

    lent(safari, check)


@pytest.mark.parametrize("op", ["act", "fresh"])
def test_a_lent_document_that_was_replaced_before_an_action_is_lost(op: str) -> None:
    safari = Safari()

    async def check(session: Session) -> None:
        page = await session.observe()
        safari.epoch = "another"
        with pytest.raises(ScopeLost):
            await (session.act("e1", page) if op == "act" else session.fresh("e1", page))
        assert session.state is State.LOST

    lent(safari, check)


@pytest.mark.claim("JXA-SCP-04", tooth="an address that changes within the document")
def test_an_address_may_change_within_a_document() -> None:
    safari = Safari()

    async def check(session: Session) -> None:
        safari.url = "http://shop.test/?q=1#x"
        assert (await session.observe()).url == safari.url
        assert session.status()["url"] == safari.url

    lent(safari, check)


@pytest.mark.parametrize("number", sorted(SCOPE))
@pytest.mark.claim("JXA-SCP-05", tooth="each number, with words of another language")
def test_a_window_or_safari_that_is_gone_is_lost_by_number(number: int) -> None:
    safari = Safari()

    async def check(session: Session) -> None:
        safari.answers["read"] = failing(number, text="Fenster ist weg")
        with pytest.raises(ScopeLost):
            await session.observe()
        assert len(safari.asked("start")) == 1

    lent(safari, check)


@pytest.mark.parametrize("number", [-1712, -10000, -1708, -2700])
def test_another_number_ends_nothing(number: int) -> None:
    safari = Safari()

    async def check(session: Session) -> None:
        safari.answers["read"] = failing(number)
        with pytest.raises(BridgeCallError) as caught:
            await session.observe()
        assert (caught.value.number, caught.value.scope) == (number, False)
        del safari.answers["read"]
        await session.observe()

    lent(safari, check)


@pytest.mark.claim("JXA-SCP-03", tooth="a navigation between two observations")
def test_an_owned_window_may_navigate() -> None:
    safari = Safari()

    async def check(session: Session) -> None:
        one = await session.observe()
        safari.epoch, safari.url = "", "http://shop.test/next"
        with pytest.raises(StalePage) as caught:
            await session.act("e1", one)
        assert caught.value.part == "document"
        two = await session.observe()
        assert (two.rebound, session.status()["url"]) == (True, safari.url)
        assert two.epoch != one.epoch
        await session.act("e1", two)
        with pytest.raises(StalePage, match="document"):
            await session.act("e1", one)

    owned(safari, check)


def test_an_owned_window_may_gain_a_tab_and_not_show_another() -> None:
    safari = Safari()

    async def check(session: Session) -> None:
        safari.tabs = 2
        await session.observe()
        assert session.status()["tabs"] == 2
        safari.visible = [1]
        with pytest.raises(ScopeLost):
            await session.observe()
        assert (await session.close()).window == "left open"

    owned(safari, check)
    assert safari.closed == 0


# Which observation


def test_only_an_observation_of_the_session_is_one() -> None:
    safari = Safari()

    async def check(session: Session) -> None:
        first = await session.observe()
        for _ in range(16):
            await session.observe()
        with pytest.raises(CallError, match="unknown_observation"):
            await session.act("e1", first)
        with pytest.raises(CallError, match="unknown_observation"):
            session.observed(1)
        assert session.observed(17).number == 17
        assert safari.asked("act") == []

    lent(safari, check)


@pytest.mark.claim("JXA-RUN-08", tooth="a refusal whose page is forgotten")
@pytest.mark.parametrize("reply", [{"part": "around"}, {"reason": "covered"}])
def test_a_refusal_brings_what_the_page_shows_now(reply: dict[str, str]) -> None:
    safari = Safari()

    async def check(session: Session) -> None:
        page = await session.observe()
        safari.pages["act"] = lambda argument: {
            "status": "refused", **reply, "seen": safari.snapshot({**argument, "rebind": None})
        }  # fmt: skip
        with pytest.raises(StalePage) as caught:
            await session.act("e1", page)
        now = caught.value.seen_now
        assert now is not None and now is session.observed(2)
        del safari.pages["act"]
        assert (await session.act(now.actions[0], now)).changed
        assert [request["argument"]["op"] for request in safari.asked("read")] == ["bind", "observe"]

    lent(safari, check)


@pytest.mark.parametrize("seen", [None, 7, {}, {"status": "ok"}])
def test_what_is_no_observation_is_left_out_and_the_refusal_stands(seen: object) -> None:
    safari = Safari()

    async def check(session: Session) -> None:
        page = await session.observe()
        safari.pages["act"] = {"status": "refused", "part": "around", "seen": seen}
        with pytest.raises(StalePage) as caught:
            await session.act("e1", page)
        assert (caught.value.part, caught.value.seen_now) == ("around", None)
        assert (await session.observe()).number == 2

    lent(safari, check)


def test_a_page_that_says_nothing_that_can_be_read_is_said() -> None:
    safari = Safari()

    async def check(session: Session) -> None:
        page = await session.observe()
        safari.pages["observe"] = {"status": "ok"}
        safari.pages["fresh"] = {"status": "finished", "changed": False}
        for ask in (session.observe, partial(session.fresh, "e1", page)):
            with pytest.raises(BridgeError) as caught:
                await ask()
            assert caught.value.code == "page_unreadable"

    lent(safari, check)
