"""What the loop needs of a driver, and which of a driver's failures cost no more than the decision.

Separate from every driver, because the loop runs over several. A driver's failure is a StackError; its code says which
of three things it means to the loop.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Protocol

from stack.contract import Json, Outcome
from stack.errors import StackError

Action = Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Page:
    """One observation. number: by which the driver knows it; actions: as they were listed, each with id, kind and
    label, and those of an element with node, role and value; fingerprint: equal where nothing visible has moved."""

    number: int
    url: str
    title: str
    text: str
    actions: tuple[Action, ...]
    fingerprint: str


@dataclass(frozen=True, slots=True)
class Acted:
    """An action was done. changed: whether the page shows it at once."""

    changed: bool


class Driver(Protocol):
    """One page. Every failure is a StackError."""

    async def observe(self) -> Page:
        """Look at the page."""

    async def act(self, action: Action, page: Page, text: str | None) -> Acted:
        """Do one action of that page, at most once. An error whose code is in MOVED: nothing was done."""

    async def text(self) -> str:
        """The visible text of the page now."""


class Failed(StackError):
    """A failure that a tool answered with. part: which part of the page moved, where the tool says it; page: what the
    page showed then, where it came with the failure."""

    def __init__(
        self, code: str, seen: str, outcome: Outcome, part: str | None = None, page: Page | None = None
    ) -> None:
        super().__init__(code, seen, outcome=outcome)
        self.part = part
        self.page = page

    @property
    def advice(self) -> str:
        """The tool's own text has it."""
        return ""

    def __str__(self) -> str:
        return self.seen


MOVED: Final = frozenset({"stale_page", "action_blocked", "never_ran", "unknown_observation"})
"""Codes of an action that was certainly not done, on a page that is to be looked at again."""
UNREADABLE: Final = frozenset({"page_unreadable"})
"""Codes of a look that failed for the moment."""


def part_of(error: StackError) -> str:
    """Which part of the page moved, or else the code."""
    reason, part = getattr(error, "reason", None), getattr(error, "part", None)
    return str(reason or part or error.code)
