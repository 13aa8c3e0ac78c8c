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

    _front: str | None = None

    async def call(self, tool: str, arguments: Mapping[str, Any], caller: Any) -> Any:
        if tool in ("list_apps", "get_app_state") or "app" not in arguments:
            reply = await super().call(tool, arguments, caller)
            if tool == "get_app_state":
                self._front = await self._in_front(caller)
            return reply
        front = await self._in_front(caller)
        if self._front is not None and front not in (self._front, None):
            await super().call("get_app_state", {"app": front}, caller)
            arguments = {**arguments, "app": front}
        return await super().call(tool, arguments, caller)

    async def _in_front(self, caller: Any) -> str | None:
        reply = await super().call("list_apps", {}, caller)
        lines = [line for block in reply.content for line in (block.text or "").splitlines()]
        return next((line.partition(" — ")[0] for line in lines if "frontmost" in line), None)


class SaysDoneOnUnknown(Honest):
    """Takes no news for good news."""

    async def call(self, tool: str, arguments: Mapping[str, Any], caller: Any) -> Any:
        reply = await super().call(tool, arguments, caller)
        return replace(reply, outcome="done", code=None) if reply.outcome == "unknown" else reply


class SaysUnknownNowAndThen(Honest):
    """Every third call of the process, whatever it is: no sheet makes that happen again."""

    calls = 0

    async def call(self, tool: str, arguments: Mapping[str, Any], caller: Any) -> Any:
        reply = await super().call(tool, arguments, caller)
        SaysUnknownNowAndThen.calls += 1
        return reply if SaysUnknownNowAndThen.calls % 3 else replace(reply, outcome="unknown", code="who_knows")


@asynccontextmanager
async def follows_the_front(host: Any, settings: Any) -> AsyncIterator[Any]:
    async with computer_use.open(host, settings) as stack:
        yield FollowsTheFront(stack)


@asynccontextmanager
async def says_done_on_unknown(host: Any, settings: Any) -> AsyncIterator[Any]:
    async with computer_use.open(host, settings) as stack:
        yield SaysDoneOnUnknown(stack)


@asynccontextmanager
async def says_unknown_now_and_then(host: Any, settings: Any) -> AsyncIterator[Any]:
    async with computer_use.open(host, settings) as stack:
        yield SaysUnknownNowAndThen(stack)


def planted(name: str) -> Subject:
    """Computer Use with one of these stacks: the scenario file says the same of it as of the real one."""
    return replace(SUBJECTS["computer-use"], stack=f"{HERE}:{name}")
