"""Law 3, honest outcome: what the stack says of a call is what the world says of it.

`done` has its effect, between question and answer, unless the program itself said that it was done to this target and
did nothing (`feigned`; one such line excuses one call). `refused` has none, then or later, unless a fault told the
stack so. `unknown` is honest only where something made it impossible to tell: a fault that fired before the answer and
hides the outcome, the caller, who gave the call up or told the stack what ends its calls (`ends_calls` of the sheet),
or a program that did not say it in words that anybody knows (`unsaid`). A call that means to change nothing needs no
effect to be done.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from harness.kept.lines import Line
from harness.laws.attribution import Attribution, Group, Shares, numbers, places
from harness.laws.facts import Call, Facts
from harness.laws.verdict import Finding, moot

NUMBER = 3
NAME = "honest outcome"
BROKEN_WHEN = '"done" without the effect; "refused" with an effect; "unknown" where no fault made it impossible to tell'
JUDGED_BY = "the outcome of each answer against the effects that fall to its call, and the faults that fired"

TOLD: Final = "it was told so"
Excuse: TypeAlias = bool | str | None
HONEST: Mapping[tuple[str, bool, Excuse], str] = {
    # (outcome, whether an effect falls to the call, its excuse: there is one, none, it was told so, or nobody can say)
    # -> verdict
    ("done", True, True): "holds",
    ("done", True, False): "holds",
    ("done", False, True): "unknown",
    ("done", False, False): "broken",
    ("done", False, TOLD): "holds",
    ("refused", True, True): "holds",
    ("refused", True, False): "broken",
    ("refused", False, True): "holds",
    ("refused", False, False): "holds",
    ("unknown", True, True): "holds",
    ("unknown", True, False): "broken",
    ("unknown", True, None): "unknown",
    ("unknown", False, True): "holds",
    ("unknown", False, False): "broken",
    ("unknown", False, None): "unknown",
}


def _of_done(attribution: Attribution, call: Call) -> Excuse:
    if attribution.was_told(call):
        return TOLD
    return attribution.facts.forger(call.begin, call.end) is not None


EXCUSES: Mapping[str, tuple[Callable[[Attribution, Call], Excuse], str]] = {
    "done": (
        _of_done,
        "a fault changed it on its way, and the program did that; or a program says that it did it, and did nothing",
    ),
    "refused": (
        lambda attribution, call: attribution.facts.denied(call),
        "a fault told the stack that nothing was done, whatever was",
    ),
    "unknown": (
        lambda attribution, call: attribution.facts.excuse(call),
        "a fault hides the outcome, the caller gave the call up or ended it otherwise, or the program did not say it",
    ),
}
"""Outcome -> (whether the answer may differ from the world and be honest, why). For `refused` no hidden outcome will
do: where it can't tell, the stack has a word for that."""

WHY: Mapping[tuple[str, bool], str] = {
    ("done", False): "says done, and the world has no effect of it before the answer",
    ("refused", True): "says refused, and the world has its effect",
    ("unknown", False): "says unknown, and nothing hid its outcome",
    ("unknown", True): "says unknown, and nothing hid its outcome",
}
UNSURE: Mapping[str, str] = {
    "done": "says done without the effect, after a fault changed what the stack had sent",
    "unknown": "says unknown after a fault that the catalogue does not have",
}


def judge(facts: Facts, attribution: Attribution) -> Finding:
    """Broken at the first answer that is not honest; moot where no answer says anything of the world."""
    judged = 0
    unsure: Finding | None = None
    for call, effect in _answers(facts, attribution):
        outcome = str(call.outcome)
        had = effect is not None or (call.means is None and outcome == "done")
        verdict = HONEST[outcome, had, EXCUSES[outcome][0](attribution, call)]
        if verdict == "broken":
            lines = [effect] if effect is not None else []
            return Finding("broken", f"call {call.number} {WHY[outcome, had]}", numbers([call]), places(lines),
                           facts.frames_before(lines[0]) if lines else ())
        if verdict == "unknown":
            unsure = unsure or Finding("unknown", f"call {call.number} {UNSURE[outcome]}", numbers([call]))
        judged += call.means is not None or outcome == "unknown"
    if unsure is not None:
        return unsure
    if not judged:
        return moot("no answer to a call that was to change something, and none that says unknown")
    return Finding("holds", f"{judged} answers, each as the world has it")


def _answers(facts: Facts, attribution: Attribution) -> list[tuple[Call, Line | None]]:
    """Every answered call with the effect that falls to it."""
    effects: dict[int, Line] = {}
    for key, group in attribution.groups.items():
        shares = attribution.shares[key]
        effects.update(shares.of)
        effects.update(_contradicted(group, shares))
    return [(call, effects.get(call.number)) for call in facts.calls.values() if call.outcome is not None]


def _contradicted(group: Group, shares: Shares) -> dict[int, Line]:
    """Refused calls to which an effect is left over: one that came after they were asked."""
    found: dict[int, Line] = {}
    refused = [call for call in group.calls if call.outcome == "refused"]
    for effect in shares.spare:
        call = next((call for call in refused if call.begin < effect["k"] and call.number not in found), None)
        if call is not None:
            found[call.number] = effect
    return found
