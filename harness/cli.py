"""The command `trailcam`: a composition root, which nobody imports.

`record` and `replay` have to start in the time of a bare interpreter. They are handed to the real interpreter with
`-SE` before anything else is imported here, so this module imports `os` and `sys` at its top and the rest on use.

Exit codes (HAR-LAW-02): 0 all hold, 1 broken, 2 usage, 3 unknown or could not run; 130 after an interrupt, 141 where
the reader of stdout went away. With --json stdout carries one JSON document, an error's too, and nothing else.
"""
from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from typing import Any, NoReturn

    from harness.problem import Problem

LIGHT = {
    "record": "put a transparent tap in front of a command and write a tape",
    "replay": "serve a tape to a client as the real program would",
}
COMMANDS = (
    "record", "replay", "http", "probe", "verify", "run", "mutate", "guards", "tape", "faults", "claims", "report",
    "live", "doctor",
)  # fmt: skip
"""Every command in the order of the help text. Those not in LIGHT live in harness/commands/<name>.py."""

INTERRUPTED = 130
READER_GONE = 141
DEFECT = 3
STDOUT = 1


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command. argv: the words after the program's name, by default the process's own."""
    words = list(sys.argv[1:] if argv is None else argv)
    if words and words[0] in LIGHT:
        hand_over(words[0], words[1:])
    return compose(words)


def hand_over(name: str, words: Sequence[str]) -> NoReturn:
    """Become `<real interpreter> -SE harness/<name>/__main__.py WORDS…`: same process, same pipes, no site, and the
    environment as it was given to this one."""
    script = os.path.join(os.path.dirname(os.path.realpath(__file__)), name, "__main__.py")
    python = os.path.realpath(getattr(sys, "_base_executable", sys.executable))
    from harness.record.program import environment

    os.execve(python, [python, "-SE", script, *words], environment())


def compose(words: Sequence[str]) -> int:
    """Run a command under the network guard; an attempt that code in between swallowed makes the exit code worse."""
    from harness.guard import GUARD

    GUARD.install()
    status = attempt(words)
    tried = GUARD.take()
    if tried:
        print(f"trailcam: tried to leave this machine {len(tried)} times: {tried}", file=sys.stderr)
        return max(status, 1)
    return status


def attempt(words: Sequence[str]) -> int:
    """Parse, run, and translate what comes out into an exit code."""
    from harness.problem import Problem

    as_json = "--json" in words[: words.index("--") if "--" in words else len(words)]
    try:
        try:
            return run(words)
        finally:
            sys.stdout.flush()
    except KeyboardInterrupt:
        return interrupted()
    except Problem as problem:
        return report([problem], as_json)
    except BrokenPipeError:
        return reader_gone()
    except BaseExceptionGroup as group:
        return report_group(group, as_json)
    except Exception:
        show_defect()
        raise SystemExit(DEFECT) from None


def run(words: Sequence[str]) -> int:
    """The exit code of one command. Raises what the command raises."""
    args = build_parser(words).parse_args(list(words))
    status: int = args.run(args)
    return status


def build_parser(words: Sequence[str]) -> argparse.ArgumentParser:
    """The parser of the command named first, or of all where none is: a command pays for its own imports only."""
    import argparse
    import importlib
    from importlib.util import find_spec

    from harness.problem import UsageProblem
    from harness.version import VERSION

    class Parser(argparse.ArgumentParser):
        def error(self, message: str) -> NoReturn:
            usage = " ".join(self.format_usage().split()).removeprefix("usage: ")
            raise UsageProblem(message, usage, f"see `{self.prog} --help`")

        def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
            """Refuse unknown words here, so that the error shows the usage of the command that got them."""
            namespace, extras = super().parse_known_args(args, namespace)
            if extras:
                self.error(f"unrecognized arguments: {' '.join(extras)}")
            return namespace, extras

    parser = Parser(
        prog="trailcam",
        description="Record, replay, fault and judge the processes that an automation stack talks to.",
        epilog="Exit codes: 0 all hold, 1 broken, 2 usage, 3 unknown or could not run. Every command takes --json.",
    )
    parser.add_argument("--version", action="version", version=f"trailcam {VERSION}")
    subparsers = parser.add_subparsers(metavar="COMMAND", required=True, parser_class=Parser)
    for name in COMMANDS if not words or words[0] not in COMMANDS else words[:1]:
        if name in LIGHT:
            subparsers.add_parser(name, help=LIGHT[name], add_help=False)
        elif find_spec(f"harness.commands.{name}") is not None:
            importlib.import_module(f"harness.commands.{name}").add(subparsers)
    return parser


def report(problems: Sequence[Problem], as_json: bool) -> int:
    """Say what went wrong, once each; the exit code is the highest of theirs."""
    for problem in problems:
        print(f"trailcam: {problem}", file=sys.stderr)
    if as_json:
        from harness.wire.jsontext import dumps

        print(dumps(dict(problems[0].as_json())))
    return max(problem.exit_code for problem in problems)


def report_group(group: BaseExceptionGroup[BaseException], as_json: bool) -> int:
    """What came out of a nursery: an interrupt, errors of ours, or a defect."""
    from harness.problem import Problem

    if group.subgroup(KeyboardInterrupt) is not None:
        return interrupted()
    ours, rest = group.split(Problem)
    if ours is not None and rest is None:
        return report([leaf for leaf in leaves(ours) if isinstance(leaf, Problem)], as_json)
    show_defect()
    return DEFECT


def leaves(group: BaseExceptionGroup[BaseException]) -> list[BaseException]:
    """The exceptions in a group and the groups in it, in order."""
    found: list[BaseException] = []
    for inner in group.exceptions:
        found.extend(leaves(inner) if isinstance(inner, BaseExceptionGroup) else [inner])
    return found


def interrupted() -> int:
    """Everything that the command held was given back on the way here."""
    print("trailcam: interrupted", file=sys.stderr)
    return INTERRUPTED


def reader_gone() -> int:
    """As `yes | head -1` ends; any other broken pipe than that of stdout is a defect."""
    import select

    poll = select.poll()
    poll.register(STDOUT, 0)
    if not poll.poll(0):
        show_defect()
        return DEFECT
    os.dup2(os.open(os.devnull, os.O_WRONLY), STDOUT)
    return READER_GONE


def show_defect() -> None:
    """An exception that nobody expected is our fault, and never reads as a verdict."""
    import traceback

    traceback.print_exc()
    print("trailcam: this is a defect of trailcam; nothing was shown", file=sys.stderr)
