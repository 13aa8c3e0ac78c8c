"""`trailcam tape show|lint|diff|join|import`: look at tapes, judge them, compare them, and make them of other logs.

Exit codes: show, join and import 0; lint 1 where it finds an error (with --strict: or a warning); diff 1 where the
tapes differ; 2 usage; 3 where a tape can't be read.
"""
from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from datetime import date
from itertools import islice
from typing import Any

from harness.problem import UsageProblem
from harness.tape import diff as differ
from harness.tape.event import VERSION, line
from harness.tape.header import STRENGTHS
from harness.tape.import_frames import import_log, log_header
from harness.tape.join import join, open_segments
from harness.tape.lint import RULES, Finding, lint
from harness.tape.problem import TapeProblem
from harness.tape.read import load, read
from harness.tape.save import save
from harness.tape.schema import is_date, is_sha256
from harness.tape.show import heading, lines, plain
from harness.wire import DIALECTS
from harness.wire.jsontext import dumps, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from harness.tape.event import Event
    from harness.wire.jsontext import Json

EVERY = 200_000
"""Events between two lines of progress on stderr; a slow machine needs two seconds for them."""


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser("tape", help="show, lint, diff, join or import tapes")
    actions = parser.add_subparsers(metavar="ACTION", required=True)
    for name, help_text, arguments, function in (
        ("show", "print a tape, one line an event", _show_arguments, show),
        ("lint", "say what to know before trusting a tape", _lint_arguments, lint_all),
        ("diff", "say where two tapes differ first, process by process", _diff_arguments, diff),
        ("join", "make one tape of the segments of one run, or of a torn one", _join_arguments, join_all),
        ("import", "make tapes of logs of {dir, ts, frame} lines", _import_arguments, import_all),
    ):
        action = actions.add_parser(name, help=help_text)
        arguments(action)
        action.add_argument("--json", action="store_true", help="one JSON document on stdout")
        action.set_defaults(run=function)


# show


def _show_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("tape", metavar="TAPE")
    parser.add_argument("--process", type=int, metavar="P", help="only this process, and what is about the whole tape")
    parser.add_argument("--limit", type=int, metavar="N", help="only the first N of these events")
    parser.add_argument("--width", type=int, default=160, metavar="N", help="characters of content a line; 0: all")


def show(args: argparse.Namespace) -> int:
    """Print the header and the events. A torn tape is shown up to a gap at its end."""
    if args.limit is not None and args.limit < 0:
        raise UsageProblem(f"--limit {args.limit}", "a number from 0", "correct it")
    header, events = read(args.tape, killed="accept")
    with events:
        if args.json:
            for _ in _select(_counted(events), args):
                pass  # whatever is wrong with the tape is said before the document begins
        else:
            for text in heading(header):
                print(text)
            for text in lines(_select(_counted(events), args), args.width):
                print(text)
    if args.json:
        _, again = read(args.tape, killed="accept")
        with again:
            _print_json(header.as_json(), _select(again, args))
    return 0


def _select(events: Iterable[Event], args: argparse.Namespace) -> Iterator[Event]:
    wanted = (event for event in events if args.process is None or event["p"] in (0, args.process))
    return islice(wanted, args.limit)


def _print_json(header: dict[str, Json], events: Iterable[Event]) -> None:
    """One JSON document, printed as it comes: a tape may be larger than memory."""
    sys.stdout.write(f'{{"header":{dumps(header)},"events":[')
    for place, event in enumerate(events):
        sys.stdout.write((",\n" if place else "\n") + line(event))
    sys.stdout.write("]}\n")


def _counted(events: Iterable[Event]) -> Iterator[Event]:
    for count, event in enumerate(events, 1):
        if count % EVERY == 0:
            print(f"trailcam: {count} events", file=sys.stderr)
        yield event


# lint


def _lint_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("tapes", nargs="+", metavar="TAPE")
    parser.add_argument("--strict", action="store_true", help="a warning counts as an error")
    parser.add_argument("--quiet", action="store_true", help="print no notes")
    parser.add_argument("--today", metavar="DATE", help="the day to judge expiry by; default: this day")


def lint_all(args: argparse.Namespace) -> int:
    """Lint every tape and print what was found."""
    today = date.today().isoformat() if args.today is None else args.today
    if not is_date(today):
        raise UsageProblem(f"--today {today}", "a date as 2026-01-31", "correct it")
    counts = {"error": 0, "warning": 0, "note": 0}
    tapes: list[Json] = []
    for path in args.tapes:
        found = _lint_one(path, today)
        for finding in found:
            counts[finding.severity] += 1
            if not args.json and not (args.quiet and finding.severity == "note"):
                print(_finding(path, finding))
        tapes.append({"tape": path, "findings": [finding.as_json() for finding in found]})
    if args.json:
        print(dumps({"tapes": tapes, **counts}))
    else:
        print(f"{len(args.tapes)} tapes: " + ", ".join(f"{count} {name}s" for name, count in counts.items()))
    return 1 if counts["error"] or (args.strict and counts["warning"]) else 0


def _lint_one(path: str, today: str) -> list[Finding]:
    header, events = read(path, killed="accept")
    with events, open(path, encoding="ascii", errors="replace", newline="\n") as file:
        fields: Any = loads(file.readline())
        texts = (text.removesuffix("\n") for text in file)
        return lint(header, _counted(events), today=today, lines=texts if fields["v"] == VERSION else None)


def _finding(path: str, finding: Finding) -> str:
    severity, says, advice = RULES[finding.rule]
    place = path if finding.n is None else f"{path}:{finding.n + 2}"
    return plain(f"{place}: {severity} {finding.rule}: {says} ({finding.detail}); {advice}")


