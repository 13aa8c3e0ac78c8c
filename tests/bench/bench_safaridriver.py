"""How fast the fake safaridriver is: from its start to the answer to initialize, and list_tabs one after the other.

    python -m tests.bench.bench_safaridriver [--rounds N] [--json]

Measured on the executable of a run folder that is its own stage, with its journal and world record written, and beside
a bare interpreter in turns, which is what the start is compared with.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter_ns
from typing import IO

from harness.serve.launch import PYTHON, make_folder, remove_folder
from tests.fakes.safaridriver.client import HELLO

ROUNDS = 15
CALLS = 2000
START_MS = 30.0
CALLS_PER_S = 5000.0
SHEET = {
    "v": 1,
    "seed": 1,
    "world": {"pages": {"http://a.test/": {"title": "A"}}},
    "programs": {"safaridriver": {"initialize_ms": 0, "call_ms": 0, "browser_ms": 0}},
    "machines": {"safaridriver": "fakes.fronts.safaridriver:SafariDriver"},
    "world_factory": "fakes.worlds.safari:Safari",
}


def message(id: int, method: str, params: object) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).encode() + b"\n"


def turn(stdin: IO[bytes], stdout: IO[bytes], line: bytes) -> None:
    stdin.write(line)
    stdin.flush()
    assert b'"result"' in stdout.readline()


def session(folder: Path) -> tuple[float, float]:
    """(milliseconds to the answer to initialize, calls of list_tabs a second)."""
    begun = perf_counter_ns()
    with subprocess.Popen(
        [str(folder / "safaridriver"), "--mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as driver:
        assert driver.stdin and driver.stdout
        turn(driver.stdin, driver.stdout, message(1, "initialize", HELLO))
        start_ms = (perf_counter_ns() - begun) / 1e6
        turn(driver.stdin, driver.stdout, message(2, "tools/call", {"name": "create_tab", "arguments": {}}))
        line = message(3, "tools/call", {"name": "list_tabs", "arguments": {}})
        begun = perf_counter_ns()
        for _ in range(CALLS):
            turn(driver.stdin, driver.stdout, line)
        took_s = (perf_counter_ns() - begun) / 1e9
        driver.stdin.close()
        assert driver.wait() == 0
    return start_ms, CALLS / took_s


def bare_ms() -> float:
    """What a bare interpreter takes from its start to its end."""
    begun = perf_counter_ns()
    subprocess.run([PYTHON, "-SE", "-c", "pass"], check=True)
    return (perf_counter_ns() - begun) / 1e6


def main(words: Sequence[str]) -> int:
    rounds = int(words[words.index("--rounds") + 1]) if "--rounds" in words else ROUNDS
    folder = make_folder(["safaridriver"], SHEET)
    try:
        rows = [(*session(folder), bare_ms()) for _ in range(rounds)]
    finally:
        remove_folder(folder)
    start_ms, rate, bare = (statistics.median(column) for column in zip(*rows, strict=True))
    if "--json" in words:
        print(json.dumps({"start_ms": start_ms, "calls_per_s": rate, "bare_ms": bare}))
    else:
        print("| what | median | target |\n|---|---|---|")
        print(f"| start to initialize, ms | {start_ms:.1f} | {START_MS:g} |")
        print(f"| list_tabs, calls a second | {rate:.0f} | {CALLS_PER_S:g} |")
        print(f"| a bare interpreter, ms | {bare:.1f} | |")
    return int(start_ms > START_MS or rate < CALLS_PER_S)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
