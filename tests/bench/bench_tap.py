"""What the tap adds to a round trip: direct pipe, our tap, a floor in 35 lines, and peers, interleaved in one run.

    python -m tests.bench.bench_tap [--calls N] [--json]

All subjects are started and stay up; then each in turn makes a block of calls to its own JSON echo server, round after
round. A machine's speed drifts from one moment to the next, so what counts is a block's difference from the block of
the direct pipe in the same round. A peer that can't be installed is said to be missing, never left out silently.

All of it is measured twice. With every process on one core a round trip costs what is computed in it: that is the tap's
own cost, and what its target is about. On all cores each hop may also have to wake a core that has gone idle, which in
a virtual machine costs more than everything else; the floor pays that too, and says how much it is.
"""
from __future__ import annotations

import json
import os
import select
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter_ns

ROOT = Path(__file__).resolve().parents[2]
PYTHON = os.path.realpath(getattr(sys, "_base_executable", sys.executable))
PEERS = {"mcp-rec": "0.1.1", "mcp-cassette": "0.4.0"}
INTERPRETERS = (PYTHON, "python3.13", "python3.12", "python3")
"""Tried in this order for a peer's environment: a peer may need a newer one than ours."""

CALLS = 2000
BLOCK = 50
"""Calls of one subject in one round, after WARM more that are not counted: it has been idle since its last turn."""
WARM = 5
STARTS = 5
TARGET_P50_MS = 0.03
TARGET_P99_MS = 0.3
WAIT_MS = 60_000

SERVER = """
import json, sys
source, sink = sys.stdin.buffer, sys.stdout.buffer
for line in source:
    message = json.loads(line)
    if "id" in message:
        if message["method"] == "initialize":
            result = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}},
                      "serverInfo": {"name": "echo", "version": "1"}}
        else:
            result = {"content": [{"type": "text", "text": json.dumps(message["params"])}]}
        sink.write(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}).encode() + b"\\n")
        sink.flush()
"""
"""A JSON echo server of the standard library alone."""

FLOOR = """
import os, select, subprocess, sys, time
child = subprocess.Popen(sys.argv[2:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
legs = {0: child.stdin.fileno(), child.stdout.fileno(): 1}
kept = []
poll = select.poll()
for source in legs:
    poll.register(source, select.POLLIN)
while legs:
    for source, _ in poll.poll():
        data = os.read(source, 65536)
        when = time.monotonic_ns()
        sink = legs[source]
        if not data:
            poll.unregister(source)
            del legs[source]
            os.close(sink)
            continue
        rest = data
        while rest:
            rest = rest[os.write(sink, rest):]
        kept.append((when, source, data))
status = child.wait()
with open(sys.argv[1], "wb") as tape:
    for when, source, data in kept:
        tape.write(b"%d %d %d\\n" % (when, source, len(data)) + data)
sys.exit(status)
"""
"""The least that a recording proxy in Python can do: no bound, no stderr, no signals, no redaction, blocking writes,
everything kept in memory and written at the end."""


@dataclass(frozen=True, slots=True)
class Subject:
    """command: from (server's command, an unused path for the tape) to what the client starts."""

    name: str
    command: Callable[[Sequence[str], Path], list[str]]


@dataclass(frozen=True, slots=True)
class Row:
    """One subject; milliseconds. start: median time from its start to its reply to initialize; p50, p99: of all calls;
    added_p50: median of its blocks' differences from the direct pipe's; added_p99: difference of the p99 of all calls;
    tape: whether it wrote one."""

    name: str
    start: float
    p50: float
    p99: float
    added_p50: float
    added_p99: float
    ratio_p50: float
    calls_per_s: float
    tape: bool


def tap_command(server: Sequence[str], tape: Path) -> list[str]:
    script = str(ROOT / "harness" / "record" / "__main__.py")
    return [PYTHON, "-SE", script, "--out", str(tape), "--", *server]


