"""Collections are rarer, and leave alone what was there."""
from __future__ import annotations

import gc

from harness.garbage import EVERY, collected_rarely


def test_what_is_there_is_left_alone_and_collections_are_rare() -> None:
    before = gc.get_threshold()
    with collected_rarely():
        assert gc.get_threshold()[:2] == EVERY[:2]
        assert gc.get_freeze_count() > 1000
    assert (gc.get_threshold(), gc.get_freeze_count()) == (before, 0)


def test_cycles_of_runs_are_collected_all_the_same() -> None:
    class Ring:
        pass

    dead: list[int] = []
    gc.callbacks.append(lambda phase, info: dead.append(info["collected"]) if phase == "stop" else None)
    with collected_rarely():
        for _ in range(EVERY[0] + 1000):
            ring = Ring()
            ring.self = ring  # type: ignore[attr-defined]
        gc.callbacks.pop()
    assert sum(dead) > EVERY[0] // 2
