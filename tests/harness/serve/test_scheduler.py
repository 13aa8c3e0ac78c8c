"""Virtual time is exact and free, and a seed decides the order of tasks.

Fails when trio changes what it is built on.
"""
from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest
import trio

from harness.serve.scheduler import Stuck, run_real, run_virtual


async def order() -> list[int]:
    seen: list[int] = []

    async def note(number: int) -> None:
        for _ in range(3):
            await trio.lowlevel.checkpoint()
            seen.append(number)

    async with trio.open_nursery() as nursery:
        for number in range(6):
            nursery.start_soon(note, number)
    return seen


@pytest.mark.claim("HAR-DET-01")
def test_one_seed_gives_one_order_and_seeds_differ() -> None:
    assert len({tuple(run_virtual(order, 7)) for _ in range(10)}) == 1
    assert len({tuple(run_virtual(order, seed)) for seed in range(10)}) > 5


def test_an_hour_passes_at_once_and_exactly() -> None:
    async def wait() -> float:
        began = trio.current_time()
        await trio.sleep(3600)
        return trio.current_time() - began

    assert run_virtual(wait, 1) == 3600


def test_trios_own_scheduling_is_given_back() -> None:
    before = trio._core._run._ALLOW_DETERMINISTIC_SCHEDULING

    async def fail() -> None:
        assert trio._core._run._ALLOW_DETERMINISTIC_SCHEDULING
        raise ValueError

    with pytest.raises(ValueError):  # noqa: PT011 - its own
        run_virtual(fail, 1)
    assert before == trio._core._run._ALLOW_DETERMINISTIC_SCHEDULING


@pytest.mark.parametrize("rate", [1.0, 1000.0])
def test_real_runs_have_real_time_or_a_multiple_of_it(rate: float) -> None:
    async def wait() -> float:
        began = trio.current_time()
        await trio.sleep(0.002 * rate)
        return trio.current_time() - began

    assert run_real(wait, rate) >= 0.002 * rate


async def for_ever() -> None:
    await trio.sleep_forever()


async def shielded() -> None:
    with trio.CancelScope(shield=True):
        await trio.Event().wait()


async def beside() -> None:
    async with trio.open_nursery() as nursery:
        nursery.start_soon(shielded)
        await trio.sleep(60)
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize("function", [for_ever, shielded, beside])
def test_a_run_in_which_nothing_can_happen_any_more_ends_and_says_what_waits(
    function: Callable[[], Awaitable[None]],
) -> None:
    with pytest.raises(Stuck, match=r"tasks that wait for each other: .*") as caught:
        run_virtual(function, 1)
    assert function.__name__ in str(caught.value) or "shielded" in str(caught.value)
