"""Which plans a fault campaign makes of one scenario: of everything that its census allows, all, or a turn of it.

Everything is fault x arguments x class of place x first and last of the run (harness/faults/standard.py). A turn has
each fault at each class of place once, with one of its arguments at one of the two ends, and which one goes round with
the number of the scenario and the seed. So every scenario meets every fault at every class of place, every variant is
met in some scenario, and another seed meets others.
"""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from harness.faults.standard import everything

Plan = Mapping[str, Any]


def plans_of(
    census: Sequence[Mapping[str, Any]],
    seed: int,
    *,
    turn: int | None,
    fault: str | None = None,
    changes: Sequence[Mapping[str, Any]] = (),
) -> tuple[list[Plan], int]:
    """(plans to make, how many there are). turn: the scenario's number; None: all plans. fault: only this one."""
    groups: dict[str, list[Plan]] = {}
    for plan in everything(census, seed, changes=changes):
        if fault is None or plan["faults"][0]["fault"] == fault:
            groups.setdefault(group_of(plan), []).append(plan)
    total = sum(map(len, groups.values()))
    if turn is None:
        return [plan for plans in groups.values() for plan in plans], total
    return list(_turned(list(groups.values()), turn + seed)), total


def _turned(groups: Sequence[Sequence[Plan]], turn: int) -> Iterator[Plan]:
    for number, plans in enumerate(groups):
        yield plans[(turn + number) % len(plans)]


def group_of(plan: Plan) -> str:
    """Fault and class of place, without arguments and count."""
    entry = plan["faults"][0]
    place = sorted((key, str(value)) for key, value in entry["at"].items() if key != "nth")
    return f"{entry['fault']} {place}"
