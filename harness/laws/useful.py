"""Law 8, useful: the stack does what it is there for.

Where no fault fired every call meets what its step expects, and the world what the scenario calls its goal. Where
faults fired and the next attempt must succeed after each of them, the steps marked `again` that were asked after the
last fault meet what they expect. Steps marked so that follow one another are one attempt: what stands on a look that
the fault spoilt (a call that means to change nothing) is no next attempt, and the next begins where that look is asked
for once more. Where the look came and the fault then ended a program, what stands on it may be refused, and no more
than that. Without this law a stack that refuses everything would keep all others.
"""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from harness.laws.attribution import Attribution, places
from harness.laws.facts import Call, Facts
from harness.laws.verdict import Finding, moot

NUMBER = 8
NAME = "useful"
BROKEN_WHEN = (
    "without a fault the scenario does not reach its goal, or after a recoverable fault the next attempt does not"
)
JUDGED_BY = "answers against `expect` of their steps, effects of what is done, and the world against the sheet's `goal`"


ENDS = frozenset({"close", "crash", "exit_code", "half_frame_then_exit", "signal"})
"""Faults after which a program has no word more: what it showed can't be acted on through another."""
NO_FAULT = "no_op"
"""Fires, and changes nothing: a run under it has to be as useful as one without a fault."""


def within(wanted: Any, seen: Any) -> bool:
    """Whether `seen` has all of `wanted`: of objects every member, of lists every place; all else equal, and true is
    not 1."""
    if isinstance(wanted, dict):
        return isinstance(seen, Mapping) and all(key in seen and within(wanted[key], seen[key]) for key in wanted)
    if isinstance(wanted, list):
        return isinstance(seen, list) and len(wanted) == len(seen) and all(map(within, wanted, seen))
    return bool(wanted == seen) and isinstance(wanted, bool) == isinstance(seen, bool)


def judge(facts: Facts, attribution: Attribution) -> Finding:
    """Broken at the first step that misses; moot where the sheet expects nothing that this run must reach."""
    struck = [each for each in facts.struck if each.line["fault"] != NO_FAULT]
    if not struck:
        return _all_steps(facts, attribution)
    for each in struck:
        if each.fault is None:
            why = f"the catalogue does not have {each.line['fault']} as it fired"
            return Finding("unknown", why, (), places([each.line]))
        if not each.fault.recoverable:
            return moot(f"after {each.fault.name} the next attempt need not reach the goal")
    last = max(each.line["k"] for each in struck)
    after = list(_next_attempts(facts, attribution, last))
    if not after:
        return moot("no step marked `again` was asked after the last fault")
    return _met(facts, attribution, after) or Finding(
        "holds", f"after the faults {len(after)} further attempts met what they expect"
    )


def _all_steps(facts: Facts, attribution: Attribution) -> Finding:
    steps = [(number, step) for number, step in _calling_steps(facts) if step.get("expect")]
    goal = facts.sheet.get("goal") or ()
    if not steps and not goal:
        return moot("no step of the sheet expects anything, and it has no goal")
    missed = _met(facts, attribution, steps)
    if missed is not None:
        return missed
    for number, wanted in enumerate(goal, 1):
        if not any(within(wanted, line) for line in facts.run.world):
            return Finding("broken", f"the world does not have part {number} of the goal")
    return Finding("holds", f"{len(steps)} steps met what they expect" + (", and the goal is reached" if goal else ""))


def _next_attempts(
    facts: Facts, attribution: Attribution, last: int
) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """The steps marked `again` that were asked after the last fault, but for the rest of an attempt that it spoilt."""
    ended = max((each.line["k"] for each in facts.struck if each.line["fault"] in ENDS), default=-1)
    spoilt: set[str] = set()
    shaken: set[str] = set()
    for number, step in _calling_steps(facts):
        call = facts.calls.get(number)
        if not step.get("again") or call is None:
            spoilt.clear()
            shaken.clear()
            continue
        tool = str(step["call"].get("tool"))
        spoilt.discard(tool)
        shaken.discard(tool)
        if not step.get("expect"):
            continue
        if call.begin > last:
            if not spoilt and not (shaken and call.outcome == "refused"):
                yield number, step
        elif call.means is None:
            if _miss(call, step["expect"], attribution) is not None:
                spoilt.add(tool)
            elif ended > call.begin:
                shaken.add(tool)


def _calling_steps(facts: Facts) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """(number of its call, step): the Nth step that calls makes call N."""
    return enumerate(step for step in facts.sheet["steps"] if "call" in step)


def _met(
    facts: Facts, attribution: Attribution, steps: list[tuple[int, Mapping[str, Any]]]
) -> Finding | None:
    for number, step in steps:
        why = _miss(facts.calls.get(number), step["expect"], attribution)
        if why is not None:
            return Finding("broken", f"call {number} {why}", (number,) if number in facts.calls else ())
    return None


def _miss(call: Call | None, expect: Mapping[str, Any], attribution: Attribution) -> str | None:
    """How a call misses what its step expects, or None."""
    if call is None:
        return "was never asked"
    if call.answered is None:
        return None if call.cancelled is not None and expect.get("outcome") == "cancelled" else "was never answered"
    for key, wanted in expect.items():
        if not within(wanted, call.answered.get(key)) or key not in call.answered:
            return f"was to have {key} {wanted!r}, and has {call.answered.get(key)!r}"
    if call.means is not None and call.outcome == "done" and attribution.effect_of(call) is None:
        return "is done, and its effect is not in the world"
    return None
