"""How much memory a tape of a million events takes to be written and to be read again: as much as a short one.

    python -m tests.bench.bench_tape [--json]

Events are made while they are written and dropped while they are read, so that what is measured is the writer and the
reader alone. Each count is worked through in an interpreter of its own, whose peak is what the kernel says.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

from harness.tape.header import Header
from harness.tape.read import read_stream
from harness.tape.write import Writer

ROOT = Path(__file__).resolve().parents[2]
SHORT, LONG = 1_000, 1_000_000
MORE_KIB = 2_048
"""What the long tape may take beside the short one: what an allocator keeps, and nothing that grows with events."""
ORIGIN: dict[str, Any] = {
    "strength": "model", "products": [{"name": "fake", "version": "1"}], "platform": "any", "recorder": "bench",
}


@dataclass(frozen=True, slots=True)
class Row:
    """One count of events: seconds to write and to read, and the peak of the whole process."""

    events: int
    write_s: float
    read_s: float
    peak_kib: int


def work(path: Path, count: int) -> Row:
    """Write that many events, and read them again."""
    began = perf_counter()
    with path.open("wb", buffering=0) as file:
        writer = Writer(file.write, Header(ORIGIN, wires={"fake": {"stdio": "jsonrpc"}}))
        writer.put("started", t=0, p=1, program="fake", argv=["serve"])
        for n in range(1, count):
            writer.put_bytes(b'{"id":%d,"method":"ping"}\n' % n, t=n, p=1, s="in")
        assert writer.close()
    between = perf_counter()
    with path.open("rb") as file:
        _, events = read_stream(file, str(path))
        assert sum(1 for _ in events) == count
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return Row(count, round(between - began, 1), round(perf_counter() - between, 1), peak)


def measure() -> list[Row]:
    """Each count in an interpreter of its own."""
    rows = []
    for count in (SHORT, LONG):
        with tempfile.TemporaryDirectory() as folder:
            words = [sys.executable, "-m", "tests.bench.bench_tape", "--work", os.path.join(folder, "t"), str(count)]
            done = subprocess.run(words, cwd=ROOT, check=True, capture_output=True)
        rows.append(Row(**json.loads(done.stdout)))
    return rows


def holds(rows: Sequence[Row]) -> bool:
    return rows[1].peak_kib - rows[0].peak_kib <= MORE_KIB


def table(rows: Sequence[Row]) -> str:
    """As docs/benchmarks.md has it."""
    lines = ["| events | written, s | read, s | peak of the process, KiB |", "|---|---|---|---|"]
    return "\n".join(lines + [f"| {row.events:,} | {row.write_s} | {row.read_s} | {row.peak_kib:,} |" for row in rows])


def main(words: Sequence[str]) -> int:
    """0 where the target holds, 1 where not."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.bench_tape")
    parser.add_argument("--work", nargs=2, metavar=("PATH", "COUNT"), help="what the benchmark starts itself as")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args(words)
    if args.work:
        print(json.dumps(asdict(work(Path(args.work[0]), int(args.work[1])))))
        return 0
    rows = measure()
    if args.json:
        print(json.dumps({"rows": [asdict(row) for row in rows], "holds": holds(rows)}))
    else:
        said = "holds" if holds(rows) else "missed"
        print(f"{table(rows)}\n\ntarget: {LONG:,} events in no more than {MORE_KIB:,} KiB more: {said}")
    return 0 if holds(rows) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
