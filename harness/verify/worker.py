"""`python -m harness.verify.worker`: works units off, one JSON line in, one JSON line out, until its input ends.

A process of its own, because a run in virtual time uses one core, and because what a unit does to its process (memory,
a hang) must not touch the others. Its first line says what all its units share: the folder for kept runs, the claims,
and how nice it is to be.
"""
from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from harness.claims import load_claims
from harness.garbage import collect_rarely
from harness.guard import GUARD
from harness.scenario.scenario import Scenario, load_scenario
from harness.verify.units import Unit
from harness.verify.work import work


def answers(lines: Iterable[str]) -> Iterator[str]:
    """The answer to each line after the first."""
    given = iter(lines)
    shared = json.loads(next(given))
    os.nice(shared["nice"])
    claims = load_claims(Path(shared["claims"]))
    folder = None if shared["folder"] is None else Path(shared["folder"])
    scenarios: dict[str, Scenario] = {}
    for line in given:
        unit = Unit.from_json(json.loads(line))
        if unit.file not in scenarios:
            scenarios[unit.file] = load_scenario(Path(unit.file), claims, unit.name)
        yield json.dumps(work(scenarios[unit.file], unit, claims, folder).as_json())


def main() -> int:
    """Answer stdin on stdout. Nothing leaves this machine (HAR-NET-01)."""
    GUARD.install()
    collect_rarely()
    for answer in answers(sys.stdin):
        print(answer, flush=True)
    tried = GUARD.take()
    if tried:
        print(f"trailcam: tried to leave this machine {len(tried)} times: {tried}", file=sys.stderr)
    return 1 if tried else 0


if __name__ == "__main__":
    raise SystemExit(main())
