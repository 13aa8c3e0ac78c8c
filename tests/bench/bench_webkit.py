"""WebKit behind the fakes: how soon a session is ready, what the world adds to an evaluation, and four at once.

    python -m tests.bench.bench_webkit [--rounds N] [--calls N] [--json]

Raw WebDriver and the Safari world take turns in one browser each, in one run; a session is measured from nothing (its
processes, the screen, the first loaded page) and is over with all of its processes.
"""
from __future__ import annotations

import argparse
import json
import multiprocessing
import statistics
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from time import monotonic, perf_counter
from typing import Any

from fakes.engines.webkit import WebKit
from fakes.worlds.safari_webkit import SafariOnWebKit
from harness.engines import locate, select
from tests.bench.bench_osascript import said
from tests.fakes.osascript.drive import SAFARI

TARGET_READY_MS = 1500.0
TARGET_ADDED_MS = 3.0
TARGET_READ_MS = 2.0
AT_ONCE = 4
URL = "http://bench.test/"
READ = "a read of two Apple Events, p50 ms"
PAGE: dict[str, Any] = {"title": "Bench", "load_ms": 0, "commit_ms": 0, "body": ["page"]}
SCRIPT = "return document.title"
READS = SAFARI + (
    "const window = safari.windows.byId(7), taken = [];"
    "for (let n = 0; n < CALLS; n++) {"
    " const begun = Date.now();"
    " for (let m = 0; m < 10; m++) if (!window.visible() || safari.doJavaScript('document.title',"
    " {in: window.currentTab}) !== 'Bench') throw new Error('it does not read');"
    " taken.push((Date.now() - begun) / 10); }"
    "JSON.stringify(taken)"
)
"""Reads of two Apple Events each, ten at a time, since a script's clock has whole milliseconds."""


class Record:
    """A record that forgets, on the machine's clock."""

    may_block = True

    def record(self, e: str, **fields: Any) -> int:
        return 0

    def wake(self, key: str) -> None:
        return

    def now_ms(self) -> float:
        return monotonic() * 1000

    def pid_of(self, p: int) -> int:
        return p


def ready(number: int) -> float:
    """Milliseconds from nothing until a browser has its first page."""
    engine = WebKit(table())
    began = perf_counter()
    try:
        engine.start()
        engine.open(URL)
        return (perf_counter() - began) * 1000
    finally:
        engine.close()


def table() -> dict[str, Any]:
    return {URL: {"body": "<title>Bench</title>page"}}


def at_once(count: int) -> float:
    """Milliseconds until the slowest of so many, each started by a process of its own, has its first page."""
    with ProcessPoolExecutor(count, multiprocessing.get_context("spawn")) as pool:
        return max(pool.map(ready, range(count)))


def evaluations(calls: int) -> tuple[list[float], list[float]]:
    """Milliseconds of each evaluation: by WebDriver alone, and by the world as its front asks it."""
    engine = WebKit(table())
    engine.start()
    handle = engine.open(URL)
    world = SafariOnWebKit(Record(), {"pages": {URL: PAGE}})
    tab = world.open_tab(1, world.session_window(1, "bench"), URL)
    while tab.loading:
        world.advance()
    raw, ours = [], []
    try:
        for _ in range(calls):
            began = perf_counter()
            assert engine.evaluate(handle, SCRIPT) == "Bench"
            between = perf_counter()
            world.advance()
            assert world.evaluate(tab.document, SCRIPT) == "Bench"
            raw.append((between - began) * 1000)
            ours.append((perf_counter() - between) * 1000)
    finally:
        world.close()
        engine.close()
    return raw, ours


def reads(calls: int) -> list[float]:
    """Milliseconds of each read by Apple Events, with the script's engine and the world in this process."""
    window = {"id": 7, "tabs": [{"url": URL}]}
    world = SafariOnWebKit(Record(), {"pages": {URL: PAGE}, "windows": [window]})
    try:
        found: list[float] = json.loads(said(world, "quickjs", READS.replace("CALLS", str(calls // 10))))
        return found
    finally:
        world.close()


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.bench_webkit")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--calls", type=int, default=300)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args(words)
    if any(locate(row) is None for name in ("webkit", "xvfb") for row in select(name)):
        print("WebKit is missing: `make engines` installs it", file=sys.stderr)
        return 3
    raw, ours = evaluations(args.calls)
    figures = {
        "session ready, ms": statistics.median(map(ready, range(args.rounds))),
        f"slowest of {AT_ONCE} sessions at once, ms": at_once(AT_ONCE),
        "evaluate by WebDriver, p50 ms": statistics.median(raw),
        "evaluate by the world, p50 ms": statistics.median(ours),
        READ: statistics.median(reads(args.calls)),
    }
    added = figures["evaluate by the world, p50 ms"] - figures["evaluate by WebDriver, p50 ms"]
    if args.json:
        print(json.dumps({**figures, "added, p50 ms": added}))
    else:
        print("| figure | measured | target |\n|---|---|---|")
        targets = {"session ready, ms": f"under {TARGET_READY_MS:.0f}", READ: f"at most {TARGET_READ_MS:.0f}"}
        for name, value in figures.items():
            print(f"| {name} | {value:.1f} | {targets.get(name, '')} |")
        print(f"| added by the world, p50 ms | {added:.2f} | at most {TARGET_ADDED_MS:.0f} |")
    in_time = figures["session ready, ms"] < TARGET_READY_MS and figures[READ] <= TARGET_READ_MS
    return 0 if in_time and added <= TARGET_ADDED_MS else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
