"""Computer Use stacks with one bug each, opened in the place of the real one: the search must find them.

They are worse at the stack's port, and only in situations that the search has to bring about.
"""
from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

from harness.subjects import SUBJECTS, Subject
from stack import computer_use

HERE = "tests.harness.properties.planted"


class Honest:
    """The real stack, with nothing worse."""

    def __init__(self, stack: Any) -> None:
        self._stack = stack

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stack, name)

    async def call(self, tool: str, arguments: Mapping[str, Any], caller: Any) -> Any:
        return await self._stack.call(tool, arguments, caller)


class FollowsTheFront(Honest):
    """Acts on the app in front where another one came to the front since it looked: on the wrong app after a change."""

    def __init__(self, stack: Any, world: Any) -> None:
        super().__init__(stack)
        self._world = world
        self._seen: str | None = None

    async def call(self, tool: str, arguments: Mapping[str, Any], caller: Any) -> Any:
        front = self._world.front.name
        if tool == "get_app_state":
            self._seen = front
        elif "app" in arguments and self._seen not in (None, front):
            await super().call("get_app_state", {"app": front}, caller)
            arguments = {**arguments, "app": front}
        return await super().call(tool, arguments, caller)


class SaysDoneOnUnknown(Honest):
    """Takes no news for good news."""

    async def call(self, tool: str, arguments: Mapping[str, Any], caller: Any) -> Any:
        reply = await super().call(tool, arguments, caller)
        return replace(reply, outcome="done", code=None) if reply.outcome == "unknown" else reply


class SaysUnknown(Honest):
    """Whatever happened."""

    async def call(self, tool: str, arguments: Mapping[str, Any], caller: Any) -> Any:
        return replace(await super().call(tool, arguments, caller), outcome="unknown", code="who_knows")


OPENED = [0]
"""How often `says_unknown_now_and_then` was opened in this process, which no run sheet says."""


@asynccontextmanager
async def follows_the_front(host: Any, settings: Any) -> AsyncIterator[Any]:
    async with computer_use.open(host, settings) as stack:
        yield FollowsTheFront(stack, host._stage.world)


@asynccontextmanager
async def says_done_on_unknown(host: Any, settings: Any) -> AsyncIterator[Any]:
    async with computer_use.open(host, settings) as stack:
        yield SaysDoneOnUnknown(stack)


@asynccontextmanager
async def says_unknown_now_and_then(host: Any, settings: Any) -> AsyncIterator[Any]:
    async with computer_use.open(host, settings) as stack:
        OPENED[0] += 1
        yield stack if OPENED[0] % 3 else SaysUnknown(stack)


def planted(name: str) -> Subject:
    """Computer Use with one of these stacks: the scenario file says the same of it as of the real one."""
    return replace(SUBJECTS["computer-use"], stack=f"{HERE}:{name}")
