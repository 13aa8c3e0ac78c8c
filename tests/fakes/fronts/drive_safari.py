"""One safaridriver on a stage in virtual time, for the tests of its parts."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from harness.serve.scheduler import run_virtual
from tests.fakes.safaridriver.backs import Model
from tests.fakes.safaridriver.client import Client, Options


def drive(
    body: Callable[[Client], Awaitable[None]],
    *,
    world: dict[str, Any] | None = None,
    arguments: tuple[str, ...] = ("--mcp",),
    greet: bool = True,
    profile: str = "27.0",
    **settings: Any,
) -> Model:
    """Run a body with one driver; the back, for what the run left."""
    model = Model(profile)

    async def main() -> None:
        async with model(Options(world or {}, settings, arguments, greet)) as client:
            await body(client)

    run_virtual(main, 1)
    return model


def said(
    arguments: tuple[str, ...], world: dict[str, Any] | None = None, **settings: Any
) -> tuple[int, str, str, Model]:
    """A command that is over by itself: status, standard output, standard error."""
    seen: list[Any] = []

    async def body(client: Client) -> None:
        seen.append((await client.wait(), client.raw.decode(), client.errors.decode()))

    model = drive(body, world=world, arguments=arguments, greet=False, **settings)
    return (*seen[0], model)
