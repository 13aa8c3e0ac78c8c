"""Waiting until a page rests, on the virtual clock."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
import trio

from stack.contract import Json
from stack.decide.port import Failed
from stack.session.settle import FLOOR_MS, Settled, settle
from tests.stack.decide.deciding import play
from tests.stack.session.holding import seen


def settled(pages: Sequence[Any], seconds: float) -> tuple[Settled, list[float]]:
    """The last page for ever; when it was read."""
    times: list[float] = []

    async def observe() -> Mapping[str, Json]:
        times.append(round(1000 * trio.current_time()))
        page = pages[min(len(times), len(pages)) - 1]
        if isinstance(page, Exception):
            raise page
        return dict(page)

    async def main() -> Settled:
        return await settle(observe, seconds)

    return play(main), times


@pytest.mark.claim("JXA-SES-03", tooth="a read inside of the quiet floor")
@pytest.mark.claim("JXA-SES-07", tooth="a first pause that is not the shortest")
def test_a_page_at_rest_costs_the_floor_and_the_shortest_pause() -> None:
    found, times = settled([seen()], 5)
    assert (found.settled, found.navigated, times) == (True, False, [FLOOR_MS, FLOOR_MS + 100])


@pytest.mark.claim("JXA-SES-07", tooth="pauses that do not lengthen, or lengthen too early")
def test_pauses_lengthen_only_while_reads_differ() -> None:
    found, times = settled([seen(text=str(n)) for n in range(7)], 30)
    assert times == [300, 400, 600, 1000, 1800, 3400, 5000, 6600]
    assert (found.settled, found.pauses_ms) == (True, (100, 200, 400, 800, 1600, 1600, 1600))


@pytest.mark.claim("JXA-SES-03", tooth="a page that never rests")
def test_it_never_takes_longer_than_was_said() -> None:
    found, times = settled([seen(text=str(n)) for n in range(99)], 2)
    assert (found.settled, times[-1], found.waited_ms) == (False, 2000, 2000)
    short, times = settled([seen()], 0.1)
    assert (short.settled, times) == (False, [100])


def test_half_a_document_is_no_rest() -> None:
    loading = seen(ready="loading")
    found, times = settled([loading, loading, seen(), seen()], 5)
    assert (found.settled, len(times)) == (True, 3)


@pytest.mark.claim("JXA-SES-03", tooth="a document that comes after the floor")
def test_a_new_document_is_reported() -> None:
    found, _ = settled([seen(), seen(text="next", rebound=True), seen(text="next")], 5)
    assert (found.navigated, found.settled, found.shown()["navigated"]) == (True, True, True)


def test_a_read_that_fails_for_the_moment_is_made_again_and_any_other_is_raised() -> None:
    gone = Failed("page_unreadable", "no body", "refused")
    found, times = settled([gone, seen(), gone, seen(), seen()], 5)
    assert (found.settled, len(times)) == (True, 4)
    last, _ = settled([gone, gone, seen()], 0.35)
    assert (last.settled, last.page["text"]) == (False, "none")
    with pytest.raises(Failed):
        settled([Failed("scope_lost", "gone", "refused")], 1)
