"""`trailcam http record|replay`: what a program asks of an HTTP service, put on a tape, and answered from one.

Exit codes: record 0; replay 0 where everything was asked as it was recorded, 70 where it was not; 2 for wrong usage, 3
where nothing could be started or the tape is incomplete.
"""
from __future__ import annotations

import argparse
from typing import Any
from urllib.parse import urlsplit

from harness.http_leg.place import become
from harness.http_leg.player import open_player
from harness.problem import UsageProblem
from harness.tape.header import STRENGTHS

PORTS = range(65536)


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser("http", help="record what is asked of an HTTP service, or answer from such a tape")
    actions = parser.add_subparsers(metavar="ACTION", required=True)
    recording = actions.add_parser("record", help="stand before a service on a port of loopback, and write a tape")
    recording.add_argument("--upstream", required=True, metavar="URL", help="the service: http:// or https://")
    recording.add_argument("--out", required=True, metavar="TAPE", help="the tape to write: a new file")
    recording.add_argument("--program", default="service", metavar="NAME", help="the service's name on the tape")
    recording.add_argument("--redact", action="append", default=[], metavar="RULE",
                           help="a secret beside the built-in ones, as `trailcam record` takes it")
    recording.add_argument("--product", action="append", default=[], metavar="NAME=VERSION", help="what answers")
    recording.add_argument("--strength", default="model", choices=tuple(STRENGTHS),
                           help="how strong evidence from this tape is")
    recording.set_defaults(run=record)
    replaying = actions.add_parser("replay", help="answer from a tape, strictly in its order, and never from a network")
    replaying.add_argument("tape", metavar="TAPE")
    replaying.add_argument("--ignore", action="append", default=[], metavar="POINTER",
                           help="a JSON pointer whose value is not compared in bodies; may be given again")
    replaying.set_defaults(run=replay)
    for action in (recording, replaying):
        action.add_argument("--port", type=int, default=0, metavar="N", help="port of loopback; 0 for a free one")
        action.add_argument("--leg", default=None, metavar="NAME", help="name of the leg on the tape (record: http)")
        action.add_argument("--json", action="store_true", help="an error is one JSON document, as the port always is")


def record(args: argparse.Namespace) -> int:
    """Become the process of a recording. Raises Problem."""
    parts = urlsplit(args.upstream)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.path.strip("/") or parts.query:
        raise UsageProblem(f"--upstream {args.upstream}", "http://HOST[:PORT] or https://HOST[:PORT], without a path",
                           "the client's own paths are passed on")
    products = [product.partition("=")[::2] for product in args.product]
    if not all(name and version for name, version in products):
        raise UsageProblem(f"--product {' '.join(args.product)}", "NAME=VERSION", "name the version that answers")
    become(_settings("record", args, upstream=args.upstream.rstrip("/"), tape=args.out, program=args.program,
                     redact=args.redact, strength=args.strength, products=products))  # fmt: skip


def replay(args: argparse.Namespace) -> int:
    """Become the process of a replay. Raises Problem, also where the tape has nothing to answer with."""
    wrong = [pointer for pointer in args.ignore if not pointer.startswith("/")]
    if wrong:
        raise UsageProblem(f"--ignore {wrong[0]}", "a JSON pointer such as /metadata/id", "begin it with a slash")
    open_player(args.tape, args.leg, args.ignore)
    become(_settings("replay", args, tape=args.tape, ignore=args.ignore))


def _settings(mode: str, args: argparse.Namespace, **more: Any) -> dict[str, Any]:
    if args.port not in PORTS:
        raise UsageProblem(f"--port {args.port}", "a number from 0 to 65535", "correct the port")
    leg = args.leg or ("http" if mode == "record" else None)
    return {"mode": mode, "port": args.port, "leg": leg, **more}
