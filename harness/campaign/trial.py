"""One change of the stack against the runs that reach it: noticed, and by which run, or not.

Made in a forked child, since the change stays in the process. A change is noticed (killed) where a law or an item is
broken that holds with the stack as it is, where the stack can't be imported any more, and where a run hangs or can't be
run. Unknown is no kill: it says that nobody could tell.
"""
from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from harness.campaign.executor import Lost, limit_run
from harness.campaign.tries import Said, Try, attempt, first_words
from harness.problem import UsageProblem
from harness.scenario.play import DEFECTS

CPU_S = 2.0
"""Seconds of computing after which a run hangs: fifty times what one needs."""
PROCESS_CPU_S = 6.0
"""The same for a run of processes on the machine's clock."""
IMPORTING = (*DEFECTS, SyntaxError)
"""What the import of a stack may raise, where it misses what was taken out."""
LIMIT = 40
"""Fault plans under which a change is tried at most, beside those that show it by its own words, unless all are asked
for. Whole scenarios and cases are always all tried."""


@dataclass(frozen=True, slots=True)
class Tried:
    """What came of a change. how: what was broken, or why nothing could be run; by: the first run that noticed it, as
    `SCENARIO: WHAT`, empty where there is none; again: the command of that run with the stack as it is; made: runs
    made; reach: runs that reach it; turned: hash of a run -> claims that hold in it, and are broken by the change."""

    killed: bool
    how: str = ""
    by: str = ""
    again: str = ""
    made: int = 0
    reach: int = 0
    turned: dict[str, list[str]] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}


def in_order(tries: Sequence[Try], near: Collection[int] = (), limit: int | None = LIMIT) -> list[Try]:
    """The runs in which a change is tried. near: places of those that show what is changed by its own words, which come
    first; then whole scenarios and cases in turn, then fault plans,
    `limit` at most, None for all."""
    first = [each for place, each in enumerate(tries) if place in near]
    others = [each for place, each in enumerate(tries) if place not in near and each.kind != "plan"]
    plans = [each for place, each in enumerate(tries) if place not in near and each.kind == "plan"]
    return [*_ranked(first), *_ranked(others), *_ranked(plans)[:limit]]


def _ranked(tries: Sequence[Try]) -> list[Try]:
    """Neighbours say much the same: so the first of each scenario, then the second of each, and so on; plans last."""
    seen: dict[tuple[str, bool], int] = {}
    places = []
    for number, each in enumerate(tries):
        key = (each.scenario, each.kind == "plan")
        nth = seen[key] = seen.get(key, 0) + 1
        places.append((key[1], nth, number))
    return [tries[number] for _, _, number in sorted(places)]


def try_change(
    change: Callable[[], None], tries: Sequence[Try], *, reach: int = 0, thorough: bool = False
) -> Tried:
    """Make the change in this process and run the tries, in their order, until one notices. reach: how many runs come
    by it. thorough: run all cases and scenarios, so that every claim which the change turns is known."""
    try:
        limit_run(CPU_S)
        change()
    except UsageProblem:  # a name that is no guard says nothing of the stack
        raise
    except IMPORTING as error:
        return _tried(True, f"the stack can't be imported: {first_words(error)}", None, 0, reach, {})
    first: tuple[str, Try] | None = None
    turned: dict[str, list[str]] = {}
    made = 0
    for each in tries:
        if first is not None and (not thorough or each.kind == "plan"):
            break
        said = _attempt(each)
        made += 1
        news = [name for name in said.broken if name not in each.said.broken]
        if news and each.sheet.get("mode") == "process":  # on the machine's clock once may be chance
            again = _attempt(each)
            news = [name for name in news if name in again.broken]
        claims = [id for id, word in said.claims.items() if word == "broken" and each.said.claims.get(id) == "holds"]
        if claims and each.kind != "plan":
            turned[each.said.run] = claims
        if news and first is None:
            first = (news[0], each)
    limit_run(0)
    if first is None:
        return _tried(False, "", None, made, reach, turned)
    return _tried(True, first[0], first[1], made, reach, turned)


def all_that_is_broken(change: Callable[[], None], tries: Sequence[Try]) -> list[list[str]]:
    """Make the change in this process, and say of each try what is broken with it."""
    limit_run(CPU_S)
    change()
    found = [list(_attempt(each).broken) for each in tries]
    limit_run(0)
    return found


def broken_before(each: Try, names: Sequence[str]) -> Try:
    """The try, of which this too counts as broken already."""
    return replace(each, said=replace(each.said, broken=(*each.said.broken, *names)))


def _attempt(each: Try) -> Said:
    limit_run(PROCESS_CPU_S if each.sheet.get("mode") == "process" else CPU_S)
    said, _, _ = attempt(each.sheet)
    return said


def _tried(
    killed: bool, how: str, by: Try | None, made: int, reach: int, turned: dict[str, list[str]]
) -> Tried:
    words = "" if by is None else f"{by.scenario}: {by.what}"
    return Tried(killed, how, words, "" if by is None else by.again, made, reach, turned)


def tried_from(answer: Any, reach: int) -> Tried:
    """What a child answered. One that hung or died by the change noticed it; one that failed itself tried nothing."""
    if isinstance(answer, Lost) and answer.defect:
        return Tried(False, f"could not be tried: {answer.why}", reach=reach)
    if isinstance(answer, Lost):
        return Tried(True, f"the run {answer.why}", made=1, reach=reach)
    return Tried(**answer)
