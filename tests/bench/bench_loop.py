"""How many guarded steps a second the decision loop does in one process, on one core.

    python -m tests.bench.bench_loop [--rounds N] [--json]

A step is a whole one: a request to the scripted model over HTTP, its answer validated, a click under guard and nonce,
and the look after it. The model answers at once, as a recording does, so the watch reads nothing. Everything that a
virtual run has takes part: the stack, the real bridge program in QuickJS, the page of the model, the journal and the
world record. The start of the run is included. By Apple Events and by Safari's MCP server they take turns within a
round; figures are medians over the rounds. Time is that of the processor.
"""

from __future__ import annotations

import json
import statistics
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from time import process_time
from typing import Any

from harness.scenario.compile import Choice, compile_sheet
from harness.scenario.runner import run
from harness.scenario.scenario import load_scenario

ROOT = Path(__file__).resolve().parents[2]
SCENARIOS = {
    "by Apple Events": ROOT / "scenarios/safari-jxa/a-decision-is-one-observed-action.yaml",
    "by the MCP server": ROOT / "scenarios/safari-mcp/the-decision-loop-over-a-tab.yaml",
}
"""Name -> the scenario whose run is made longer: its world, with `run` as its last step."""
LEGS, STEPS = 4, 39
"""A leg has 40 steps of work at the most."""
ROUNDS = 5
TARGET_PER_S = 100


@dataclass(frozen=True, slots=True)
class Row:
    """Guarded steps a second: median and best of the rounds. steps: of one run."""

    name: str
    steps: int
    per_s: float
    best_per_s: float


def sheet(path: Path) -> dict[str, Any]:
    """The scenario's run sheet with LEGS legs of STEPS clicks each."""
    made = compile_sheet(load_scenario(path), Choice())
    goals = [f"leg {number}" for number in range(LEGS)]
    answers: list[dict[str, Any]] = []
    for goal in goals:
        answers += [{"goal": goal, "operation": "CLICK", "target": "Buy", "times": STEPS}]
        answers += [{"goal": goal, "operation": "DONE", "visible": 0.9}]
    made["programs"] = {**made["programs"], "model": {**made["programs"]["model"], "think_ms": 0, "answers": answers}}
    last = made["steps"][-1]
    last["call"]["arguments"] = {**last["call"]["arguments"], "plan": goals, "expect": None}
    return made


def steps_of(records: Any) -> int:
    """Steps that a run did. AssertionError where it did not end as done: that would be no measurement."""
    ran = next(line["structured"] for line in records.history if line["e"] == "answered" and _is_run(line))
    assert ran["ended"] == "done", ran["ended"]
    return sum(leg["work"] for leg in ran["legs"])


def _is_run(line: dict[str, Any]) -> bool:
    return isinstance(line.get("structured"), dict) and "legs" in line["structured"]


def measure(rounds: int) -> list[Row]:
    """Both ways, interleaved."""
    sheets = {name: sheet(path) for name, path in SCENARIOS.items()}
    steps = {name: steps_of(run(each)) for name, each in sheets.items()}
    rates: dict[str, list[float]] = {name: [] for name in sheets}
    for _ in range(rounds):
        for name, each in sheets.items():
            begin = process_time()
            run(each)
            rates[name].append(steps[name] / (process_time() - begin))
    return [
        Row(name, steps[name], round(statistics.median(each), 1), round(max(each), 1)) for name, each in rates.items()
    ]


def holds(rows: Sequence[Row]) -> bool:
    """Whether the median by Apple Events meets the target."""
    return rows[0].per_s >= TARGET_PER_S


def table(rows: Sequence[Row]) -> str:
    """As docs/benchmarks.md has it."""
    lines = ["| decision loop, one core | steps a run | guarded steps a second | best round |", "|---|---|---|---|"]
    lines += [f"| {row.name} | {row.steps} | {row.per_s:.0f} | {row.best_per_s:.0f} |" for row in rows]
    return "\n".join(lines)


def main(words: Sequence[str]) -> int:
    """0 where the target holds, 1 where not."""
    import argparse

    parser = argparse.ArgumentParser(prog="python -m tests.bench.bench_loop")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args(words)
    rows = measure(args.rounds)
    if args.json:
        print(json.dumps({"rows": [asdict(row) for row in rows], "target": TARGET_PER_S, "holds": holds(rows)}))
    else:
        verdict = "holds" if holds(rows) else "missed"
        print(f"{table(rows)}\n\ntarget: {TARGET_PER_S} guarded steps a second by Apple Events: {verdict}")
    return 0 if holds(rows) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
