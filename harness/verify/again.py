"""Runs on the real clock that came too late, made again once with nothing beside them.

Separate from the pool, because this is about what a verdict means. A machine that is busy makes a stack late: then an
answer is missing, a bound is passed, a process still stands there. It never makes a stack do something twice, on the
wrong target, without consent, or say what did not happen; where a law, or an item that says what must not be or how
often, shows that once, it is broken. So it is where two backs do not agree though the run came in time by all that it
says itself: one of them is no fake of the other then.
So a unit on the real clock is run again, alone and once, where nothing but what lateness can explain did not hold; what
does not hold alone either stands. Nothing is hidden: the summary and the report say what had not held, and the first
runs are kept beside the others. Runs in virtual time have no such excuse.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable

from harness.verify.work import BACKS, Finding, Result

NEVER_LATE = frozenset({1, 2, 3, 5, 6})
"""Laws that no lateness breaks: at most once, right target, honest outcome, consent, nothing leaks."""
FORMS_NEVER_LATE = frozenset({"none", "count"})
"""Forms of `then` items that no lateness may be blamed for: that something must not be, and how often it is."""


def may_be_late(result: Result) -> bool:
    """Whether nothing but what lateness explains did not hold."""
    if result.unit.mode == "virtual" or not result.findings:
        return False
    late = {each.what for each in result.findings if each.form != BACKS and not _never_late(each)}
    return all(each.what in late if each.form == BACKS else not _never_late(each) for each in result.findings)


def _never_late(finding: Finding) -> bool:
    return finding.verdict == "broken" and (finding.law in NEVER_LATE or finding.form in FORMS_NEVER_LATE)


def alone(results: Iterable[Result], again: Callable[[Result], Result]) -> list[Result]:
    """The results, with those that may have been late replaced by what came of running their unit again.

    again: is given the result that does not count any more, and runs its unit.
    """
    settled: list[Result] = []
    for result in list(results):
        if may_be_late(result):
            before = result.findings
            result = again(result)
            result.repeated = before
        settled.append(result)
    return settled
