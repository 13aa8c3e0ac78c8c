"""`make bench`: every figure that has a target, each from one interleaved run, as tables in Markdown.

    python -m tests.bench [--write FILE]

Times are noisy on small machines, so a table compares what took turns in one run, and never one run with another.
--write puts the tables into a file (docs/benchmarks.md), with the versions of what was compared. Exit code 0 where all
targets hold, 1 where one is missed: a benchmark is read by people, and no test depends on it.
"""
from __future__ import annotations

import argparse
import contextlib
import io
import platform
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from harness.version import VERSION
from tests.bench import (
    bench_extension,
    bench_loop,
    bench_mutation,
    bench_osascript,
    bench_player,
    bench_runs,
    bench_safaridriver,
    bench_snapshot,
    bench_tap,
    bench_tape,
    bench_webkit,
)

PARTS: tuple[tuple[str, Callable[[Sequence[str]], int]], ...] = (
    ("Tap: what recording adds to a round trip", bench_tap.main),
    ("Player: serving a tape", bench_player.main),
    ("Tape: a million events", bench_tape.main),
    ("Judged runs in virtual time", bench_runs.main),
    ("Guards and faults: how fast they are tried", bench_mutation.main),
    ("The decision loop: guarded steps", bench_loop.main),
    ("Fake osascript: start, and an Apple Event", bench_osascript.main),
    ("Fake safaridriver: start, and a call", bench_safaridriver.main),
    ("Chrome extension: a snapshot of a large page", bench_snapshot.main),
    ("Chrome: through the host, and until an extension is there", bench_extension.main),
    ("WebKit behind the fakes: session, and evaluation", bench_webkit.main),
)


def versions() -> str:
    """What was measured with, in one sentence."""
    peers = ", ".join(f"{name} {version}" for name, version in bench_tap.PEERS.items())
    system = f"{platform.system()} on {platform.machine()}, {platform.python_implementation()}"
    return f"trailcam {VERSION} and {peers}, on {system} {platform.python_version()}."


def measured(title: str, main: Callable[[Sequence[str]], int]) -> tuple[str, int]:
    """One part as Markdown, and its exit code."""
    print(f"bench: {title}", file=sys.stderr)
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        status = main([])
    return f"## {title}\n\n{text.getvalue().strip()}\n", status


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench")
    parser.add_argument("--write", type=Path, help="write the tables to this file too")
    args = parser.parse_args(words)
    parts = [measured(*part) for part in PARTS]
    head = (
        "# Benchmarks\n\nWritten by `make bench`, whose tables compare what took turns in one run: only the ratios and "
        f"differences within a table say something. Measured with {versions()}\n"
    )
    document = "\n".join([head, *(text for text, _ in parts)])
    print(document)
    if args.write:
        args.write.write_text(document, encoding="utf-8")
    return max(status for _, status in parts)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
