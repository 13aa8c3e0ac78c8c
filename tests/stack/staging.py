"""A stack on a scripted host, in virtual time."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TypeAlias, TypeVar

import anyio
from trio.testing import MockClock

from stack.computer_use import ComputerUse
from stack.computer_use import open as open_stack
from stack.computer_use.settings import LINUX, Settings
from stack.contract import Program
from tests.stack.scripted_host import Script, ScriptedHost, stay
from tests.stack.scripted_programs import LsAppInfo, codesign
from tests.stack.scripted_server import AppServer

T = TypeVar("T")
Stage: TypeAlias = tuple[ScriptedHost, ComputerUse]


def play(main: Callable[[], Awaitable[T]]) -> T:
    """Run in virtual time."""
    clock = MockClock(autojump_threshold=0)
    return anyio.run(main, backend="trio", backend_options={"clock": clock})


@asynccontextmanager
async def staged(
    server: AppServer | None = None,
    *,
    settings: Settings | None = None,
    signs: Script | None = None,
    fronts: LsAppInfo | None = None,
) -> AsyncIterator[Stage]:
    """A stack on a scripted host. After the stack was closed nothing of it may be left; see `check_clean`."""
    async with anyio.create_task_group() as tasks:
        scripts: dict[Program, Script] = {
            Program.CODEX: server or AppServer(),
            Program.HELPER: stay,
            Program.CODESIGN: signs or codesign(),
            Program.LSAPPINFO: fronts or LsAppInfo(),
        }
        host = ScriptedHost(tasks, scripts)
        async with open_stack(host, settings or Settings(platform=LINUX)) as stack:
            yield host, stack
        tasks.cancel_scope.cancel()


def check_clean(host: ScriptedHost) -> None:
    """Nothing of a stack is left: processes, folders, locks."""
    assert host.running() == []
    assert host.folders == set()
    assert host.locks == set()
