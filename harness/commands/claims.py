"""`trailcam claims`: every claim with its verdict, the strength of its evidence, its teeth, and what shows it.

Reads the ledger that `trailcam verify` writes; runs nothing. Evidence from another build of stack, harness or fakes
shows nothing of this one, unless --any-build asks for it. Exit code 1 where a claim is broken, 3 where one is unknown
or the ledger was edited; what is not shown is no verdict and changes nothing.
"""
from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from harness.claims import FOLDER, load_claims
from harness.evidence.ledger import PATH, read_all
from harness.evidence.summary import ClaimState, summary
from harness.kept.sources import source_hashes
from harness.laws.verdict import EXIT_CODES, combine

PACKAGES = ("stack", "harness", "fakes")


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser("claims", help="say for every claim what shows it, and how strongly")
    parser.add_argument("--json", action="store_true", help="one JSON document on stdout")
    parser.add_argument("--ledger", type=Path, default=PATH, help=f"evidence to read (default: {PATH})")
    parser.add_argument("--claims", type=Path, default=FOLDER, help=f"folder of the claims (default: {FOLDER})")
    parser.add_argument("--any-build", action="store_true", help="count evidence from other builds too")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Read, add up, print, and judge."""
    claims = load_claims(args.claims)
    missing = not args.ledger.exists()
    build = None if args.any_build else source_hashes(PACKAGES)
    states = summary(() if missing else read_all(args.ledger), claims, build)
    if missing:
        print(
            f"trailcam claims: there is no ledger at {args.ledger}, so no claim is shown; `make verify` makes one",
            file=sys.stderr,
        )
    if args.json:
        print(json.dumps([state.as_json() for state in states], indent=2))
    else:
        print("\n".join(as_text(states)))
    words = [state.verdict for state in states if state.verdict is not None]
    return EXIT_CODES[combine(words)] if words else 0


def as_text(states: Sequence[ClaimState]) -> list[str]:
    """A line a claim, and at the end how many stand how."""
    lines = []
    for state in states:
        by = ", ".join(dict.fromkeys(shown.by for shown in state.shown_by))
        lines.append(f"{state.claim.id:<13}{state.word:<10}{state.strength or '':<11}{by}".rstrip())
    lines.append("")
    counts = Counter((state.word, state.strength) for state in states)
    for (word, strength), count in sorted(counts.items(), key=lambda item: (item[0][0], item[0][1] or "")):
        lines.append(f"{count:>5} {word}" + (f" ({strength})" if strength else ""))
    elsewhere = sum(state.elsewhere > 0 for state in states)
    if elsewhere:
        lines.append(f"{elsewhere:>5} have evidence from other builds, which --any-build counts")
    return lines
