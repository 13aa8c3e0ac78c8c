"""Runs on the real clock that came too late, made again with nothing beside them.

Separate from the pool, because this is about what a verdict means. A machine that is busy makes a stack late: then an
answer is missing, a bound is passed, a process still stands there. It never makes a stack do something twice, on the
wrong target, without consent, or say what did not happen; where that is seen once it is broken. So a unit on the real
clock is run again, alone, where nothing but what lateness can explain did not hold. Nothing is hidden: the summary and
the report say what had not held, and the first runs stay beside the others. Runs in virtual time have no such excuse.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable

from harness.verify.work import Result

TRIES = 2
"""How often a unit is run again at most."""
NEVER_LATE = frozenset({1, 2, 3, 5, 6})
"""Laws that no lateness breaks: at most once, right target, honest outcome, consent, nothing leaks."""


def may_be_late(result: Result) -> bool:
    """Whether nothing but what lateness explains did not hold."""
    if result.unit.mode == "virtual" or not result.findings:
        return False
    return not any(finding.verdict == "broken" and finding.law in NEVER_LATE for finding in result.findings)


def alone(results: Iterable[Result], again: Callable[[Result], Result]) -> list[Result]:
    """The results, with those that may have been late replaced by what came of running their unit again.

    again: is given the result that does not count any more, and runs its unit.
    """
    settled: list[Result] = []
    for result in list(results):
        for _ in range(TRIES):
            if not may_be_late(result):
                break
            before = [*result.repeated, *result.findings]
            result = again(result)
            result.repeated = before
        settled.append(result)
    return settled