def ensure_peer(name: str, version: str, folder: Path = ROOT / "build" / "bench") -> Path | None:
    """The peer's command, in an environment of its own that is made where it is missing; None where it can't be."""
    command = folder / name / "bin" / name
    if command.exists():
        return command
    for interpreter in INTERPRETERS:
        shutil.rmtree(folder / name, ignore_errors=True)
        made = shutil.which(interpreter) and quiet([interpreter, "-m", "venv", str(folder / name)])
        if made and quiet([str(folder / name / "bin" / "python"), "-m", "pip", "install", f"{name}=={version}"]):
            return command
    shutil.rmtree(folder / name, ignore_errors=True)
    return None


def quiet(command: Sequence[str]) -> bool:
    """Run a command without a word; whether it went well."""
    return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode == 0


def subjects(folder: Path) -> tuple[list[Subject], list[str]]:
    """(what is compared, peers that are missing). The floor's script is written into `folder`."""
    floor = folder / "floor.py"
    floor.write_text(FLOOR)
    found = [
        Subject("direct", lambda server, tape: list(server)),
        Subject("trailcam record", tap_command),
        Subject("floor (35 lines)", lambda server, tape: [PYTHON, "-SE", str(floor), str(tape), *server]),
    ]
    commands = {name: ensure_peer(name, version) for name, version in PEERS.items()}
    rec, cassette = commands["mcp-rec"], commands["mcp-cassette"]
    if rec:
        found.append(Subject("mcp-rec record", lambda server, tape: [
            str(rec), "record", "-o", str(tape), "--", *server]))
    if cassette:
        found.append(Subject("mcp-cassette record", lambda server, tape: [
            str(cassette), "record", "--cassette", str(tape), "--", *server]))
    return found, [f"{name} {PEERS[name]}" for name, command in commands.items() if command is None]


class Client:
    """Writes a line, reads a line: raw descriptors, so that the client's own cost is small and the same for all."""

    def __init__(self, command: Sequence[str]) -> None:
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, bufsize=0)
        assert self.process.stdin
        assert self.process.stdout
        self._to = self.process.stdin.fileno()
        self._from = self.process.stdout.fileno()
        self._waiting = select.poll()
        self._waiting.register(self._from, select.POLLIN)

    def call(self, message: bytes) -> int:
        """Nanoseconds from writing a request to having its whole reply."""
        began = perf_counter_ns()
        os.write(self._to, message)
        data = os.read(self._from, 65536)
        while data[-1:] != b"\n":
            more = os.read(self._from, 65536)
            assert more, "the server went away"
            data += more
        return perf_counter_ns() - began

    def await_reply(self, message: bytes) -> None:
        os.write(self._to, message)
        assert self._waiting.poll(WAIT_MS), "no reply to initialize"
        assert os.read(self._from, 65536)

    def close(self) -> None:
        """End the session as a client does."""
        assert self.process.stdin
        self.process.stdin.close()
        try:
            self.process.wait(WAIT_MS / 1000)
        finally:
            self.process.kill()
            self.process.wait()


INITIALIZE = json.dumps({
    "jsonrpc": "2.0", "id": 0, "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}},
}).encode() + b"\n"


def request(number: int) -> bytes:
    params = {"name": "echo", "arguments": {"text": "the quick brown fox", "number": number}}
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}).encode() + b"\n"


class Running:
    """A subject with its session open."""

    def __init__(self, subject: Subject, server: Sequence[str], folder: Path) -> None:
        self.subject = subject
        self.tape = folder / f"{subject.name.replace(' ', '-')}.tape"
        self.blocks: list[list[int]] = []
        self.client, _ = started(subject, server, self.tape)

    def block(self, calls: int) -> None:
        for number in range(WARM):
            self.client.call(request(number))
        self.blocks.append(sorted(self.client.call(request(number)) for number in range(calls)))


def started(subject: Subject, server: Sequence[str], tape: Path) -> tuple[Client, float]:
    """A subject that has answered initialize, and how long that took in milliseconds."""
    began = perf_counter_ns()
    client = Client(subject.command(server, tape))
    client.await_reply(INITIALIZE)
    return client, (perf_counter_ns() - began) / 1e6


def start_times(compared: Sequence[Subject], server: Sequence[str], folder: Path) -> dict[str, list[float]]:
    times: dict[str, list[float]] = {subject.name: [] for subject in compared}
    for number in range(STARTS):
        for place, subject in enumerate(compared):
            client, time_ms = started(subject, server, folder / f"start-{number}-{place}.tape")
            client.close()
            times[subject.name].append(time_ms)
    return times


