"""How many judged runs a second one core does in virtual time: run, kept in memory, judged by the laws and its items.

    python -m tests.bench.bench_runs [--rounds N] [--json]

With one program and four calls, with one program and all steps of the panel (tests/harness/laws), of which every law
has something to judge, with the four programs of Computer Use (a scenario of the checkout with four calls, which
starts sixteen processes), and with a fault that strikes Safari's MCP server (a case of the checkout). They take turns
within a round, because a machine's speed drifts; figures are medians over the rounds. Time is that of the processor:
what one core does does not depend on what else the machine is busy with. The last row is of all cores at once, as a
campaign has them, by the clock. Collections of garbage are rare, as in every process that makes one run after another.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from harness import subjects
from harness.campaign.executor import forked
from harness.garbage import collect_rarely
from harness.judged.run import Judged, judge_run
from harness.scenario.compile import Choice, compile_sheet
from harness.scenario.keep import judge_records
from harness.scenario.runner import run
from harness.scenario.scenario import load_scenario
from tests.harness.laws import panel

ROOT = Path(__file__).resolve().parents[2]
SCENARIO = ROOT / "scenarios/computer-use/click-an-element-once.yaml"
ROUNDS = 7
RUNS = 30
"""Runs of each subject in a round."""
LONGER = 5
"""Times as many in a child, so that its start does not count for much."""
TARGET_PER_S = 300
"""Judged runs a second with one program and four calls."""
SAFARI = ROOT / "scenarios/safari-mcp/what-the-driver-says-is-read-strictly.yaml"
CASE = "an answer cut in two"
SAFARI_PER_S = 200
"""Judged runs a second of Safari's MCP server with a fault, in process: by the campaign's children, one a core."""
FOUR_CALLS = [panel.STEPS[place] for place in (0, 1, 7, 8)]


@dataclass(frozen=True, slots=True)
class Row:
    """Judged runs a second of one subject: median and best of the rounds. processes: that one run starts."""

    name: str
    processes: int
    per_s: float
    best_per_s: float


def four_calls() -> Judged:
    """A short run of the panel."""
    return judge_run(panel.played(panel.sheet(steps=FOUR_CALLS)))


def all_steps() -> Judged:
    """A run of the panel with something for every law."""
    return judge_run(panel.played(panel.sheet()))


def four_programs() -> Judged:
    """A run of Computer Use."""
    return judge_records(run(SHEET))


def safari_with_a_fault() -> Judged:
    """A run of Safari's MCP server in which a fault strikes."""
    return judge_records(run(SAFARI_SHEET))


SAFARI_SHEET: dict[str, Any] = compile_sheet(load_scenario(SAFARI), Choice(case=CASE))
SHEET: dict[str, Any] = compile_sheet(load_scenario(SCENARIO), Choice())
SUBJECTS: dict[str, Callable[[], Judged]] = {
    "one program, four calls": four_calls,
    "one program, every law": all_steps,
    "four programs, four calls": four_programs,
    "Safari's MCP server, a fault": safari_with_a_fault,
}


def measure(rounds: int, runs: int = RUNS) -> list[Row]:
    """Every subject, interleaved. Raises AssertionError where a run does not hold: that would be no judged run."""
    subjects.SUBJECTS[panel.NAME] = panel.SUBJECT  # type: ignore[index]
    collect_rarely()
    rates: dict[str, list[float]] = {name: [] for name in SUBJECTS}
    processes: dict[str, int] = {}
    for name, work in SUBJECTS.items():
        judged = work()
        assert judged.word == "holds", name
        processes[name] = sum(event["e"] == "started" for event in judged.run.journal)
    cores = len(os.sched_getaffinity(0))
    together = f"{name}, on {cores} cores"
    processes[together] = processes[name]
    for _ in range(rounds):
        for name, work in SUBJECTS.items():
            begin = process_time()
            for _ in range(runs):
                work()
            rates[name].append(runs / (process_time() - begin))
        rates.setdefault(together, []).append(at_once(cores, runs))
    return [
        Row(name, processes[name], round(statistics.median(each), 1), round(max(each), 1))
        for name, each in rates.items()
    ]


def at_once(cores: int, runs: int) -> float:
    """Runs of Safari's MCP server a second that all cores make together; the start of the children is in it."""

    def several() -> None:
        for _ in range(LONGER * runs):
            safari_with_a_fault()

    begin = perf_counter()
    lost = [answer for _, answer in forked([several] * cores, cores) if answer is not None]
    assert not lost, lost
    return LONGER * runs * cores / (perf_counter() - begin)


def holds(rows: Sequence[Row]) -> bool:
    """Whether the medians meet the targets: one program and four calls, and Safari's MCP server on all cores."""
    return rows[0].per_s >= TARGET_PER_S and rows[-1].per_s >= SAFARI_PER_S


def table(rows: Sequence[Row]) -> str:
    """As docs/benchmarks.md has it."""
    lines = ["| judged virtual runs, one core unless named | processes a run | runs a second | best round |",
             "|---|---|---|---|"]  # fmt: skip
    lines += [f"| {row.name} | {row.processes} | {row.per_s:.0f} | {row.best_per_s:.0f} |" for row in rows]
    return "\n".join(lines)


def main(words: Sequence[str]) -> int:
    """0 where the target holds, 1 where not."""
    import argparse

    parser = argparse.ArgumentParser(prog="python -m tests.bench.bench_runs")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args(words)
    rows = measure(args.rounds)
    if args.json:
        targets = {"target": TARGET_PER_S, "safari": SAFARI_PER_S}
        print(json.dumps({"rows": [asdict(row) for row in rows], **targets, "holds": holds(rows)}))
    else:
        print(
            f"{table(rows)}\n\ntargets: {TARGET_PER_S} a second with one program, {SAFARI_PER_S} with Safari's MCP "
            f"server: {'hold' if holds(rows) else 'missed'}"
        )
    return 0 if holds(rows) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
