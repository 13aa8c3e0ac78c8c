"""The end of a session: what is closed, once, and what is left."""

from __future__ import annotations

from typing import Any

import pytest

from stack.errors import CallError
from stack.safari_jxa.errors import (
    BridgeError,
)
from stack.safari_jxa.session import Session
from tests.stack.scripted_safari import SILENT, Safari, failing, lent, never, owned


def test_an_owned_window_is_closed_once() -> None:
    safari = Safari()

    async def check(session: Session) -> None:
        assert (await session.close()).window == "closed"
        assert (await session.close()).window == "closed"
        with pytest.raises(CallError, match="no_session"):
            await session.observe()

    owned(safari, check)
    assert safari.closed == 1


@pytest.mark.claim("JXA-WIN-04", tooth="a window that gains a tab")
def test_an_owned_window_that_gained_a_tab_is_left() -> None:
    safari = Safari()

    async def check(session: Session) -> None:
        safari.tabs = 2
        assert (await session.close()).why == "it has 2 tabs now"

    owned(safari, check)
    assert safari.closed == 0


@pytest.mark.parametrize(
    ("said", "window"),
    [
        (failing(-1728), "closed"),
        (failing(-1728, sent=True), "closed"),
        (failing(-1743), "left open"),
        (failing(-1743, sent=True), "left open"),
        (failing(-1712), "left open"),
        (failing(-1712, sent=True), "unknown"),
        (failing(-600, sent=True), "unknown"),
        (SILENT, "unknown"),
        (never, "unknown"),
    ],
)
def test_a_window_that_may_not_be_closed_is_not_said_to_be(said: Any, window: str) -> None:
    safari = Safari()

    async def check(session: Session) -> None:
        safari.answers["close"] = said
        assert (await session.close()).window == window

    owned(safari, check)
    assert len(safari.asked("close")) == 1


def test_a_window_whose_bridge_died_is_closed_by_another_one() -> None:
    safari = Safari()

    async def check(session: Session) -> None:
        safari.answers["read"] = never
        with pytest.raises(BridgeError):
            await session.observe()
        assert (await session.close()).window == "closed"

    owned(safari, check)
    assert (safari.closed, len(safari.asked("start"))) == (1, 2)


@pytest.mark.claim("JXA-WIN-06", tooth="an exception in the block")
@pytest.mark.parametrize("mine", [True, False])
def test_leaving_the_block_by_an_exception_closes_what_was_opened(mine: bool) -> None:
    safari = Safari()

    async def check(session: Session) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        (owned if mine else lent)(safari, check)
    assert safari.closed == (1 if mine else 0)
