"""One engine serves all runs of a child, is started anew where it is gone, and ends with the child."""
from __future__ import annotations

import resource
import sys
from typing import Any

import pytest

from harness.campaign.executor import forked
from harness.campaign.scripts.lending import WRAPPED, lent, listening
from harness.campaign.scripts.programs import MARK
from harness.subjects import Backing

HERE = __name__
BACKING = Backing(f"{HERE}:World", ("webkit",), ("page",), f"{HERE}:Engine")


class Engine:
    started: list[Engine] = []

    def __init__(self, pages: Any, *, waits: bool) -> None:
        assert not waits
        self.is_up = False

    def start(self) -> None:
        self.is_up = True
        Engine.started.append(self)

    def close(self) -> None:
        self.is_up = False

    def evaluate(self, handle: str, script: str, *arguments: Any) -> Any:
        return [script, [3, 4]] if MARK in script else script


class World:
    def __init__(self, record: Any, settings: Any, engine: Engine | None = None) -> None:
        self.engine = engine


def world_here() -> Any:
    return vars(sys.modules[HERE])["World"]


def test_worlds_share_an_engine_until_it_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resource, "setrlimit", lambda *args: None)
    Engine.started.clear()
    own = world_here()
    with lent(BACKING):
        worlds = [world_here()(None, None) for _ in range(2)]
        assert worlds[0].engine is worlds[1].engine
        worlds[0].engine.close()
        assert world_here()(None, None).engine is not worlds[0].engine
    assert world_here() is own
    assert [engine.is_up for engine in Engine.started] == [False, False]


def test_nothing_is_started_before_a_world_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resource, "setrlimit", lambda *args: None)
    Engine.started.clear()
    with lent(BACKING), lent(None):
        pass
    assert Engine.started == []


def test_the_bound_of_memory_is_lifted() -> None:
    def job() -> list[int]:
        before = resource.getrlimit(resource.RLIMIT_AS)[0]
        with lent(BACKING):
            return [before > 0, resource.getrlimit(resource.RLIMIT_AS)[0]]

    ((_, answer),) = forked([job], 1)
    assert answer == [True, resource.RLIM_INFINITY]


def test_what_counted_programs_say_is_heard_and_the_value_stays() -> None:
    engine, own = Engine({}, waits=False), Engine.evaluate
    reached: set[int] = set()
    with listening(BACKING, reached):
        assert engine.evaluate("w", f"return {MARK}") == WRAPPED.format(f"return {MARK}")
        assert engine.evaluate("w", "return 1") == "return 1"
    assert reached == {3, 4}
    assert Engine.evaluate is own
