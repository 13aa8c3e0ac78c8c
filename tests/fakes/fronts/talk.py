"""A client of the fake app-server with its real helper over a desktop: the whole set of fakes on one stage."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

import trio

from tests.fakes.conformance.client import Client
from tests.fakes.drive import Run, run

SERVER = '{computer-use={command="/trailcam/bin/helper",args=["mcp"]%s}}'


@asynccontextmanager
async def talk(made: Run, *arguments: str, server: str = "") -> AsyncIterator[Client]:
    """One started app-server. server: further members of its MCP server, as TOML."""
    settings: Any = made.stage.sheet["programs"].get("codex", {})
    words = ["app-server", "-c", f"mcp_servers={SERVER % server}", *arguments]
    async with trio.open_nursery() as nursery:
        process = await made.host.start("codex", words, env={"CODEX_HOME": "/private/home"}, cwd="/")
        yield Client(process, settings.get("profile", "0.171.0"), NONE, nursery)
        nursery.cancel_scope.cancel()


class _None:
    """These tests look at the stage itself."""

    def started(self) -> int:
        return 0

    def alive(self) -> int:
        return 0


NONE = _None()


def session(
    body: Callable[[Run, Client], Awaitable[None]],
    *arguments: str,
    server: str = "",
    world: Mapping[str, Any] | None = None,
    codex: Mapping[str, Any] | None = None,
    helper: Mapping[str, Any] | None = None,
    seed: int = 1,
) -> Run:
    """Run a body with one app-server."""

    async def whole(made: Run) -> None:
        async with talk(made, *arguments, server=server) as client:
            await body(made, client)

    return run(whole, world, {"codex": dict(codex or {}), "helper": dict(helper or {})}, seed)


def whys(made: Run) -> list[str]:
    """Why violations were flagged, in order."""
    return [event["why"] for event in made.of("violation")]
