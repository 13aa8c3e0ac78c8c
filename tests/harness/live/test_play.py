"""Steps of a live run, and its end at any moment: what is running is taken back, and what follows is not played."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from harness.live.play import LivePlay
from harness.live.witness import Witness
from harness.scenario.play import Play
from tests.harness.live.rehearsed import OF

HOUR = {"wait_ms": 3_600_000}
CALL = {"call": {"tool": "x"}}


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[Mapping[str, Any]]:
    """The steps that reach a Play; calls take an hour, as waiting does."""
    seen: list[Mapping[str, Any]] = []

    async def step(play: Play, given: Mapping[str, Any], nursery: trio.Nursery) -> None:
        seen.append(given)
        if "call" not in given:
            await trio.sleep(given["wait_ms"] / 1000)
            return
        scope = play._scopes[given["as"]] = trio.CancelScope()
        with scope:
            await trio.sleep(3600)

    monkeypatch.setattr(Play, "_step", step)
    return seen


def run(steps: list[dict[str, Any]], stopped_after_s: float) -> float:
    """The steps, stopped once; how long they took in seconds."""
    play = LivePlay({"steps": steps}, OF, Witness({}), None, carries=("epoch",))
    play.history.lines.append({"e": "answered", "content": [{"text": '{"epoch":"b"}'}]})

    async def main() -> float:
        began = trio.current_time()
        async with trio.open_nursery() as nursery:

            async def stop() -> None:
                await trio.sleep(stopped_after_s)
                play.stop()

            nursery.start_soon(stop)
            for step in steps:
                await play._step(step, nursery)
            took = trio.current_time() - began
            nursery.cancel_scope.cancel()
        return took

    return trio.run(main, clock=MockClock(autojump_threshold=0))


@pytest.mark.claim("HAR-LIVE-02", tooth="an hour's wait or call that is not ended")
@pytest.mark.parametrize(
    ("steps", "took_s", "count"),
    [
        ([HOUR, HOUR, CALL], 5, 1),
        ([CALL, CALL, HOUR], 5, 1),
        ([{"wait_ms": 4000}, CALL, HOUR], 5, 2),
        ([{"wait_ms": 1000}, {"wait_ms": 1000}], 2, 2),
    ],
)
def test_a_run_that_is_stopped_is_over_at_once(
    steps: list[dict[str, Any]], took_s: float, count: int, played: list[Mapping[str, Any]]
) -> None:
    assert run(steps, 5) == took_s
    assert len(played) == count


def test_calls_have_names_by_which_they_are_taken_back(played: list[Mapping[str, Any]]) -> None:
    run([{**CALL, "as": "one"}], 1)
    run([CALL], 1)
    assert [step["as"] for step in played] == ["one", "call 0"]


def test_what_the_run_gave_is_in_the_steps(played: list[Mapping[str, Any]]) -> None:
    run([{"call": {"tool": "x", "arguments": {"epoch": "a", "url": "a2"}}}], 1)
    assert played[0]["call"]["arguments"] == {"epoch": "b", "url": "a2"}
