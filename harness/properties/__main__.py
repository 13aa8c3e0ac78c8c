"""`make deep`: search until something is found or the budget is used up, and keep what was found as a scenario.

Progress goes to stderr. Exit code 0: nothing found; 1: a law is broken; 3: something is broken in some runs only, or
nothing was judged. The budget is an alarm of the system, so no clock is read here.
"""
from __future__ import annotations

import argparse
import json
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from harness.guard import GUARD
from harness.properties.found import FOLDER, save
from harness.properties.search import DEEP, SEED, VOCABULARIES, Search, search
from harness.properties.tally import Tally

ROUNDS = 1_000_000
"""More than any budget lets be."""
EVERY = 25
"""Examples between two lines of progress."""


class Budget:
    """Seconds that a search may begin new rounds in; 0: no limit."""

    def __init__(self, seconds: float) -> None:
        self.over = False
        signal.signal(signal.SIGALRM, self._rang)
        signal.setitimer(signal.ITIMER_REAL, seconds)

    def _rang(self, number: int, frame: Any) -> None:
        self.over = True

    def goes_on(self, state: Search) -> bool:
        """Whether there is time for another round."""
        return not self.over


def progress(tally: Tally) -> None:
    """A line on stderr for every so many examples."""
    if tally.examples % EVERY == 0:
        print(f"trailcam deep: {tally.words}", file=sys.stderr, flush=True)


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser("python -m harness.properties", description="search for broken laws")
    made.add_argument("--system", choices=tuple(VOCABULARIES), default="computer-use")
    made.add_argument("--seconds", type=float, default=300.0, metavar="S", help="budget; 0 for none (default: 300)")
    made.add_argument("--rounds", type=int, default=ROUNDS, metavar="N",
                      help=f"at most so many rounds of {DEEP.max_examples} examples")
    made.add_argument("--seed", type=int, default=SEED, metavar="N", help=f"of the first round (default: {SEED})")
    made.add_argument("--out", type=Path, default=FOLDER, metavar="FOLDER",
                      help=f"for what is found (default: {FOLDER})")
    made.add_argument("--json", action="store_true", help="one JSON document on stdout")
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Search, keep, print; the exit code. Nothing leaves this machine (HAR-NET-01)."""
    args = parser().parse_args(arguments)
    GUARD.install()
    budget = Budget(args.seconds)
    try:
        state = search(
            VOCABULARIES[args.system], DEEP, number=args.seed, rounds=args.rounds, go_on=budget.goes_on, watch=progress
        )
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    saved = [str(save(each, args.out)) for each in state.found if each.verdict == "broken"]
    if args.json:
        found = [each.as_json() for each in state.found]
        print(json.dumps({"found": found, "files": saved, "rounds": state.rounds, "tally": state.tally.as_json()}))
    else:
        print("\n".join([*(each.words for each in state.found), state.tally.words]))
    return exit_code(state)


def exit_code(state: Search) -> int:
    """1 where a law is broken or a run hangs, 3 where only something flaky was found or nothing was judged, else 0."""
    verdicts = {each.verdict for each in state.found}
    if verdicts & {"broken", "hangs"}:
        return 1
    return 3 if verdicts or not state.tally.runs else 0


if __name__ == "__main__":
    raise SystemExit(main())
