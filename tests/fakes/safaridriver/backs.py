"""The back that a check runs on: here the model in virtual time; an engine or the real program is another."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import trio

from fakes.fronts.safaridriver import SafariDriver
from fakes.worlds.safari import Safari
from harness.serve.scheduler import run_virtual
from harness.serve.stage import Stage
from harness.serve.virtual import VirtualHost
from tests.fakes.safaridriver.client import Client, Connect, Options
from tests.fakes.safaridriver.pages import WORLD

PLAIN = Options()
Check = Callable[[Connect], Awaitable[None]]


class Model:
    """The fake over the model of pages. Each call of it is one program on a stage of its own; `stages` keeps them."""

    virtual = True

    def __init__(self, profile: str = "27.0", machine: Any = SafariDriver, seed: int = 1) -> None:
        self.profile = profile
        self.machine = machine
        self.seed = seed
        self.stages: list[Stage] = []

    @asynccontextmanager
    async def __call__(self, options: Options = PLAIN) -> AsyncIterator[Client]:
        settings = {"profile": self.profile, **options.settings}
        sheet = {"v": 1, "seed": self.seed, "world": {**WORLD, **options.world}, "programs": {"safaridriver": settings}}
        stage = Stage(sheet, {"safaridriver": self.machine}, Safari, clock=trio.current_time)
        self.stages.append(stage)
        async with trio.open_nursery() as nursery:
            host = VirtualHost(stage, nursery, self.seed)
            process = await host.start("safaridriver", list(options.arguments), env={}, cwd="/")
            client = Client(process, self.profile, nursery)
            if options.greet:
                await client.greet()
            yield client
            nursery.cancel_scope.cancel()

    def check(self, check: Check) -> None:
        run_virtual(lambda: check(self), self.seed)

    def of(self, kind: str) -> list[dict[str, Any]]:
        """Lines of one kind in the world record of the last run."""
        return [event for event in self.stages[-1].events if event["e"] == kind]
