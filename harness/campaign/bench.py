"""The guard campaign: every guard of a stack taken out in turn, and what nobody noticed.

First each run is made with the stack as it is, to learn what it comes to and which guards it reaches; then each guard,
and each named wrong logic, is tried in a forked child of its own. Where a reason says that another guard does a
survivor's work, both are taken out, and that must be noticed.
"""
from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from harness.campaign.covering import Watch
from harness.campaign.equivalent import Reason, reason_for, stale
from harness.campaign.executor import Lost, forked
from harness.campaign.guards import Guard
from harness.campaign.removal import Package
from harness.campaign.trial import LIMIT, Tried, in_order, tried_from, try_change
from harness.campaign.tries import Try, tries_of
from harness.campaign.wrong_logic import Mistake, patched
from harness.kept.sources import source_hashes
from harness.scenario.scenario import Scenario
from harness.subjects import Subject

Said = Callable[[str], None]
FEW = 12
"""Runs that may show a word, for it to say something about them."""
STATES = ("killed", "equivalent", "survived", "unreached", "untried")


@dataclass(frozen=True, slots=True)
class Verdict:
    """One guard. state: one of STATES; why: of an equivalent one its reason, of a survivor what was tried."""

    guard: Guard
    state: str
    tried: Tried
    why: str = ""


@dataclass(slots=True)
class Ground:
    """The runs to try a change against. reached, near: number of a guard -> numbers of the tries that reach it, and
    that show it by its own words; unable: scenarios whose runs could not be made, with the reason."""

    tries: list[Try] = field(default_factory=list)
    reached: dict[int, list[int]] = field(default_factory=dict)
    near: dict[int, set[int]] = field(default_factory=dict)
    unable: list[str] = field(default_factory=list)

    def that_reach(self, numbers: Sequence[int], limit: int | None) -> tuple[list[Try], int]:
        """(runs to try the removal of these guards in, how many come by one of them)."""
        places = sorted({place for number in numbers for place in self.reached.get(number, ())})
        shown = {place for number in numbers for place in self.near.get(number, ())}
        near = {here for here, place in enumerate(places) if place in shown}
        return in_order([self.tries[place] for place in places], near, limit), len(places)


def package_of(system: Subject, root: Path) -> Package:
    """The sources whose guards are a system's. root: of the checkout."""
    return Package(system.stack.partition(":")[0], root, besides=system.guarded)


