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
from typing import Any

from harness.campaign.covering import Watch
from harness.campaign.equivalent import Reason, reason_for, stale
from harness.campaign.executor import Lost, forked
from harness.campaign.guards import Guard
from harness.campaign.removal import Package
from harness.campaign.trial import PLANS, Tried, tried_from, try_change
from harness.campaign.tries import Try, tries_of
from harness.campaign.wrong_logic import Mistake, patched
from harness.kept.sources import source_hashes
from harness.scenario.scenario import Scenario
from harness.subjects import Subject

Said = Callable[[str], None]
STATES = ("killed", "equivalent", "survived", "unreached")


@dataclass(frozen=True, slots=True)
class Verdict:
    """One guard. state: one of STATES; why: of an equivalent one its reason, of a survivor what was tried."""

    guard: Guard
    state: str
    tried: Tried
    why: str = ""


@dataclass(slots=True)
class Ground:
    """The runs to try a change against. reached: number of a guard -> numbers of the tries that reach it; unable:
    scenarios whose runs could not be made, with the reason."""

    tries: list[Try] = field(default_factory=list)
    reached: dict[int, list[int]] = field(default_factory=dict)
    unable: list[str] = field(default_factory=list)

    def that_reach(self, number: int) -> list[Try]:
        return [self.tries[each] for each in self.reached.get(number, ())]


def package_of(system: Subject) -> str:
    """The dotted package of a system's stack."""
    return system.stack.partition(":")[0]


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
        for number, answer in sorted(answers.items()):
            if isinstance(answer, Lost):
                self.ground.unable.append(f"{self._scenarios[number].name}: {answer.why}")
                continue
            for each, reached in answer:
                place = len(self.ground.tries)
                self.ground.tries.append(Try.from_json(each))
                for guard in reached:
                    self.ground.reached.setdefault(guard, []).append(place)
        return self.ground

    def judge(
        self, part: str, reasons: Sequence[Reason], *, thorough: bool = False, plans: int | None = PLANS
    ) -> Iterator[Verdict]:
        """The verdict on every guard whose name contains `part`, as it comes."""
        chosen = [number for number, guard in enumerate(self.guards) if part in guard.id]
        jobs = [partial(self._removed, [self.guards[number].id], self.ground.that_reach(number), thorough, plans)
                for number in chosen]  # fmt: skip
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
        yield from self._explained(left, thorough, plans)

    def _verdict(self, guard: Guard, tried: Tried) -> Verdict:
        if tried.killed:
            return Verdict(guard, "killed", tried)
        if not tried.reach:
            return Verdict(guard, "unreached", tried, "no run comes by it")
        return Verdict(guard, "survived", tried, f"{tried.made} runs of {tried.reach} that come by it noticed nothing")

    def _explained(
        self, left: Sequence[tuple[Guard, Tried, Reason]], thorough: bool, plans: int | None
    ) -> Iterator[Verdict]:
        """Survivors that have a reason: together with the other guard their removal must be noticed."""
        numbers = {guard.id: number for number, guard in enumerate(self.guards)}
        known = [each for each in left if all(other in numbers for other in each[2].others)]
        jobs = []
        for guard, _, reason in known:
            ids = [guard.id, *reason.others]
            places = sorted({place for id in ids for place in self.ground.reached.get(numbers[id], ())})
            jobs.append(partial(self._removed, ids, [self.ground.tries[place] for place in places], False, plans))
        for place, answer in forked(jobs, self._jobs):
            guard, tried, reason = known[place]
            both = tried_from(answer, 0)
            if both.killed:
                yield Verdict(guard, "equivalent", tried, f"{reason.why} Without both: {both.how} ({both.by})")
            else:
                why = f"its reason is wrong: without {', '.join(reason.others)} too nothing is noticed"
                yield Verdict(guard, "survived", tried, why)
        for guard, tried, reason in left:
            if (guard, tried, reason) not in known:
                yield self._verdict(guard, tried)

    def _removed(self, ids: Sequence[str], tries: Sequence[Try], thorough: bool, plans: int | None) -> Any:
        if not tries:
            return Tried(False).as_json()
        change = partial(self.package.install_without, ids)
        return try_change(change, tries, thorough=thorough, plans=plans).as_json()

    def mistakes(self, mistakes: Sequence[Mistake]) -> Iterator[tuple[Mistake, Tried]]:
        """Each named wrong logic against the runs of the scenario that names it."""
        jobs = [partial(self._mistaken, mistake) for mistake in mistakes]
        for place, answer in forked(jobs, self._jobs):
            yield mistakes[place], tried_from(answer, 0)

    def _mistaken(self, mistake: Mistake) -> Any:
        tries = [each for each in self.ground.tries if each.scenario == mistake.scenario]
        tree = ast.parse(patched(mistake, self.package.texts[mistake.file]))
        return try_change(lambda: self.package.install({mistake.file: tree}), tries, plans=None).as_json()


def _explored(scenario: Scenario, watch: Watch) -> Any:
    return [(each.as_json(), reached) for each, reached in tries_of(scenario, watch)]


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
