"""One service alone: a program that is connected to, on a port of loopback, for HTTP clients of strangers.

    python -m harness.serve.service fakes.fronts.judge:Judge --settings judge.json

One connection is one process, as in a run, over the one world of this stage. The first line of stdout says the port:
`{"port": 8791}`. SIGTERM ends it.
"""
from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import trio

from harness.problem import UsageProblem
from harness.serve.dotted import resolve
from harness.serve.services import Services
from harness.serve.sockets import Socket
from harness.serve.stage import Stage
from harness.wire.jsontext import JsonTextError, dumps, loads

HOST = "127.0.0.1"
ADDRESS = "alone"
NAME = "service"


class NoWorld:
    """The world of a program that acts on none."""

    def __init__(self, record: Any, settings: Any) -> None:
        self.settings = settings

    def change(self, by: str, **what: Any) -> None:
        raise ValueError(f"saw {sorted(what)}; expected nothing: there is no world here")

    def process_ended(self, p: int) -> None:
        return


def parser() -> argparse.ArgumentParser:
    about = "one service on a port of loopback"
    made = argparse.ArgumentParser(prog="python -m harness.serve.service", description=about)
    made.add_argument("machine", help="dotted name of the program's machine, module:Class")
    made.add_argument("--port", type=int, default=0, help="port of loopback; 0 for a free one (default)")
    made.add_argument("--settings", type=Path, help="JSON file: the program's settings")
    made.add_argument("--world", default="harness.serve.service:NoWorld", help="dotted name of the world")
    made.add_argument("--world-settings", type=Path, help="JSON file: the world as a scenario has it")
    made.add_argument("--journal", type=Path, help="append each event of the journal to this file")
    return made


def settings_in(path: Path | None) -> dict[str, Any]:
    """The object in a JSON file; empty where there is no file to read. Raises UsageProblem."""
    if path is None:
        return {}
    try:
        value = loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, JsonTextError) as error:
        raise UsageProblem(f"{path}: {error}", "a JSON file with an object", "correct its name or text") from None
    if not isinstance(value, dict):
        raise UsageProblem(f"{path}: {type(value).__name__}", "an object", "correct the file")
    return value


def stage_of(options: argparse.Namespace, journal: Any) -> Stage:
    """A stage with this one program. Raises UsageProblem where a name leads nowhere."""
    try:
        machine, world = resolve(options.machine), resolve(options.world)
    except (ImportError, AttributeError, ValueError) as error:
        raise UsageProblem(f"a name that leads nowhere: {error}", "module:Class", "correct the name") from None
    sheet = {
        "services": {NAME: ADDRESS},
        "programs": {NAME: settings_in(options.settings)},
        "world": settings_in(options.world_settings),
    }

    def sink(book: str, event: Any) -> None:
        if journal is not None and book == "journal":
            journal.write(f"{dumps(event)}\n")
            journal.flush()

    return Stage(sheet, {NAME: machine}, world, clock=trio.current_time, sink=sink, keep=False, may_block=True)


async def serve(options: argparse.Namespace, journal: Any, said: Callable[[int], None]) -> None:
    """Serve until SIGTERM or SIGINT. said: called with the port when connections are taken."""
    stage = stage_of(options, journal)
    (listener,) = await trio.open_tcp_listeners(options.port, host=HOST)
    async with listener, trio.open_nursery() as nursery:
        services = Services(stage, nursery)
        nursery.start_soon(_accept, listener, services)
        with trio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
            said(listener.socket.getsockname()[1])
            async for _ in signals:
                break
        nursery.cancel_scope.cancel()


async def _accept(listener: trio.SocketListener, services: Services) -> None:
    while True:
        stream = await listener.accept()
        services.serve(await services.connect(ADDRESS), Socket(stream.socket))


def main(arguments: Sequence[str] | None = None) -> int:
    options = parser().parse_args(arguments)

    def said(port: int) -> None:
        print(dumps({"port": port}), flush=True)

    try:
        if options.journal is None:
            trio.run(serve, options, None, said)
        else:
            with options.journal.open("a", encoding="ascii") as journal:
                trio.run(serve, options, journal, said)
    except UsageProblem as problem:
        print(problem, file=sys.stderr)
        return problem.exit_code
    except OSError as error:
        print(f"port {options.port}: {error.strerror}; choose another with --port", file=sys.stderr)
        return 3
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
