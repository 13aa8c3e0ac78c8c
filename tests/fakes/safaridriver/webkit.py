"""The back with real WebKit: the same machine, over a world whose pages are an engine's, on the machine's clock.

An engine is a second to start, so the checks of a test module share one: each check gets a Safari of its own on it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import trio

from fakes.engines.webkit import WebKit
from fakes.fronts.safaridriver import SafariDriver
from fakes.worlds.safari_webkit import SafariOnWebKit
from harness.serve.scheduler import run_real
from harness.serve.stage import Stage
from harness.serve.virtual import VirtualHost
from tests.fakes.safaridriver.backs import PLAIN, Check
from tests.fakes.safaridriver.client import Client, Options
from tests.fakes.safaridriver.pages import WORLD

QUICK = {"browser_ms": 0}
"""What the fake waits for where it need not: an engine takes its own time. Its rest after a step stays, since a load
that a page begins is seen only when the new document is there."""


class OnWebKit:
    """See `backs.Model`. engine: the one that all of its Safaris share."""

    virtual = False

    def __init__(self, engine: WebKit, profile: str = "27.0", machine: Any = SafariDriver) -> None:
        self.engine = engine
        self.profile = profile
        self.machine = machine
        self.stages: list[Stage] = []

    @asynccontextmanager
    async def __call__(self, options: Options = PLAIN) -> AsyncIterator[Client]:
        settings = {"profile": self.profile, **QUICK, **options.settings}
        sheet = {"v": 1, "seed": 1, "world": {**WORLD, **options.world}, "programs": {"safaridriver": settings}}

        def world(record: Any, given: Any) -> SafariOnWebKit:
            return SafariOnWebKit(record, given, engine=self.engine)

        stage = Stage(sheet, {"safaridriver": self.machine}, world, clock=trio.current_time, may_block=True)
        self.stages.append(stage)
        try:
            async with trio.open_nursery() as nursery:
                host = VirtualHost(stage, nursery, 1)
                process = await host.start("safaridriver", list(options.arguments), env={}, cwd="/")
                client = Client(process, self.profile, nursery)
                if options.greet:
                    await client.greet()
                yield client
                nursery.cancel_scope.cancel()
        finally:
            stage.world.close()  # type: ignore[attr-defined]

    def check(self, check: Check) -> None:
        run_real(lambda: check(self), 1)
