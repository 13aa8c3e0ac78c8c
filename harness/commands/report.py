"""`trailcam report`: write the report anew from ledger and kept runs, which are judged again. Runs nothing.

`trailcam report release VERSION` writes that of a release (harness/commands/release.py).

Exit code: that of the verdict on the whole; 3 where evidence was changed since it was made.
"""
from __future__ import annotations

import argparse
import json
from pathlib import Path

from harness.claims import FOLDER
from harness.commands import release
from harness.commands.claims import PACKAGES
from harness.evidence.ledger import PATH
from harness.garbage import collected_rarely
from harness.kept.sources import source_hashes
from harness.serve.dotted import resolve

RUNS = Path("build/runs")
OUT = Path("build/report")
WRITE = "reports.render:write"


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser("report", help="write the report anew from kept evidence")
    parser.add_argument("--json", action="store_true", help="one JSON document on stdout")
    parser.add_argument("--runs", type=Path, default=RUNS, help=f"folder of kept runs (default: {RUNS})")
    parser.add_argument("--ledger", type=Path, default=PATH, help=f"evidence to read (default: {PATH})")
    parser.add_argument("--claims", type=Path, default=FOLDER, help=f"folder of the claims (default: {FOLDER})")
    parser.add_argument("--out", type=Path, default=OUT, help=f"folder to write (default: {OUT})")
    parser.add_argument("--any-build", action="store_true", help="count evidence from other builds too")
    parser.set_defaults(run=run)
    release.add(parser.add_subparsers(metavar="release VERSION"))


def run(args: argparse.Namespace) -> int:
    """Judge again, write, and say where."""
    build = None if args.any_build else source_hashes(PACKAGES)
    with collected_rarely():
        page, paths = resolve(WRITE)(args.runs, args.ledger, args.claims, args.out, build=build)
    if args.json:
        print(json.dumps({"word": page.word, "exit_code": page.exit_code, "files": [str(path) for path in paths]}))
    else:
        print(f"{page.word}: {page.sentence} {paths[0]}")
    return int(page.exit_code)
