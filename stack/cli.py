"""The command `trailcam-stack`: serves a system to an MCP client over standard input and output, or says its status.

There is one policy, so there is nothing to set: no option, variable or file changes what is checked or asked. Only
code that calls `main` in process can give another host; the tests do.

Exit codes: 0 as it should be; 1 something that was started could not be shown to have ended, or a program does not
verify; 2 usage; 3 could not run.
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Final, TypeAlias

import anyio

from stack import computer_use
from stack.contract import Host, Json, Stack
from stack.host import RealHost

OK, BROKEN, COULD_NOT_RUN = 0, 1, 3
LAST_LOOK_S: Final = 5
"""How long the last look at the status may take, which also asks codesign."""
Opener: TypeAlias = Callable[[Host, bool], AbstractAsyncContextManager[Stack]]
"""Opens a system on a host; the second argument: whether its list of tools is progressive."""


def _computer_use(host: Host, progressive: bool) -> AbstractAsyncContextManager[Stack]:
    return computer_use.open(host, computer_use.Settings(progressive=progressive))


SYSTEMS: Final[Mapping[str, Opener]] = {"computer-use": _computer_use}


def say(text: str) -> None:
    """A diagnostic: on standard error, which is the only place for one."""
    print(f"trailcam-stack: {text}", file=sys.stderr, flush=True)


def parser(systems: Mapping[str, Opener]) -> argparse.ArgumentParser:
    """The command line, whole."""
    root = argparse.ArgumentParser(prog="trailcam-stack", description="Computer use as MCP tools", allow_abbrev=False)
    commands = root.add_subparsers(dest="command", required=True)
    serve = commands.add_parser("serve", help="serve the tools over MCP on stdin and stdout", allow_abbrev=False)
    status = commands.add_parser("status", help="say the policy, and whether the programs verify", allow_abbrev=False)
    for command in (serve, status):
        command.add_argument("--system", choices=sorted(systems), required=True)
    serve.add_argument(
        "--progressive", action="store_true", help="list two tools until an application's state was read, then all"
    )
    status.add_argument("--json", action="store_true", help="one JSON document")
    return root


def main(
    arguments: Sequence[str] | None = None,
    *,
    host: Callable[[], Host] = RealHost,
    systems: Mapping[str, Opener] = SYSTEMS,
) -> int:
    """Run one command. host: makes the host; systems: what --system takes. Both are for code in this process."""
    given = parser(systems).parse_args(arguments)
    try:
        made = host()
    except OSError as error:
        say(f"the state folder can't be used ({error}); see that it is yours and closed to others")
        return COULD_NOT_RUN
    opener = systems[given.system]
    if given.command == "status":
        return anyio.run(_status, opener, made, given.json, backend="trio")
    return anyio.run(_serve, opener, made, given.system, given.progressive, backend="trio")


async def _status(opener: Opener, host: Host, as_json: bool) -> int:
    async with opener(host, False) as stack:
        status = await stack.status()
    print(json.dumps(status) if as_json else "\n".join(shown(status)))
    return OK if status["binariesVerified"] is True else BROKEN


def shown(status: Mapping[str, Json], indent: str = "") -> list[str]:
    """A status as lines for people: one member a line, those of an object below it."""
    lines = []
    for name, value in status.items():
        if isinstance(value, dict):
            lines += [f"{indent}{name}:", *shown(value, f"{indent}  ")]
        elif isinstance(value, list):
            lines.append(f"{indent}{name}: {', '.join(str(each) for each in value) or 'none'}")
        else:
            words = {True: "yes", False: "no", None: "unknown"}
            lines.append(f"{indent}{name}: {words[value] if isinstance(value, bool | None) else value}")
    return lines


async def _serve(opener: Opener, host: Host, system: str, progressive: bool) -> int:
    """Serve until the client or a signal ends it; then end everything, and see that it has ended."""
    from stack.server import serve  # the SDK costs over a second, which status and a wrong option need not pay
    from stack.serving.messages import LineTooLong
    from stack.serving.stdio import standard_streams

    problems: Json = None
    stop = anyio.Event()
    cut_off = False
    async with standard_streams() as (receive, send), anyio.create_task_group() as tasks:
        await tasks.start(_watch_signals, stop)
        async with opener(host, progressive) as stack:
            try:
                await serve(stack, receive, send, name=system, grows=progressive, stop=stop)
            except LineTooLong as error:
                cut_off = True
                say(str(error))
            with anyio.CancelScope(shield=True):
                await stack.tell("task_end", None)
            with anyio.move_on_after(LAST_LOOK_S, shield=True):
                cleanup = (await stack.status())["cleanup"]
                problems = cleanup["problems"] if isinstance(cleanup, dict) else None
        tasks.cancel_scope.cancel()
    if problems != []:
        say(f"not everything that was started could be shown to have ended: {json.dumps(problems)}")
        return BROKEN
    return COULD_NOT_RUN if cut_off else OK


async def _watch_signals(
    stop: anyio.Event, *, task_status: anyio.abc.TaskStatus[None] = anyio.TASK_STATUS_IGNORED
) -> None:
    """Make SIGTERM and SIGINT an end like the client's own. A second one changes nothing: the cleanup is bounded."""
    with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
        task_status.started()
        async for _ in signals:
            stop.set()


if __name__ == "__main__":
    raise SystemExit(main())