# diff


def _diff_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("left", metavar="LEFT")
    parser.add_argument("right", metavar="RIGHT")
    parser.add_argument("--volatile", action="append", default=[], metavar="POINTER",
                        help="values here may differ, not in type; * is any member, ** all below; repeatable")
    parser.add_argument("--by-stream", action="store_true", help="do not compare the order between streams")


def diff(args: argparse.Namespace) -> int:
    """Print the first difference of each process."""
    for pointer in args.volatile:
        if not pointer.startswith("/"):
            raise UsageProblem(f"--volatile {pointer}", "a JSON pointer such as /emittedAtMs", "begin it with a slash")
    left, right = (differ.Tape(*load(path, killed="accept")) for path in (args.left, args.right))
    found = differ.diff(left, right, volatile=args.volatile, by_stream=args.by_stream)
    if args.json:
        print(dumps({"equal": not found, "differences": [asdict(each) for each in found]}))
    else:
        for text in differ.as_lines(found):
            print(plain(text))
        print("equal" if not found else f"{len(found)} differ")
    return 1 if found else 0


# join


def _join_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("tapes", nargs="+", metavar="TAPE")
    parser.add_argument("--out", required=True, metavar="TAPE", help="the joined tape; must not exist")
    parser.add_argument("--profile", metavar="NAME", help="its profile, where the segments name several")


def join_all(args: argparse.Namespace) -> int:
    """Write the joined tape."""
    segments = open_segments(args.tapes)
    try:
        header, events = join(segments, profile=args.profile)
        count = save(args.out, header, _counted(events))
    finally:
        for segment in segments:
            segment.close()
    _report(args, {"tape": args.out, "segments": len(args.tapes), "events": count})
    return 0


def _report(args: argparse.Namespace, made: dict[str, Json]) -> None:
    if args.json:
        print(dumps(made))
    else:
        print(plain(", ".join(f"{name} {value}" for name, value in made.items())))


# import


def _import_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("log", metavar="LOG", help="a log, or a folder of logs named *.jsonl")
    parser.add_argument("--out", required=True, metavar="TAPE", help="the tape, or a folder for the tapes of a folder")
    parser.add_argument("--product", action="append", required=True, metavar="NAME=VERSION[=SHA256]",
                        help="a program that spoke; the first is the one on the tape; repeatable")
    parser.add_argument("--strength", choices=tuple(STRENGTHS), default="documented", help="default: documented")
    parser.add_argument("--platform", default="unknown", metavar="TEXT", help="operating system and machine")
    parser.add_argument("--source", metavar="TEXT", help="what the log was made from, in words")
    parser.add_argument("--recorder", default="frame log", metavar="TEXT", help="what wrote the log")
    parser.add_argument("--program", metavar="NAME", help="name of the program; default: the first product's")
    parser.add_argument("--argument", action="append", default=[], metavar="WORD", dest="argv",
                        help="an argument of the program, where the log has none; repeatable")
    parser.add_argument("--dialect", choices=tuple(DIALECTS), default="jsonrpc", help="of its stdio; default: jsonrpc")
    parser.add_argument("--profile", metavar="NAME", help="the profile that the tape replays under")
    parser.add_argument("--date", metavar="DATE", help="when it was recorded")
    parser.add_argument("--only", default="", metavar="SUFFIX", help="of a folder only the logs that end so")
    parser.add_argument("--skip", metavar="SUFFIX", help="of a folder not the logs that end so")


def import_all(args: argparse.Namespace) -> int:
    """Write a tape for each log."""
    fields = _log_fields(args)
    made: list[Json] = []
    for log, out in _pairs(args):
        header, events = import_log(log, fields)
        made.append({"log": log, "tape": out, "events": save(out, header, _counted(events))})
        if not args.json:
            print(plain(f"{log} -> {out}"))
    if args.json:
        print(dumps({"tapes": made}))
    return 0


def _log_fields(args: argparse.Namespace) -> dict[str, Json]:
    products: list[Json] = [_product(text) for text in args.product]
    if args.date is not None and not is_date(args.date):
        raise UsageProblem(f"--date {args.date}", "a date as 2026-01-31", "correct it")
    origin: dict[str, Json] = {
        "strength": args.strength, "products": products, "platform": args.platform, "recorder": args.recorder,
    }
    if args.source is not None:
        origin["source"] = args.source
    first: Any = products[0]
    return log_header(origin, program=args.program or first["name"], dialect=args.dialect, argv=args.argv,
                      profile=args.profile, date=args.date)


def _product(text: str) -> dict[str, Json]:
    name, _, rest = text.partition("=")
    version, mark, sha256 = rest.partition("=")
    if not name or not version or (mark and not is_sha256(sha256)):
        raise UsageProblem(f"--product {text}", "NAME=VERSION or NAME=VERSION=SHA256 in lower case", "correct it")
    return {"name": name, "version": version, **({"sha256": sha256} if mark else {})}


def _pairs(args: argparse.Namespace) -> Sequence[tuple[str, str]]:
    """(log, tape) for each tape that is to be made."""
    if not os.path.isdir(args.log):
        return [(args.log, args.out)]
    names = sorted(
        name for name in os.listdir(args.log)
        if name.endswith(f"{args.only}.jsonl") and not (args.skip and name.endswith(f"{args.skip}.jsonl"))
    )
    if not names:
        raise TapeProblem("no such log in it", "files named *.jsonl", "correct --only and --skip", file=args.log)
    os.makedirs(args.out, exist_ok=True)
    return [(os.path.join(args.log, name), os.path.join(args.out, name)) for name in names]
