"""What came of one guard: noticed, explained by another guard, unnoticed, reached by nothing, or not tried."""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from harness.campaign.equivalent import Reason
from harness.campaign.executor import Lost
from harness.campaign.guards import Guard
from harness.campaign.scripts.browser import Kept
from harness.campaign.trial import Tried

IN_A_BROWSER = "no scenario carries the extension out; a real browser does: `make guards-browser`"
STATES = ("killed", "equivalent", "survived", "unreached", "untried")


@dataclass(frozen=True, slots=True)
class Verdict:
    """One guard. state: one of STATES; why: of an equivalent one its reason, of a survivor what was tried; shown:
    whether runs bear the reason out."""

    guard: Guard
    state: str
    tried: Tried
    why: str = ""
    shown: bool = True


def by_its_reason(guard: Guard, tried: Tried, reason: Reason, both: Tried, one_sided: bool) -> Verdict:
    """one_sided: without both something is noticed, and the other does more than the work of this one."""
    if both.killed:
        return Verdict(guard, "equivalent", tried, f"{reason.why} Without both: {both.how} ({both.by})")
    others = ", ".join(reason.others)
    if one_sided:
        why = f"{reason.why} Not shown: without both no more is noticed than without {others} alone."
        return Verdict(guard, "equivalent", tried, why, shown=False)
    return Verdict(guard, "survived", tried, f"its reason is wrong: without {others} too nothing more is noticed")


def lost(guard: Guard, tried: Tried, reason: Reason, answer: Lost) -> Verdict:
    """Nobody knows what the others alone do: where the run failed itself, the reason is not tried."""
    why = f"{reason.why} Without {', '.join(reason.others)} alone the run {answer.why}."
    return Verdict(guard, "untried" if answer.defect else "survived", tried, why)


def of_a_browser(guard: Guard, kept: Mapping[str, Kept]) -> Verdict:
    """What the tests in a real browser have found of a guard, where they have tried it in this build."""
    row = kept.get(guard.id)
    if row is None:
        return Verdict(guard, "untried", Tried(False), IN_A_BROWSER)
    again = f"python -m pytest '{row.by}'" if row.by else ""
    tried = Tried(row.state == "killed", row.how, row.by, again, row.runs, row.reach)
    return Verdict(guard, row.state, tried, "" if tried.killed else row.how)


def counts(verdicts: Iterable[Verdict]) -> dict[str, int]:
    """State -> how many."""
    found = dict.fromkeys(STATES, 0)
    for verdict in verdicts:
        found[verdict.state] += 1
    return found