class Bench:
    """See the module. jobs: children at once; say: told about progress, one line each."""

    def __init__(self, system: Subject, package: Package, scenarios: Sequence[Scenario], jobs: int, say: Said) -> None:
        self.package = package
        self.guards = package.guards()
        self.ground = Ground()
        self._scenarios = scenarios
        self._jobs = jobs
        self._say = say
        source_hashes(system.packages)  # once, before the forks

    def explore(self) -> Ground:
        """Make every run with the stack as it is."""
        watch = Watch(self.guards, self.package.texts, self.package.root)
        jobs = [partial(_explored, scenario, watch) for scenario in self._scenarios]
        answers: dict[int, Any] = {}
        for done, (number, answer) in enumerate(forked(jobs, self._jobs), 1):
            answers[number] = answer
            self._say(f"[{done}/{len(jobs)}] {self._scenarios[number].name}")
        words: dict[tuple[int, str], set[int]] = {}
        for number, answer in sorted(answers.items()):
            if isinstance(answer, Lost):
                self.ground.unable.append(f"{self._scenarios[number].name}: {answer.why}")
                continue
            for each, reached, shown in answer:
                place = len(self.ground.tries)
                self.ground.tries.append(Try.from_json(each))
                for guard in reached:
                    self.ground.reached.setdefault(guard, []).append(place)
                for guard, word in shown:
                    words.setdefault((guard, word), set()).add(place)
        for (guard, _), places in words.items():
            if len(places) <= FEW:
                self.ground.near.setdefault(guard, set()).update(places)
        return self.ground

    def control(self) -> Tried:
        """The stack imported again with nothing taken out, against each scenario as it is: nothing may notice that.
        Where something does, the trials of guards would say nothing."""
        tries = [each for each in self.ground.tries if each.what == "base"]
        for _, answer in forked([lambda: try_change(lambda: self.package.install({}), tries).as_json()], 1):
            return tried_from(answer, len(tries))
        raise AssertionError("one job has one answer")

    def judge(self, part: str, reasons: Sequence[Reason], *, thorough: bool = False) -> Iterator[Verdict]:
        """The verdict on every guard whose name contains `part`, as it comes."""
        chosen = [number for number, guard in enumerate(self.guards) if part in guard.id]
        jobs = [partial(self._removed, [number], thorough) for number in chosen]
        left: list[tuple[Guard, Tried, Reason]] = []
        for place, answer in forked(jobs, self._jobs):
            number = chosen[place]
            guard = self.guards[number]
            tried = tried_from(answer, len(self.ground.reached.get(number, ())))
            reason = reason_for(reasons, guard.id)
            if not tried.killed and reason is not None:
                left.append((guard, tried, reason))
            else:
                yield self._verdict(guard, tried)
        yield from self._explained(left, thorough)

    def _verdict(self, guard: Guard, tried: Tried) -> Verdict:
        if tried.killed:
            return Verdict(guard, "killed", tried)
        if tried.how:
            return Verdict(guard, "untried", tried, tried.how)
        if not tried.reach:
            return Verdict(guard, "unreached", tried, "no run comes by it")
        return Verdict(guard, "survived", tried, f"{tried.made} runs of {tried.reach} that come by it noticed nothing")

    def _explained(self, left: Sequence[tuple[Guard, Tried, Reason]], thorough: bool) -> Iterator[Verdict]:
        """Survivors that have a reason: together with the other guard their removal must be noticed."""
        numbers = {guard.id: number for number, guard in enumerate(self.guards)}
        known = [each for each in left if all(other in numbers for other in each[2].others)]
        jobs = [partial(self._removed, [numbers[guard.id], *(numbers[other] for other in reason.others)], thorough)
                for guard, _, reason in known]  # fmt: skip
        for place, answer in forked(jobs, self._jobs):
            guard, tried, reason = known[place]
            both = tried_from(answer, 0)
            if both.killed:
                yield Verdict(guard, "equivalent", tried, f"{reason.why} Without both: {both.how} ({both.by})")
            else:
                why = f"its reason is wrong: without {', '.join(reason.others)} too nothing is noticed"
                yield Verdict(guard, "survived", tried, why)
        for each in left:
            if each not in known:
                yield self._verdict(each[0], each[1])

    def _removed(self, numbers: Sequence[int], thorough: bool) -> Any:
        tries, reach = self.ground.that_reach(numbers, None if thorough else LIMIT)
        if not tries:
            return Tried(False).as_json()
        change = partial(self.package.install_without, [self.guards[number].id for number in numbers])
        return try_change(change, tries, reach=reach, thorough=thorough).as_json()

    def mistakes(self, mistakes: Sequence[Mistake]) -> Iterator[tuple[Mistake, Tried]]:
        """Each named wrong logic against the one run that it names."""
        jobs = [partial(self._mistaken, mistake) for mistake in mistakes]
        for place, answer in forked(jobs, self._jobs):
            yield mistakes[place], tried_from(answer, 0)

    def _mistaken(self, mistake: Mistake) -> Any:
        wanted = mistake.case or "base"
        tries = [each for each in self.ground.tries if (each.scenario, each.what) == (mistake.scenario, wanted)]
        tree = ast.parse(patched(mistake, self.package.texts[mistake.file]))
        return try_change(lambda: self.package.install({mistake.file: tree}), tries, reach=len(tries)).as_json()


def _explored(scenario: Scenario, watch: Watch) -> Any:
    return [
        (each.as_json(), reached, [] if records is None else watch.shown(records))
        for each, reached, records in tries_of(scenario, watch)
    ]


def counts(verdicts: Iterable[Verdict]) -> dict[str, int]:
    """State -> how many."""
    found = dict.fromkeys(STATES, 0)
    for verdict in verdicts:
        found[verdict.state] += 1
    return found


def stale_reasons(reasons: Sequence[Reason], verdicts: Sequence[Verdict], known: Sequence[Guard]) -> list[str]:
    """Reasons that are none any more."""
    killed: Mapping[str, bool] = {verdict.guard.id: verdict.state == "killed" for verdict in verdicts}
    return stale(reasons, {guard.id for guard in known}, killed)
