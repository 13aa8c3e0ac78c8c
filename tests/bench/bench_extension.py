"""The way to Chrome: what a request costs on it, and how soon an extension is there.

    python -m tests.bench.bench_extension [--rounds N] [--asked N] [--json]

A round trip is a server's request over its local socket to our native host, a process, and from it to an extension that
answers at once, and back. Ready is a real Chromium whose extension has greeted a host: from the start of the browser,
with what it takes to load the extension and to start the host.
"""
from __future__ import annotations

import argparse
import json
import statistics
import struct
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any

import anyio

from stack.chrome.bridge import connect
from stack.chrome.endpoint import endpoints
from stack.chrome.process import ORIGIN
from tests.stack.chrome.browser.chrome import built, running
from tests.stack.chrome.browser.hosts import RUNS, server
from tests.stack.chrome.rig import HELLO, INSTANCE, SERVER, frame

TRIP_MS, READY_MS = 2.0, 600.0
WARM = 50
STATUS = {"state": "enabled", "tab_id": 1, "version": "0.1.0", "instance": INSTANCE}


def answering(out_of: IO[bytes], into: IO[bytes]) -> None:
    """An extension that knows one answer, until the host closes its output."""
    while len(head := out_of.read(4)) == 4:
        message = json.loads(out_of.read(struct.unpack("=I", head)[0]))
        if message["type"] == "request":
            into.write(frame({"v": 1, "type": "response", "id": message["id"], "ok": True, "result": STATUS}))
            into.flush()


async def trips(folder: Path, count: int) -> list[float]:
    host = server(folder)
    with anyio.fail_after(20):
        while not endpoints(host):
            await anyio.sleep(0.01)
    bridge = await connect(host, endpoints(host)[0], SERVER, lambda event, data: None)
    found = []
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(bridge.run)
        for number in range(count + WARM):
            began = time.perf_counter()
            await bridge.request("status", {}, 10_000)
            if number >= WARM:
                found.append((time.perf_counter() - began) * 1000)
        await bridge.aclose()
        tasks.cancel_scope.cancel()
    return found


def round_trips(count: int) -> list[float]:
    """Milliseconds of each request."""
    with tempfile.TemporaryDirectory() as folder:
        words = [sys.executable, "-c", RUNS.format(folder=folder), ORIGIN]
        with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(frame(HELLO))
            process.stdin.flush()
            plays = threading.Thread(target=answering, args=(process.stdout, process.stdin))
            plays.start()
            try:
                return anyio.run(trips, Path(folder), count, backend="trio")
            finally:
                process.stdin.close()
                plays.join()


def ready() -> float:
    """Milliseconds from the start of a browser to the hello of its extension."""
    built()
    began = time.perf_counter()
    with running():
        return (time.perf_counter() - began) * 1000


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 1 where a median is over its target."""
    parser = argparse.ArgumentParser("python -m tests.bench.bench_extension", description="time the way to Chrome")
    parser.add_argument("--rounds", type=int, default=9, metavar="N", help="starts of a browser")
    parser.add_argument("--asked", type=int, default=2000, metavar="N", help="round trips")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(arguments)
    all_trips = sorted(round_trips(given.asked))
    starts = [ready() for _ in range(given.rounds)]
    figures: dict[str, Any] = {
        "trip_p50_ms": round(statistics.median(all_trips), 2),
        "trip_p99_ms": round(all_trips[len(all_trips) * 99 // 100], 2),
        "ready_ms": round(statistics.median(starts), 1),
    }
    holds = figures["trip_p50_ms"] <= TRIP_MS and figures["ready_ms"] <= READY_MS
    if given.json:
        print(json.dumps({**figures, "holds": holds}))
    else:
        print("| figure | measured | target |\n|---|---|---|")
        print(f"| round trip through the host, p50 ms | {figures['trip_p50_ms']} | {TRIP_MS:g} |")
        print(f"| round trip through the host, p99 ms | {figures['trip_p99_ms']} | |")
        print(f"| extension ready after the browser's start, ms | {figures['ready_ms']} | {READY_MS:g} |")
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main())