@contextmanager
def one_core() -> Iterator[bool]:
    """Everything that is started meanwhile stays on one core; False where a system has no such thing."""
    if not hasattr(os, "sched_setaffinity"):
        yield False
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(before)})
    try:
        yield True
    finally:
        os.sched_setaffinity(0, before)


def measure(calls: int = CALLS) -> tuple[list[Row], list[str]]:
    """(a row for each subject, the direct pipe first; peers that are missing)."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        echo = folder / "echo.py"
        echo.write_text(SERVER)
        compared, missing = subjects(folder)
        server = [PYTHON, "-SE", str(echo)]
        times = start_times(compared, server, folder)
        running = [Running(subject, server, folder) for subject in compared]
        try:
            for _ in range(max(1, calls // BLOCK)):
                for each in running:
                    each.block(BLOCK)
        finally:
            for each in running:
                each.client.close()
        rows = [row_of(each, running[0], times[each.subject.name]) for each in running]
    return rows, missing


def row_of(running: Running, direct: Running, times: Sequence[float]) -> Row:
    """Differences are taken block by block, so that the drift of the machine does not count."""
    mine, base = (sorted(time for block in each.blocks for time in block) for each in (running, direct))
    middles = [
        (one[len(one) // 2], other[len(other) // 2])
        for one, other in zip(running.blocks, direct.blocks, strict=True)
    ]
    return Row(
        name=running.subject.name,
        start=statistics.median(times),
        p50=mine[len(mine) // 2] / 1e6,
        p99=mine[len(mine) * 99 // 100] / 1e6,
        added_p50=statistics.median(one - other for one, other in middles) / 1e6,
        added_p99=(mine[len(mine) * 99 // 100] - base[len(base) * 99 // 100]) / 1e6,
        ratio_p50=statistics.median(one / other for one, other in middles),
        calls_per_s=len(mine) / (sum(mine) / 1e9),
        tape=running is direct or (running.tape.exists() and running.tape.stat().st_size > len(mine)),
    )


def table(rows: Sequence[Row]) -> str:
    """The rows as Markdown."""
    lines = [
        "| | start to initialize, ms | p50 ms | added p50 | added p99 | p50 over direct | calls/s |",
        "|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        silent = "" if row.tape else " (wrote no tape)"
        lines.append(
            f"| {row.name}{silent} | {row.start:.0f} | {row.p50:.3f} | {row.added_p50:+.3f} | {row.added_p99:+.3f} "
            f"| {row.ratio_p50:.2f} | {row.calls_per_s:,.0f} |"
        )
    return "\n".join(lines)


def verdict(rows: Sequence[Row]) -> bool:
    """Whether the tap holds its targets, and recorded while it did."""
    tap = next(row for row in rows if row.name == "trailcam record")
    return tap.tape and tap.added_p50 <= TARGET_P50_MS and tap.added_p99 <= TARGET_P99_MS


def main(words: Sequence[str]) -> int:
    """0 where the targets hold, 1 where not."""
    import argparse

    parser = argparse.ArgumentParser(prog="python -m tests.bench.bench_tap")
    parser.add_argument("--calls", type=int, default=CALLS)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args(words)
    with one_core() as pinned:
        rows, missing = measure(args.calls)
    tables = [("one core" if pinned else "all cores", rows)]
    if pinned:
        tables.append(("all cores", measure(args.calls)[0]))
    holds = verdict(rows)
    if args.json:
        named = {name: [asdict(row) for row in found] for name, found in tables}
        print(json.dumps({"rows": named, "missing": missing, "holds": holds}))
    else:
        for name, found in tables:
            print(f"{name}:\n\n{table(found)}\n")
        print(f"not compared: {', '.join(missing)}\n" if missing else "", end="")
        print(f"target: added p50 at most {TARGET_P50_MS} ms, p99 at most {TARGET_P99_MS} ms on {tables[0][0]}: "
              f"{'holds' if holds else 'missed'}")
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
