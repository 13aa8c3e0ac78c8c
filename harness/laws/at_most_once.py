"""Law 1, at most once: one asked mutation has at most one effect in the world.

Counted for each means (verb, target of the ref, value): at every instant there have been at most as many effects as
there had been calls that asked for them. Effects that no call asked for are law 2's. Where a fault repeated or changed
what the stack had sent, nobody can tell.
"""
from __future__ import annotations

from harness.laws.attribution import Attribution, numbers, places
from harness.laws.facts import Facts, after
from harness.laws.verdict import Finding, moot

NUMBER = 1
NAME = "at most once"
BROKEN_WHEN = "one asked mutation has two or more effects in the world"
JUDGED_BY = "effects of one means (verb, target, value) against the calls that asked for it, at every instant"


def judge(facts: Facts, attribution: Attribution) -> Finding:
    """Broken at the first effect that is one too many, or unknown after a fault that repeats what is sent; moot where
    no effect belongs to an asked call."""
    effects = 0
    for group in attribution.groups.values():
        effects += len(group.effects)
        extra = group.surplus()
        if extra is not None:
            calls = [call for call in group.calls if call.begin < extra["k"]]
            seen = [effect for effect in group.effects if effect["k"] <= extra["k"]]
            forger = facts.forger(calls[0].begin, extra["k"])
            return Finding(
                "unknown" if forger else "broken",
                f"{len(seen)} effects of {group.key[0]} for {len(calls)} asked" + after(forger),
                numbers(calls),
                places(seen),
                tuple(dict.fromkeys(frame for effect in seen for frame in facts.frames_before(effect))),
            )
    if not effects:
        return moot("no effect that a call asked for")
    return Finding("holds", f"{effects} effects, none more often than it was asked for")
