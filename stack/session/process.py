"""The background process of a session's server, and how it is started.

Separate from the server, which a run in virtual time has as a task. It is this program itself under the interpreter
that runs it, started by the host like any program; its streams belong to a command that is about to end, so it says
nothing on them.
"""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Callable, Sequence

import anyio

from stack import safari_jxa, safari_mcp
from stack.contract import Host, Program
from stack.errors import SetupError, StackError
from stack.session import commands, place, terminal
from stack.session.client import Spawn
from stack.session.machine import Machine
from stack.session.server import serve

COMMAND = "session-server"
"""The command that is the server. It is for this program alone."""
OK, COULD_NOT_RUN = 0, 3


def spawner(host: Host) -> Spawn:
    """Starts servers as processes that outlive this one."""

    async def spawn(name: str) -> None:
        words = ["-I", "-m", "stack.cli", COMMAND, place.check_name(name)]
        try:
            started = await host.start(Program.SESSION, words, env={}, cwd="/")
        except (OSError, LookupError) as error:
            raise SetupError("start_failed", f"the session's server: {error}") from None
        for stream in (started.stdin, started.stdout, started.stderr):
            if stream is not None:
                await stream.aclose()

    return spawn


def command(words: Sequence[str], host: Host) -> int:
    """Be the server, until the session ends or a signal ends it."""
    try:
        name = place.check_name(words[0] if words else "")
    except StackError:
        return COULD_NOT_RUN
    return anyio.run(_main, host, name, backend="trio")


def run(given: argparse.Namespace, host: Host, remark: Callable[[str], None]) -> int:
    """Run one session command; answers go to standard output, remarks to `remark`. The user is asked, at a terminal,
    for what a run over Safari's MCP server needs leave for."""

    def say(line: str) -> None:
        print(line, flush=True)

    asks = given.command == "run" and given.backend == "mcp" and given.execute
    user = terminal.answered(sys.stdin, sys.stderr) if asks else None
    machine = Machine(host, spawner(host), say, remark, mcp=safari_mcp.Settings(), user=user)
    return anyio.run(commands.run, given, machine, backend="trio")


async def _main(host: Host, name: str) -> int:
    stop = anyio.Event()
    status = OK
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_watch_signals, stop)
        try:
            await serve(host, safari_jxa.Settings(), name, stop)
        except (StackError, OSError):
            status = COULD_NOT_RUN  # its command finds that nobody listens, and says so
        tasks.cancel_scope.cancel()
    return status


async def _watch_signals(stop: anyio.Event) -> None:
    """Make SIGTERM, SIGINT and SIGHUP an end like `close`: an owned window is closed, a lent one stays."""
    with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT, signal.SIGHUP) as signals:
        async for _ in signals:
            stop.set()
