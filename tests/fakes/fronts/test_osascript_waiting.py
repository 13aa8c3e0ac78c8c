"""A script that blocks, as a machine: in a greenlet, and inside of a step."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pytest

from fakes.fronts.osascript_waiting import DEAD, PATIENCE, Nested, Switched
from harness.faults.steps import Step, Wait


def serve(request: Any) -> Generator[Step, Any, Any]:
    yield Wait(request[1])
    return {"value": request[1] * 2}


def carry_out(handler: Generator[Step, Any, Any]) -> tuple[list[Step], Any]:
    """The steps of a handler, and what it returned."""
    steps = []
    try:
        while True:
            steps.append(next(handler))
    except StopIteration as stop:
        return steps, stop.value


def test_what_a_script_asks_becomes_steps_and_its_answer_comes_back() -> None:
    waiting = Switched()

    def body() -> str:
        return str([waiting.ask(("op", number))["value"] for number in (1, 2)])

    assert carry_out(waiting.run(body, serve)) == ([Wait(1), Wait(2)], "[2, 4]")
    waiting.kill()


def test_a_killed_script_is_told_until_it_ends() -> None:
    waiting = Switched()
    told: list[Any] = []

    def body() -> None:
        while len(told) < 5:
            told.append(waiting.ask(("op", 1)))

    handler = waiting.run(body, serve)
    next(handler)
    waiting.kill()
    assert told == [DEAD] * 5
    waiting.kill()
    assert len(told) == 5


def test_patience_has_an_end() -> None:
    waiting = Switched()
    told = 0

    def body() -> None:
        nonlocal told
        while True:
            waiting.ask(("op", 1))
            told += 1

    next(waiting.run(body, serve))
    waiting.kill()
    assert told == PATIENCE


def test_a_script_that_was_never_begun_needs_no_killing() -> None:
    waiting = Switched()
    waiting.kill()
    assert waiting.run(lambda: None, serve) is not None


def test_what_a_script_raises_reaches_the_machine() -> None:
    waiting = Switched()
    with pytest.raises(ZeroDivisionError):
        next(waiting.run(lambda: 1 / 0, serve))


def test_nested_the_loop_goes_round_inside_of_the_script() -> None:
    carried: list[Any] = []

    def within(handler: Any) -> Any:
        steps, value = carry_out(handler)
        carried.extend(steps)
        return value

    waiting = Nested(within)
    assert carry_out(waiting.run(lambda: waiting.ask(("op", 3)), serve)) == ([], {"value": 6})
    assert carried == [Wait(3)]
    assert waiting.kill() is None  # type: ignore[func-returns-value]
