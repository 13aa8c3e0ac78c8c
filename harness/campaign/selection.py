"""Which plans a fault campaign makes: of everything that the censuses allow, all, or a turn of it.

Everything is fault x arguments x class of place x first and last of the run (harness/faults/standard.py). A group is
one fault at one class of place; its plans differ in arguments and end. A turn has, of each scenario, one plan of every
TURNS-th group, and one of each group that fewer than TURNS scenarios have. Which groups, and which plan, goes round
with the number of the scenario and the seed. So nearly every group is met in some scenario, and the next seeds meet the
rest.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from harness.faults.standard import everything

TURNS = 3
Plan = Mapping[str, Any]
Groups = Mapping[str, Sequence[Plan]]
"""Name of a group -> its plans."""


def groups_of(
    census: Sequence[Mapping[str, Any]],
    seed: int,
    *,
    fault: str | None = None,
    changes: Sequence[Mapping[str, Any]] = (),
) -> dict[str, list[Plan]]:
    """Every plan of a scenario. fault: only of this one."""
    groups: dict[str, list[Plan]] = {}
    for plan in everything(census, seed, changes=changes):
        if fault is None or plan["faults"][0]["fault"] == fault:
            groups.setdefault(group_of(plan), []).append(plan)
    return groups


def group_of(plan: Plan) -> str:
    """Fault and class of place, without arguments and count."""
    entry = plan["faults"][0]
    place = sorted((key, str(value)) for key, value in entry["at"].items() if key != "nth")
    return f"{entry['fault']} {place}"


def rare_of(all_groups: Iterable[Groups]) -> set[str]:
    """The groups that fewer than TURNS scenarios have."""
    counts = Counter(name for groups in all_groups for name in groups)
    return {name for name, count in counts.items() if count < TURNS}


def turn_of(groups: Groups, turn: int, rare: Collection[str]) -> list[Plan]:
    """The plans of one scenario's turn. turn: its number and the seed together."""
    return [
        plans[(turn // TURNS + number) % len(plans)]
        for number, (name, plans) in enumerate(groups.items())
        if name in rare or (turn + number) % TURNS == 0
    ]


def all_of(groups: Groups) -> list[Plan]:
    """Every plan."""
    return [plan for plans in groups.values() for plan in plans]
