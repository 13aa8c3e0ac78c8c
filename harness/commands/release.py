"""`trailcam report release VERSION`: the report of a release, from evidence alone, into reports/releases/VERSION.

A part of `trailcam report`, in a module of its own. Collects the evidence of this build out of ledgers and kept runs
into a compact form that can be committed, and writes the report from that; with `--again` from what was collected.
Exit code: that of the verdict on the whole; 3 where there is no evidence of this build, or where it was changed.
"""
from __future__ import annotations

import argparse
import json
import os
import re
import tempfile
from pathlib import Path
from typing import Any

from harness.claims import FOLDER
from harness.commands.claims import PACKAGES
from harness.evidence.ledger import PATH
from harness.kept.sources import ROOT, source_hashes
from harness.problem import UsageProblem
from harness.serve.dotted import resolve

OUT = Path("reports/releases")
LEDGERS = (PATH, Path("build/evidence/tests.jsonl"), Path("build/live/ledger.jsonl"))
"""Where `make verify`, `make test` and `make live` leave their evidence."""
RUNS = (Path("build/runs"), Path("build/live/runs"))
TEETH = Path("build/evidence/teeth.jsonl")
MODULE = "reports.release_render"
SOURCES = "reports.release_evidence:Sources"
NUMBER = re.compile(r"[0-9]+\.[0-9]+\.[0-9]+([a-z0-9.]+)?\Z")


def add(subparsers: Any) -> None:
    """Register it below `report`. subparsers: of that command's parser."""
    parser: argparse.ArgumentParser = subparsers.add_parser("release", help="write the report of a release")
    parser.add_argument("version", metavar="VERSION", help="as 0.1.0")
    parser.add_argument("--again", action="store_true", help="write it anew from the evidence that it has")
    parser.add_argument("--ledger", action="append", type=Path, metavar="FILE", dest="ledgers",
                        help=f"evidence to take from; repeatable (default: {', '.join(map(str, LEDGERS))})")
    parser.add_argument("--runs", action="append", type=Path, metavar="FOLDER", dest="run_folders",
                        help=f"folder of kept runs; repeatable (default: {', '.join(map(str, RUNS))})")
    parser.add_argument("--teeth", type=Path, default=TEETH, help=f"what `trailcam guards` found (default: {TEETH})")
    parser.add_argument("--claims", type=Path, default=FOLDER, help=f"folder of the claims (default: {FOLDER})")
    parser.add_argument("--out", type=Path, default=OUT, help=f"folder of the releases (default: {OUT})")
    parser.add_argument("--json", action="store_true", help="one JSON document on stdout")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Collect, judge again, write, and say where."""
    if not NUMBER.match(args.version):
        raise UsageProblem(f"the version {args.version!r}", "a version as 0.1.0", "correct it")
    folder = args.out / args.version
    if args.again:
        view, paths = resolve(f"{MODULE}:write")(folder)
    else:
        build = source_hashes(PACKAGES)
        places = (args.ledgers or LEDGERS, args.run_folders or RUNS, args.claims)
        sources = resolve(SOURCES)(*places, build, args.teeth, private())
        view, paths = resolve(f"{MODULE}:make")(args.version, sources, folder)
    page = view.page
    if args.json:
        print(json.dumps({"word": page.word, "exit_code": page.exit_code, "files": [str(path) for path in paths]}))
    else:
        print(f"{page.word}: {page.sentence} {paths[0]}")
    return int(page.exit_code)


def private() -> frozenset[str]:
    """What no file of a release may name: this machine, its user's home, this checkout, the temporary folder."""
    return frozenset({os.uname().nodename, str(Path.home()), str(ROOT), f"{tempfile.gettempdir()}/"}) - {"", "/"}
