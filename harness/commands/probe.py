"""`trailcam probe TAPE -- COMMAND…`: send a tape's client side to a real program, and report what drifted.

Exit code 0 where the program does as it was recorded, 1 where it drifted, 2 for wrong usage, 3 where it could not be
found out.
"""
from __future__ import annotations

import argparse
import json
import sys
from typing import Any

import trio

from harness.problem import Problem, UsageProblem
from harness.replay.drift import KINDS, Drift
from harness.replay.options import number, pace
from harness.replay.pointers import Absent
from harness.replay.probe import Limits, Report, probe
from harness.replay.settings import PACES, SETTINGS
from harness.wire.jsontext import dumps

SHOWN = 100
"""Characters of a value in the text form; --json has it whole."""


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser(
        "probe",
        help="send a tape's client side to a real program, and report what drifted",
        usage="trailcam probe TAPE [OPTION…] -- COMMAND [ARGUMENT…]",
    )
    parser.add_argument("tape", metavar="TAPE", help="what was recorded")
    parser.add_argument("command", nargs="+", metavar="COMMAND", help="the real program and its arguments, after --")
    parser.add_argument("--process", default="1", metavar="N|NAME", help=SETTINGS["process"][2])
    parser.add_argument("--profile", metavar="NAME", help=SETTINGS["profile"][2])
    parser.add_argument("--bind", action="append", default=[], metavar="NAME=VALUE", help=SETTINGS["bind"][2])
    parser.add_argument(
        "--pace", default="none", metavar="none|recorded|SCALE", help="wait between frames as the recorded client did"
    )
    parser.add_argument("--wait-ms", type=float, default=10_000, metavar="MS", help="how long one frame is waited for")
    parser.add_argument("--limit-ms", type=float, default=120_000, metavar="MS", help="how long the whole may take")
    parser.add_argument("--json", action="store_true", help="one JSON document on stdout")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Probe, print, and judge. Raises Problem where nothing could be compared."""
    process = checked("process", number(args.process))
    limits = Limits(positive("--wait-ms", args.wait_ms), positive("--limit-ms", args.limit_ms), scale(args.pace))
    profile = None if args.profile is None else checked("profile", args.profile)
    report = trio.run(
        lambda: probe(
            args.tape, args.command, process=process, profile=profile, bind=bound(args.bind), limits=limits,
            say=lambda text: print(f"trailcam probe: {text}", file=sys.stderr),
        )
    )  # fmt: skip
    if not report.compared:
        raise Problem(
            f"no recorded frame from {args.command[0]}, which ended with {report.status}; on stderr: {report.stderr!r}",
            "at least one frame to compare", "look at why it does not speak: its command line, its environment",
        )
    print(as_json(args, report) if args.json else as_text(report))
    return 1 if report.drifts else 0


def checked(name: str, value: Any) -> Any:
    """A value by the table of settings. Raises UsageProblem."""
    words, check, _ = SETTINGS[name]
    if not check(value):
        raise UsageProblem(f"--{name} {value}", words, "correct the option")
    return value


def positive(name: str, value: float) -> float:
    if not 0 < value < 1e9:
        raise UsageProblem(f"{name} {value}", "milliseconds, more than 0", "correct the option")
    return value


def scale(text: str) -> float:
    value = checked("pace", pace(text))
    return float(PACES.get(value, value))


def bound(words: list[str]) -> dict[str, str]:
    """`NAME=VALUE` to `<NAME>`: VALUE. Raises UsageProblem."""
    pairs = [word.partition("=") for word in words]
    checked("bind", {name: value for name, _, value in pairs})
    return {f"<{name}>": value for name, _, value in pairs}


def as_json(args: argparse.Namespace, report: Report) -> str:
    """The one document of --json."""
    document = {
        "tape": args.tape,
        "command": args.command,
        "verdict": "drift" if report.drifts else "same",
        "compared": report.compared,
        "status": report.status,
        "drift": [drift.as_json() for drift in report.drifts],
        "stderr": report.stderr,
    }
    return json.dumps(document, indent=2)


def as_text(report: Report) -> str:
    """The drift by kind, then one line to sum up."""
    lines = []
    for kind in KINDS:
        found = [drift for drift in report.drifts if drift.kind == kind]
        lines += [kind] * bool(found)
        lines += [f"  {one_line(drift)}" for drift in found]
    count = len(report.drifts)
    lines.append(f"{report.compared} frames compared: {f'{count} differences' if count else 'as recorded'}")
    return "\n".join(lines)


def one_line(drift: Drift) -> str:
    where = f" {drift.pointer}" if drift.pointer else ""
    values = [
        f"{word} {short(value)}"
        for word, value in (("recorded", drift.recorded), ("seen", drift.seen))
        if not isinstance(value, Absent)
    ]
    return f"{drift.what}{where}" + (f": {', '.join(values)}" if values else "")


def short(value: Any) -> str:
    text = dumps(value)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}… ({len(text)} characters)"
