"""A reply that is lost: looked up, never sent again, and unknown where nobody can tell."""

from __future__ import annotations

from typing import Any

import anyio
import pytest

from stack.safari_jxa.errors import (
    NOT_RUN,
    SCOPE,
    BridgeCallError,
    BridgeError,
    BridgeTimeout,
    DeliveryUnknown,
    NeverRan,
    ScopeLost,
    StalePage,
)
from stack.safari_jxa.scope import State
from stack.safari_jxa.session import Session
from tests.stack.scripted_safari import SILENT, Safari, failing, lent, never, owned


def silently(safari: Safari, phase: str | None) -> Any:
    """An `act` that runs as far as the phase, and whose reply never comes."""

    def answer(request: dict[str, Any]) -> Any:
        if phase is not None:
            safari.records[request["params"]["argument"]["nonce"]] = {"phase": phase, "changed": True, "part": "route"}
        return SILENT

    return answer


@pytest.mark.parametrize(
    ("phase", "outcome"),
    [
        ("finished", None),
        ("refused", StalePage),
        (None, NeverRan),
        ("started", DeliveryUnknown),
        ("odd", DeliveryUnknown),
    ],
)
@pytest.mark.claim("JXA-DLV-01", "JXA-DLV-02", "JXA-DLV-05", tooth="a reply that is lost at each phase")
def test_a_lost_reply_is_resolved_and_never_sent_again(phase: str | None, outcome: type[Exception] | None) -> None:
    safari = Safari()

    async def check(session: Session) -> None:
        page = await session.observe()
        safari.answers["act"] = silently(safari, phase)
        if outcome is None:
            acted = await session.act("e1", page)
            assert (acted.changed, acted.landed) == (True, True)
        else:
            with pytest.raises(outcome):
                await session.act("e1", page)
        assert len(safari.asked("act")) == 1
        assert len(safari.asked("resolve")) == 1
        (asked,) = safari.asked("resolve")
        assert asked["argument"]["nonce"] == safari.asked("act")[0]["argument"]["nonce"]

    assert lent(safari, check) == 10.0


@pytest.mark.parametrize(
    ("lost", "attempts"),
    [
        (SILENT, 2),
        (failing(-1712, sent=True), 2),
        (failing(-1728), 1),
        (failing(-609), 1),
        ({"value": None}, 2),
        ({"value": '{"status": "document"}'}, 1),
        ({"value": '{"status": "failed", "message": "x"}'}, 1),
    ],
)
@pytest.mark.claim("JXA-DLV-03", "JXA-DLV-04", tooth="a look-up that tells nothing")
def test_what_can_not_be_found_out_is_unknown_and_ends_the_session(lost: Any, attempts: int) -> None:
    safari = Safari()

    async def check(session: Session) -> None:
        page = await session.observe()
        safari.answers |= {"act": SILENT, "resolve": lost}
        with pytest.raises(DeliveryUnknown) as caught:
            await session.act("e1", page)
        assert caught.value.outcome == "unknown"
        safari.answers = {}
        with pytest.raises(DeliveryUnknown) as again:
            await session.observe()
        assert repr(again.value) == repr(caught.value)
        assert (caught.value.outcome, again.value.outcome) == ("unknown", "refused"), "it has dispatched nothing"
        assert session.status()["state"] == "unknown"
        assert (await session.close()).window == "left open"
        assert len(safari.asked("resolve")) == attempts

    owned(safari, check)
    assert safari.asked("close") == []


@pytest.mark.parametrize("number", [-1712, -609, -600, -10000, -2700, 1])
def test_an_event_that_failed_after_it_was_sent_is_looked_up(number: int) -> None:
    safari = Safari()

    async def check(session: Session) -> None:
        page = await session.observe()
        safari.answers["act"] = failing(number, sent=True)
        with pytest.raises(NeverRan):
            await session.act("e1", page)

    lent(safari, check)


