"""An event that runs late runs in time, even where nobody else looks at the world."""

from __future__ import annotations

from typing import Any

from fakes.fronts.osascript_late import Late


def test_the_world_is_brought_up_to_now() -> None:
    class World:
        advanced = 0

        def advance(self) -> None:
            self.advanced += 1

    world, shell = World(), object()
    step: Any = Late(world)
    step.apply_to(shell)
    assert world.advanced == 1
