"""A page, a driver and a model of a few lines each, for the tests of the loop. Time is a mock clock's."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import trio
from trio.testing import MockClock

from stack.decide.answer import Decision, decision
from stack.decide.port import Acted, Action, Page
from stack.decide.question import OPERATION, OUTCOME
from stack.decide.space import NONE, Space
from stack.errors import StackError

T = TypeVar("T")


def control(number: int, kind: str, label: str, node: int, **more: Any) -> dict[str, Any]:
    """An action that is aimed at a control."""
    action = {"id": f"e{number}", "kind": kind, "label": label, "node": node, "role": "button", "value": ""}
    return {**action, "rect": {"x": 1, "y": 2, "w": 30, "h": 4}, **more}


ACTIONS: tuple[dict[str, Any], ...] = (
    control(1, "fill", "Where from?", 4, role="combobox", value="Oklahoma City"),
    control(2, "click", "Where from?", 4, role="combobox"),
    control(3, "select", "Colour: Red", 7, role="combobox", value="r", option=0),
    control(4, "select", "Colour: Grün", 7, role="combobox", value="g", option=1),
    control(5, "click", "Buy", 9),
    {"id": "scroll-down", "kind": "scroll", "label": "Scroll down"},
    {"id": "wait", "kind": "wait", "label": "Wait for the page to update"},
)


def page(number: int = 1, actions: Sequence[Action] = ACTIONS, **more: Any) -> Page:
    """A page; its fingerprint is its text."""
    text = str(more.get("text", "Prices \u2028 for 2 adults"))
    return Page(number, "http://shop.test/?q=1", "Shop", text, tuple(actions), text)


def answers(space: Space, operation: str, target: str | None = None, /, **more: Any) -> dict[str, Any]:
    """The answers of a model. more: sure, target_sure, visible; and heads that are put over its own."""
    found: dict[str, Any] = {OPERATION: choice(space.operations, operation, more.pop("sure", 0.9))}
    chosen = space.operations.get(operation)
    if chosen is not None and chosen.targets:
        wanted = target or next(iter(chosen.targets))
        found[chosen.head] = choice((*chosen.targets, NONE), wanted, more.pop("target_sure", 0.9))
    found[OUTCOME] = {"type": "noul", "noul": more.pop("visible", 0.5)}
    return {**found, **more}


def choice(options: Any, chosen: str, sure: float) -> dict[str, Any]:
    """A head with this confidence."""
    names = list(options)
    top = 1 / len(names) + sure * (1 - 1 / len(names))
    rest = (1 - top) / max(len(names) - 1, 1)
    return {
        "type": "choice",
        "choice": chosen,
        "probabilities": {name: top if name == chosen else rest for name in names},
    }


def body(given: Any) -> bytes:
    """A reply's body."""
    return json.dumps({"model": "m", "answers": given}).encode()


@dataclass
class Script:
    """A model that decides from a script: (operation, target, more), the last one for ever. bodies: what it was sent.
    errors: by the number of the request, from 1. think: seconds."""

    steps: Sequence[Any]
    think: float = 0.35
    errors: dict[int, StackError] = field(default_factory=dict)
    bodies: list[bytes] = field(default_factory=list)
    times: list[float] = field(default_factory=list)

    async def decide(self, sent: bytes, space: Space) -> Decision:
        self.bodies.append(sent)
        self.times.append(trio.current_time())
        await trio.sleep(self.think)
        number = len(self.bodies)
        if number in self.errors:
            raise self.errors[number]
        operation, target, more = (*self.steps[min(number, len(self.steps)) - 1], None, {})[:3]
        return decision(body(answers(space, operation, target, **(more or {}))), space)


@dataclass
class Driven:
    """A driver over pages of a script. acts: what came to each act, a StackError or whether it changed anything."""

    pages: Sequence[Page | StackError] = (page(),)
    acts: Sequence[bool | StackError] = (True,)
    acted: list[tuple[str, int, str | None]] = field(default_factory=list)
    reads: list[float] = field(default_factory=list)

    async def observe(self) -> Page:
        self.reads.append(trio.current_time())
        seen = self.pages[min(len(self.reads), len(self.pages)) - 1]
        if isinstance(seen, StackError):
            raise seen
        return Page(len(self.reads), seen.url, seen.title, seen.text, seen.actions, seen.fingerprint)

    async def act(self, action: Action, page: Page, text: str | None) -> Acted:
        self.acted.append((str(action["id"]), page.number, text))
        came = self.acts[min(len(self.acted), len(self.acts)) - 1]
        if isinstance(came, StackError):
            raise came
        return Acted(came)

    async def text(self) -> str:
        return "Prices include taxes for 2 adults"


def play(main: Callable[[], Awaitable[T]]) -> T:
    """Run it on the mock clock, from time 0."""
    return trio.run(main, clock=MockClock(autojump_threshold=0))
