"""The command line of the session commands. Separate from what they do, because it is read in two places: by the
program, which ends with a usage message, and by a stack's own tool, which answers with an error.
"""

from __future__ import annotations

import argparse
import math
import re
from collections.abc import Sequence
from typing import Any, Final, NoReturn

from stack.consent import options as consent_options
from stack.errors import CallError
from stack.safari_jxa.windows import SIDES
from stack.session import place

COMMANDS: Final = frozenset(
    {"open", "attach", "observe", "act", "run", "text", "status", "close", "windows", "displays"}
)


def regular_expression(text: str) -> re.Pattern[str]:
    try:
        return re.compile(text)
    except re.error as error:
        raise argparse.ArgumentTypeError(f"no regular expression: {error}") from None


def seconds(text: str) -> float:
    value = float(text)
    if not math.isfinite(value) or not 0 < value <= 600:
        raise argparse.ArgumentTypeError("expected seconds above 0, at most 600")
    return value


def name(text: str) -> str:
    try:
        return place.check_name(text)
    except CallError as error:
        raise argparse.ArgumentTypeError(error.seen) from None


def bounds(text: str) -> list[float]:
    values = [float(part) for part in text.split(",")]
    if len(values) != 4 or not all(math.isfinite(value) for value in values):
        raise argparse.ArgumentTypeError("expected x,y,width,height")
    return values


def literal(text: str) -> list[str]:
    label, sign, value = text.partition("=")
    if not sign or not label.strip():
        raise argparse.ArgumentTypeError("expected LABEL=VALUE")
    return [label, value]


def add(commands: Any, status: argparse.ArgumentParser | None = None) -> None:
    """Add every command to a parser's commands. status: the command of that name, where there is one already."""

    def command(word: str, text: str, *, session: bool = True) -> argparse.ArgumentParser:
        made: argparse.ArgumentParser = commands.add_parser(word, help=text, allow_abbrev=False)
        made.add_argument("--json", action="store_true", help="print the raw reply, one JSON document")
        if session:
            made.add_argument("--session", type=name, default=place.DEFAULT, help="name of the session")
        return made

    def looks(made: argparse.ArgumentParser) -> None:
        made.add_argument("--settle", type=seconds, metavar="S", help="wait until the page rests, S seconds at most")
        made.add_argument("--match", type=regular_expression, metavar="RE", help="list only what has this")
        made.add_argument("--all", action="store_true", help="list every action")

    opening = command("open", "open a window of the session's own, and keep it")
    opening.add_argument("url")
    opening.add_argument("--display", type=int, metavar="N", help="on this display")
    opening.add_argument("--bounds", type=bounds, metavar="X,Y,W,H", help="at these bounds")
    opening.add_argument("--side", choices=[*SIDES], help="on this half of the display")
    looks(opening)
    attaching = command("attach", "use a window of the user's, which is never closed or navigated")
    attaching.add_argument("window", type=int)
    looks(attaching)
    looks(command("observe", "look at the page, and list its actions"))
    acting = command("act", "do one action of the latest observation, and say what moved")
    acting.add_argument("ref", help="as the latest observation lists it, such as 3.e5")
    acting.add_argument("--text", help="what a fill writes")
    looks(acting)
    _add_run(command("run", "let a typed-choice model decide, one observed action at a time"))
    reading = command("text", "the page's visible text")
    reading.add_argument("--match", type=regular_expression, metavar="RE", help="only the lines that have this")
    if status is None:
        command("status", "where the session stands")
    else:
        status.add_argument("--session", type=name, default=place.DEFAULT, help="name of the session")
    command("close", "end the session, and close its window where it is its own")
    command("windows", "list Safari's windows", session=False).add_argument("--titles", action="store_true")
    command("displays", "list the displays", session=False)


def _add_run(running: argparse.ArgumentParser) -> None:
    goals = running.add_mutually_exclusive_group(required=True)
    goals.add_argument("--goal", help="one goal")
    goals.add_argument("--plan", action="append", metavar="GOAL", help="the goal of a leg; may be repeated")
    running.add_argument("--literal", action="append", type=literal, default=[], metavar="LABEL=VALUE")
    running.add_argument("--execute", action="store_true", help="act; without it actions are only proposed")
    running.add_argument("--expect", metavar="RE", help="what the page's text must have at the end")
    running.add_argument("--min-confidence", type=float, metavar="P", help="least confidence of an action (0.5)")
    running.add_argument("--steady", type=float, metavar="S", help="between two looks while the model thinks (0.2)")
    running.add_argument("--model", metavar="URL", help="where the model is")
    running.add_argument("--model-name", metavar="NAME", help="which model to ask")
    running.add_argument("--backend", choices=["jxa", "mcp"], default="jxa", help="by what Safari is driven (jxa)")
    running.add_argument("--url", metavar="URL", help="with --backend mcp: the page of the tab that is opened for it")
    consent_options.add(running)
    running.add_argument("--live", action="store_true", help="let the model be beyond this machine")


class _Raises(argparse.ArgumentParser):
    """A parser that raises in place of ending the program."""

    def error(self, message: str) -> NoReturn:
        raise CallError("invalid_arguments", message)

    def print_help(self, file: Any = None) -> None:
        """Nothing: nobody reads the output of a program that serves."""

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        raise CallError("invalid_arguments", message or "this command says nothing here")


def parse(words: Sequence[str]) -> argparse.Namespace:
    """The words of a session command. CallError."""
    root = _Raises(prog="trailcam-stack", allow_abbrev=False, add_help=False)
    add(root.add_subparsers(dest="command", required=True, parser_class=_Raises))
    return root.parse_args(list(words))
