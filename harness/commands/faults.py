"""`trailcam faults [NAME]`: the catalogue of faults by layer, or all there is to know about one of them.

Exit code 0; 2 for a name that does not exist.
"""
from __future__ import annotations

import argparse
import json
import textwrap
from collections.abc import Iterator

from harness.faults.describe import as_data, by_layer, paragraph
from harness.faults.registry import FAULTS, Fault, find

WIDTH = 116


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser("faults", help="list the faults that a plan can name, or describe one")
    parser.add_argument("name", nargs="?", metavar="NAME", help="one fault")
    parser.add_argument("--json", action="store_true", help="one JSON document on stdout")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print. Raises PlanProblem for a name that does not exist."""
    chosen = find(args.name, "NAME") if args.name is not None else None
    if args.json:
        data = [as_data(FAULTS[name]) for name in FAULTS] if chosen is None else as_data(chosen)
        print(json.dumps(data, indent=2))
    else:
        print("\n".join(one(chosen) if chosen else table()))
    return 0


def table() -> Iterator[str]:
    """Every fault on one line, by layer."""
    for layer, faults in by_layer(FAULTS[name] for name in FAULTS):
        yield layer
        for fault in faults:
            start = f"  {fault.name:<22}{' '.join(sorted(fault.ways)):<14}"
            yield start + textwrap.shorten(paragraph(fault), WIDTH - len(start), placeholder=" ...")
    yield f"{len(FAULTS)} faults; `trailcam faults NAME` describes one, docs/faults.md all"


def one(fault: Fault) -> Iterator[str]:
    """Everything about one fault."""
    yield f"{fault.name} ({fault.layer})"
    yield from textwrap.wrap(paragraph(fault), WIDTH)
    yield ""
    yield f"places: {' '.join(sorted(fault.ways))}"
    if fault.kinds:
        yield f"frames: {' '.join(sorted(fault.kinds))}"
    if fault.moments:
        yield f"moments: {' '.join(sorted(fault.moments))}"
    yield f"hides the outcome: {fault.hides}"
    yield f"the next attempt must succeed: {'yes' if fault.recoverable else 'no'}"
    if fault.arguments is None:
        yield "arguments: any, at least one"
    for name, argument in (fault.arguments or {}).items():
        unit = f" {argument.unit}" if argument.unit else ""
        yield f"argument {name}: {argument.type}{unit}, default {json.dumps(argument.default)}: {argument.meaning}"
        if argument.choices:
            yield f"  one of {', '.join(json.dumps(choice) for choice in argument.choices)}"
        elif argument.low is not None:
            yield f"  from {argument.low}" + (f" to {argument.high}" if argument.high is not None else "")
