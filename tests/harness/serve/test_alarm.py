"""Sleeping until a time that may come nearer, or until it is rung: in virtual time, and on the real clock."""
from __future__ import annotations

import math
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
import trio

from harness.serve.alarm import Alarm
from harness.serve.scheduler import Stuck, run_real, run_virtual

CLOCKS: list[Callable[[Callable[[], Awaitable[Any]]], Any]] = [
    lambda function: run_virtual(function, 1),
    lambda function: run_real(function, 1000.0),
]


async def slept(alarm: Alarm, due_s: float, *meanwhile: Callable[[], None]) -> float:
    """Seconds that it slept; `meanwhile` happens one after the other, a second apart."""
    began = trio.current_time()

    async def happens() -> None:
        for each in meanwhile:
            await trio.sleep(1)
            each()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(happens)
        await alarm.sleep(began + due_s)
        took = trio.current_time() - began
        nursery.cancel_scope.cancel()
    return took


@pytest.mark.parametrize("run", CLOCKS, ids=["virtual", "real"])
def test_it_sleeps_until_its_time(run: Callable[..., Any]) -> None:
    assert run(lambda: slept(Alarm(), 3)) >= 3


def test_that_time_is_exact_where_time_is_virtual() -> None:
    assert run_virtual(lambda: slept(Alarm(), 3.25), 1) == 3.25


@pytest.mark.parametrize("run", CLOCKS, ids=["virtual", "real"])
@pytest.mark.parametrize("due_s", [3_000_000.0, math.inf])
def test_it_is_rung(run: Callable[..., Any], due_s: float) -> None:
    async def rung() -> float:
        alarm = Alarm()
        return await slept(alarm, due_s, alarm.ring)

    assert 1 <= run(rung) < 3_000_000


@pytest.mark.parametrize("run", CLOCKS, ids=["virtual", "real"])
@pytest.mark.parametrize("due_s", [3_000_000.0, math.inf])
def test_its_time_comes_nearer_and_only_nearer(run: Callable[..., Any], due_s: float) -> None:
    async def moved() -> float:
        alarm, now = Alarm(), trio.current_time()
        return await slept(
            alarm, due_s, lambda: alarm.by(now + 20), lambda: alarm.by(now + 10), lambda: alarm.by(now + 4_000_000)
        )

    assert 10 <= run(moved) < 3_000_000


@pytest.mark.parametrize("run", CLOCKS, ids=["virtual", "real"])
def test_a_time_that_is_over_wakes_it_at_once(run: Callable[..., Any]) -> None:
    async def moved() -> float:
        alarm, now = Alarm(), trio.current_time()
        return await slept(alarm, math.inf, lambda: alarm.by(now))

    assert 1 <= run(moved) < 3_000_000


def test_who_was_rung_before_does_not_sleep_and_sleeps_the_next_time() -> None:
    async def twice() -> list[float]:
        alarm = Alarm()
        alarm.ring()
        return [await slept(alarm, 5), await slept(alarm, 5)]

    assert run_virtual(twice, 1) == [0, 5]


def test_who_does_not_sleep_is_not_moved() -> None:
    async def moved() -> float:
        alarm = Alarm()
        alarm.by(trio.current_time() + 1)
        return await slept(alarm, 5)

    assert run_virtual(moved, 1) == 5


def test_a_sleep_that_is_given_up_is_over() -> None:
    async def given_up() -> list[float]:
        alarm, began = Alarm(), trio.current_time()
        with trio.move_on_after(1):
            await alarm.sleep(began + 5)
        alarm.by(began + 2)
        return [trio.current_time() - began, await slept(alarm, 5)]

    assert run_virtual(given_up, 1) == [1, 5]


def test_where_an_alarm_and_a_deadline_fall_together_the_seed_says_which_comes_first() -> None:
    async def both() -> str:
        seen: list[str] = []

        async def alarmed() -> None:
            await Alarm().sleep(due)
            seen.append("alarm")

        async def waited() -> None:
            await trio.sleep_until(due)
            seen.append("deadline")

        due = trio.current_time() + 5
        async with trio.open_nursery() as nursery:
            nursery.start_soon(alarmed)
            nursery.start_soon(waited)
        return seen[0]

    first = [run_virtual(both, seed) for seed in range(20)]
    assert set(first) == {"alarm", "deadline"}
    assert first == [run_virtual(both, seed) for seed in range(20)]


def test_alarms_that_fall_together_all_wake() -> None:
    async def all_of_them() -> list[float]:
        began = trio.current_time()
        woken: list[float] = []

        async def one() -> None:
            await Alarm().sleep(began + 2)
            woken.append(trio.current_time() - began)

        async with trio.open_nursery() as nursery:
            for _ in range(3):
                nursery.start_soon(one)
        return woken

    assert run_virtual(all_of_them, 1) == [2, 2, 2]


def test_one_that_sleeps_for_ever_is_no_time_to_wait_for() -> None:
    with pytest.raises(Stuck):
        run_virtual(lambda: Alarm().sleep(math.inf), 1)
