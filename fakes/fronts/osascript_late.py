"""What comes after its sender was told of an error: the step that brings the world up to then."""

from __future__ import annotations

from harness.faults.steps import Step

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from harness.faults.steps import Shell


class Late(Step):
    """The world is brought up to now: an event that runs late runs in time, even where nobody else looks."""

    __slots__ = __match_args__ = ("world",)

    def __init__(self, world: Any) -> None:
        self.world = world

    def apply_to(self, session: Shell) -> None:
        self.world.advance()
