"""How fast guards are taken out, and how long the fault campaign of Computer Use lasts, on two cores.

    python -m tests.bench.bench_mutation [--seed N] [--json]

Both are made whole, as `trailcam guards` and `trailcam mutate` make them, one after the other. Wall time is what a
person waits; processor time beside it says how much of that the machine had for it. What a removal costs is the runs
that it takes until one notices, so runs a guard stand in the table too.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

from harness.campaign.bench import Bench, package_of
from harness.campaign.equivalent import read_reasons
from harness.campaign.faults import campaign
from harness.campaign.killers import read_killers
from harness.campaign.tries import scenarios_of
from harness.scenario.compile import SEED
from harness.subjects import subject

ROOT = Path(__file__).resolve().parents[2]
SYSTEM = "computer-use"
CORES = 2
TARGET_PER_S = 10
"""Guards a second."""
TARGET_S = 120
"""Of the campaign."""


@dataclass(frozen=True, slots=True)
class Row:
    """One job: how many of what, made in how many runs, in how many seconds of the wall's and the processors' time."""

    name: str
    count: int
    runs: int
    wall_s: float
    processor_s: float


def processor_s() -> float:
    """Of this process and its children that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def timed(name: str, job: Callable[[], tuple[int, int]]) -> Row:
    wall, processor = perf_counter(), processor_s()
    count, runs = job()
    return Row(name, count, runs, round(perf_counter() - wall, 1), round(processor_s() - processor, 1))


def measure(seed: int) -> list[Row]:
    """The runs to try guards against, the guards, and the campaign."""
    scenarios = scenarios_of(SYSTEM)
    system = subject(SYSTEM)
    bench = Bench(system, package_of(system, ROOT), scenarios, CORES, _quiet, read_killers())

    def explored() -> tuple[int, int]:
        made = len(bench.explore().tries)
        return made, made

    def guards() -> tuple[int, int]:
        verdicts = list(bench.judge("", read_reasons()))
        return len(verdicts), sum(verdict.tried.made for verdict in verdicts)

    def faults() -> tuple[int, int]:
        made: Any = campaign(scenarios, seed, CORES, every=False, fault=None, say=_quiet)
        return made.plans, made.plans + len(scenarios)

    return [timed("runs to try guards against", explored), timed("guards", guards), timed("fault plans", faults)]


def _quiet(words: str) -> None:
    """Progress is for commands."""


def guards_hold(rows: Sequence[Row]) -> bool:
    return rows[1].count >= TARGET_PER_S * rows[1].wall_s


def campaign_holds(rows: Sequence[Row]) -> bool:
    return rows[2].wall_s <= TARGET_S


def table(rows: Sequence[Row]) -> str:
    """As docs/benchmarks.md has it."""
    lines = ["| on two cores | how many | runs made | wall, s | processor, s | a second |", "|---|---|---|---|---|---|"]
    lines += [
        f"| {row.name} | {row.count} | {row.runs} | {row.wall_s} | {row.processor_s} | {row.count / row.wall_s:.1f} |"
        for row in rows
    ]
    return "\n".join(lines)


def main(words: Sequence[str]) -> int:
    """0 where both targets hold, 1 where not."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.bench_mutation")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args(words)
    rows = measure(args.seed)
    holds = guards_hold(rows), campaign_holds(rows)
    if args.json:
        print(json.dumps({"rows": [asdict(row) for row in rows], "holds": holds}))
    else:
        said = ["holds" if each else "missed" for each in holds]
        print(f"{table(rows)}\n\ntarget: {TARGET_PER_S} guards a second: {said[0]}\n"
              f"target: the campaign in at most {TARGET_S} s: {said[1]}")  # fmt: skip
    return 0 if all(holds) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
