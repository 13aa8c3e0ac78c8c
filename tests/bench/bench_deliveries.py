"""Ten thousand randomly faulted deliveries of an action to a page (tests/stack/safari_jxa/deliveries.py), and how fast.

    python -m tests.bench.bench_deliveries [--deliveries N] [--seed S] [--only NUMBER] [--json]

Each is one session of the real stack with the real bridge program on the model of Safari, in virtual time, with one to
three faults, judged by the eight laws and by a rule of its own. Delivery NUMBER of a seed is always the same, so what
is printed as wrong can be run again alone. Time is that of the processor. Exit code 0 where every law holds and every
answer agrees with the world, 1 where one does not. Not part of `make bench`: it takes minutes.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from random import Random
from time import process_time

from tests.stack.safari_jxa.deliveries import PHASES, Delivery, Seen, counted, drawn, seen

DELIVERIES = 10_000
SEED = 1
EVERY = 250
"""Deliveries between two lines of progress."""


def delivery(seed: int, number: int) -> Delivery:
    """The delivery of that number."""
    return drawn(Random(f"{seed}:{number}").choice)


def deliver(seed: int, numbers: Sequence[int]) -> tuple[dict[int, Seen], float]:
    """All of these, and the processor time that they took in seconds."""
    found: dict[int, Seen] = {}
    begin = process_time()
    for number in numbers:
        found[number] = seen(delivery(seed, number))
        if found[number].wrong:
            print(f"delivery {number} of seed {seed}: {'; '.join(found[number].wrong)}", file=sys.stderr)
        if len(found) % EVERY == 0:
            print(f"bench: {len(found)} of {len(numbers)} deliveries", file=sys.stderr, flush=True)
    return found, process_time() - begin


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.bench_deliveries")
    parser.add_argument("--deliveries", type=int, default=DELIVERIES)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--only", type=int, help="run the delivery of this number alone, and show it")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args(words)
    if args.only is not None:
        print(delivery(args.seed, args.only))
    found, seconds = deliver(args.seed, range(args.deliveries) if args.only is None else [args.only])
    wrong = {number: each.wrong for number, each in found.items() if each.wrong}
    answers, phases = counted(list(found.values()))
    struck = sum(bool(each.fired) for each in found.values())
    if args.json:
        print(json.dumps({
            "deliveries": len(found), "struck": struck, "per_s": round(len(found) / seconds, 1), "answers": answers,
            "phases": phases, "wrong": {number: asdict(found[number]) for number in wrong},
        }))  # fmt: skip
    else:
        print(f"{len(found)} deliveries, {struck} struck by a fault, {len(found) / seconds:.1f} a second\n")
        print("| answer | deliveries |\n|---|---|")
        print("\n".join(f"| {name} | {count} |" for name, count in answers.most_common()))
        print("\n| faults fired | times |\n|---|---|")
        print("\n".join(f"| {name} | {phases[name]} |" for name in PHASES))
        print(f"\nlaws and agreement with the world: {f'{len(wrong)} WRONG: {[*wrong]}' if wrong else 'hold'}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