@pytest.mark.parametrize("number", sorted(NOT_RUN))
def test_an_event_that_certainly_did_not_run_is_not(number: int) -> None:
    safari = Safari()

    async def check(session: Session) -> None:
        page = await session.observe()
        safari.answers["act"] = failing(number, sent=True)
        with pytest.raises(ScopeLost if number in SCOPE else BridgeCallError) as caught:
            await session.act("e1", page)
        assert caught.value.outcome == "refused"
        assert safari.asked("resolve") == []

    lent(safari, check)


def test_an_event_that_was_never_sent_did_not_run() -> None:
    safari = Safari()

    async def check(session: Session) -> None:
        page = await session.observe()
        safari.answers["act"] = failing(-1712, sent=False)
        with pytest.raises(BridgeCallError) as caught:
            await session.act("e1", page)
        assert caught.value.outcome == "refused"
        assert session.state is State.LIVE

    lent(safari, check)


@pytest.mark.parametrize("said", [None, "no object", {"status": "odd"}, {"status": "refused"}, {"status": "repeated"}])
def test_a_reply_of_the_page_that_can_not_be_read_is_a_lost_one(said: Any) -> None:
    safari = Safari()

    async def check(session: Session) -> None:
        page = await session.observe()
        safari.pages["act"] = said
        with pytest.raises(NeverRan):
            await session.act("e1", page)

    lent(safari, check)


def test_a_bridge_that_dies_under_an_action_leaves_it_unknown() -> None:
    safari = Safari()

    async def check(session: Session) -> None:
        page = await session.observe()
        safari.answers["act"] = never
        with pytest.raises(DeliveryUnknown):
            await session.act("e1", page)

    lent(safari, check)


def test_taking_an_action_back_finds_out_what_became_of_it() -> None:
    safari = Safari()

    async def check(session: Session) -> None:
        page = await session.observe()
        safari.answers["act"] = silently(safari, "finished")
        with anyio.move_on_after(1):
            assert (await session.act("e1", page)).landed is True
        assert session.state is State.LIVE

    assert lent(safari, check) == 1.0


def test_a_guard_that_says_nothing_is_no_guard() -> None:
    safari = Safari()

    async def check(session: Session) -> None:
        safari.answers["read"] = {"value": "{}"}
        with pytest.raises(BridgeError, match="guard"):
            await session.observe()

    lent(safari, check)


@pytest.mark.parametrize("said", [None, {"status": "ok"}, {"status": "refused", "part": "route"}])
def test_an_observation_that_can_not_be_read_is_an_error_and_no_end(said: Any) -> None:
    safari = Safari()

    async def check(session: Session) -> None:
        safari.pages["observe"] = said
        with pytest.raises(BridgeError, match="page_unreadable"):
            await session.observe()
        assert session.state is State.LIVE

    lent(safari, check)


def test_a_refusal_without_a_reason_is_no_refusal() -> None:
    safari = Safari()

    async def check(session: Session) -> None:
        page = await session.observe()
        safari.pages["fresh"] = {"status": "finished"}
        with pytest.raises(BridgeError, match="did not say why"):
            await session.fresh("e1", page)

    lent(safari, check)


@pytest.mark.parametrize("why", [{}, {"part": "odd"}, {"part": ["route"]}, {"reason": "odd"}])
def test_a_record_that_refused_for_no_known_reason_is_no_refusal(why: dict[str, Any]) -> None:
    safari = Safari(answers={"act": SILENT})

    async def check(session: Session) -> None:
        page = await session.observe()
        safari.pages["resolve"] = {"status": "ok", "phase": "refused", **why}
        with pytest.raises(BridgeError, match="did not say why"):
            await session.act("e1", page)

    lent(safari, check)


@pytest.mark.claim("JXA-BRG-02", tooth="a read that is answered too late")
def test_a_read_that_is_not_answered_ends_nothing() -> None:
    safari = Safari()

    async def check(session: Session) -> None:
        safari.answers["read"] = SILENT
        with pytest.raises(BridgeTimeout):
            await session.observe()
        del safari.answers["read"]
        await session.observe()

    assert lent(safari, check) == 10.0
