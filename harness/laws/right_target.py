"""Law 2, right target: an effect lands on what the caller named and saw, and on nothing else.

What the caller named is `what` of the last line of the world record that showed the call's ref before the call was
asked. An effect of the same verb and value on anything else is broken; so is one that no call asked for at all.
Where a fault changed what the stack had sent, nobody can tell.
"""
from __future__ import annotations

from harness.kept.lines import Line
from harness.laws.attribution import ANYWHERE, Attribution, numbers, places
from harness.laws.facts import Facts, after, canonical
from harness.laws.verdict import Finding, moot

NUMBER = 2
NAME = "right target"
BROKEN_WHEN = (
    "an effect lands on a window, tab, frame, document, node or app other than the one the caller named and saw"
)
JUDGED_BY = "`target` of each effect against `what` of the last `shown` of the call's ref before it was asked"


def judge(facts: Facts, attribution: Attribution) -> Finding:
    """Broken at the first stray effect, or unknown after a fault that changes what is sent; moot where no effect has a
    target that a caller named."""
    for effect in attribution.strays:
        calls = attribution.calls_near(effect)
        forger = facts.forger(calls[-1].begin if calls else -1, effect["k"])
        why = _why(facts, attribution, effect) + after(forger)
        return Finding("unknown" if forger else "broken", why, numbers(calls[-1:]), places([effect]),
                       facts.frames_before(effect))
    named = sum(len(group.effects) for group in attribution.groups.values() if group.key[1] != ANYWHERE)
    if not named:
        return moot("no effect on a target that a caller named")
    return Finding("holds", f"{named} effects, each on the target that was named and shown")


def _why(facts: Facts, attribution: Attribution, effect: Line) -> str:
    did = f"{effect['verb']} on {canonical(effect['target'])}"
    calls = attribution.calls_near(effect)
    if not calls:
        return f"{did}, which no call had asked for"
    call = calls[-1]
    assert call.means is not None
    if canonical(call.means.get("value")) != canonical(effect.get("value")):
        return f"{did} with another value than call {call.number} asked for"
    what = facts.named(call)
    ref = call.means["ref"]
    if what is None:
        return f"{did}, though call {call.number} named {ref}, which had not been shown"
    return f"{did}, though call {call.number} named {ref}, which was {canonical(what)}"
