"""The command `trailcam-stack`: serves a system to an MCP client over standard input and output, or says its status.

There is one policy: no option, variable or file changes what is checked or asked. What can be set is who judges
restricted actions, without whom there are none. Only code that calls `main` in process can give another host; the tests
do.

Exit codes: 0 as it should be; 1 something that was started could not be shown to have ended, or a program does not
verify; 2 usage; 3 could not run.
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

import anyio

from stack.chrome import commands as browser_extension
from stack.chrome import process as browser_host
from stack.consent import options as consent_options
from stack.contract import Host, Json
from stack.host import RealHost
from stack.session import arguments as session_arguments
from stack.session import process as session_process
from stack.systems import JUDGED, SYSTEMS, Opener, Options

OK, BROKEN, COULD_NOT_RUN = 0, 1, 3
LIVE: Final = partial(RealHost, live=True)
LAST_LOOK_S: Final = 5
"""How long the last look at the status may take, which also asks codesign."""


def say(text: str) -> None:
    """A diagnostic: on standard error, which is the only place for one."""
    print(f"trailcam-stack: {text}", file=sys.stderr, flush=True)


def parser(systems: Mapping[str, Opener]) -> argparse.ArgumentParser:
    """The command line, whole."""
    root = argparse.ArgumentParser(prog="trailcam-stack", description="Computer use as MCP tools", allow_abbrev=False)
    root.add_argument("--version", action="version", version=browser_host.VERSION)
    commands = root.add_subparsers(dest="command", required=True)
    serve = commands.add_parser("serve", help="serve the tools over MCP on stdin and stdout", allow_abbrev=False)
    status = commands.add_parser("status", help="say a system's policy, or where a session stands", allow_abbrev=False)
    for command in (serve, status):
        command.add_argument("--system", choices=sorted(systems), required=command is serve)
    browser_extension.add(commands)
    session_arguments.add(commands, status)
    commands.add_parser("version", help="say the version")
    commands.add_parser(session_process.COMMAND, help="the background server of one session; open and attach start it")
    commands.add_parser(
        browser_host.COMMAND, help="what a browser starts for the extension; takes the browser's own arguments"
    )
    serve.add_argument(
        "--progressive", action="store_true", help="list two tools until an application's state was read, then all"
    )
    consent_options.add(serve)
    status.add_argument("--json", action="store_true", help="one JSON document")
    return root


def main(
    arguments: Sequence[str] | None = None,
    *,
    host: Callable[[], Host] = RealHost,
    elsewhere: Callable[[], Host] = LIVE,
    systems: Mapping[str, Opener] = SYSTEMS,
) -> int:
    """Run one command. host: makes the host; elsewhere: the one that may leave this machine, for a judge that is not on
    it; systems: what --system takes. All are for code in this process."""
    words = sys.argv[1:] if arguments is None else arguments
    ours = words[:1] not in ([browser_host.COMMAND], [session_process.COMMAND])
    line = parser(systems)
    given = line.parse_args(words if ours else words[:1])
    if given.command == "version":
        print(browser_host.VERSION)
        return OK
    try:
        options = _options(given)
    except consent_options.WrongOptions as error:
        line.error(str(error))
    try:
        leaves = consent_options.is_elsewhere(options.judge) or getattr(given, "live", False)
        made = (elsewhere if leaves else host)()
    except OSError as error:
        say(f"the state folder can't be used ({error}); see that it is yours and closed to others")
        return COULD_NOT_RUN
    if not ours:
        inner = browser_host.command if given.command == browser_host.COMMAND else session_process.command
        return inner(words[1:], made)
    if given.command in session_arguments.COMMANDS and getattr(given, "system", None) is None:
        return session_process.run(given, made, say)
    if given.command == "browser-extension":
        return anyio.run(_browser_extension, given, made, backend="trio")
    opener = systems[given.system]
    if given.command == "status":
        return anyio.run(_status, opener, made, given.json, backend="trio")
    return anyio.run(_serve, opener, made, given.system, options, backend="trio")


def _options(given: argparse.Namespace) -> Options:
    """What a system is opened with. Raises WrongOptions."""
    if given.command not in ("serve", "run"):
        return Options()
    judge = consent_options.judge_in(given)
    if given.command == "run":
        if judge is not None and given.backend != "mcp":
            raise consent_options.WrongOptions("a judge for Apple Events; expected --backend mcp with it")
        return Options(judge=judge)
    if judge is not None and given.system not in JUDGED:
        raise consent_options.WrongOptions(f"a judge for {given.system}; expected one of {', '.join(sorted(JUDGED))}")
    return Options(given.progressive, judge)


async def _browser_extension(given: argparse.Namespace, host: Host) -> int:
    code, lines = await browser_extension.run(given, host, browser_extension.Machine())
    print("\n".join(lines))
    return code


async def _status(opener: Opener, host: Host, as_json: bool) -> int:
    async with opener(host, Options()) as stack:
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


async def _serve(opener: Opener, host: Host, system: str, options: Options) -> int:
    """Serve until the client or a signal ends it; then end everything, and see that it has ended."""
    from stack.server import serve  # the SDK costs over a second, which status and a wrong option need not pay
    from stack.serving.messages import LineTooLong
    from stack.serving.stdio import standard_streams

    problems: Json = None
    stop = anyio.Event()
    cut_off = False
    async with standard_streams() as (receive, send), anyio.create_task_group() as tasks:
        await tasks.start(_watch_signals, stop)
        async with opener(host, options) as stack:
            try:
                await serve(stack, receive, send, name=system, grows=options.progressive, stop=stop)
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
