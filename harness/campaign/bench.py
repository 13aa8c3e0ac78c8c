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
from types import MappingProxyType
from typing import Any

from harness.campaign.covering import Watch
from harness.campaign.equivalent import Reason, reason_for, stale
from harness.campaign.executor import Lost, forked
from harness.campaign.guards import Guard
from harness.campaign.killers import key_of
from harness.campaign.removal import Package, file_of
from harness.campaign.scripts.browser import read as read_kept
from harness.campaign.scripts.ground import ON_ENGINE, backing_of, explored_on_engine, lacking, reached_on_model
from harness.campaign.scripts.lending import lent
from harness.campaign.scripts.programs import back_of, learn, texts_of
from harness.campaign.trial import LIMIT, Tried, all_that_is_broken, broken_before, in_order, tried_from, try_change
from harness.campaign.tries import Try, tries_of, warm
from harness.campaign.verdict import Verdict, by_its_reason, lost, of_a_browser
from harness.campaign.wrong_logic import Mistake, patched
from harness.kept.sources import source_hashes
from harness.scenario.scenario import Scenario
from harness.subjects import Subject

Said = Callable[[str], None]
FEW = 12
"""Runs that may show a word, for it to say something about them."""
NOTHING = "function gone() {}"
"""In place of a file of JavaScript, each of which is a function."""



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
        tries = in_order([self.tries[place] for place in places], near, limit)
        return sorted(tries, key=_steps_on_the_clock), len(places)


def _steps_on_the_clock(each: Try) -> int:
    """What a run costs: one in virtual time next to nothing; so the order of those stays."""
    return len(each.sheet["steps"]) if each.sheet.get("mode") == "process" else 0


def package_of(system: Subject, root: Path) -> Package:
    """The sources whose guards are a system's. root: of the checkout."""
    return Package(system.stack.partition(":")[0], root, besides=system.guarded, scripts=texts_of(system.name, root))


class Bench:
    """See the module. jobs: children at once; say: told about progress, one line each; killers: guards -> the name of
    the run that they are tried in first."""

    def __init__(
        self, system: Subject, package: Package, scenarios: Sequence[Scenario], jobs: int, say: Said,
        killers: Mapping[str, str] = MappingProxyType({}),
    ) -> None:  # fmt: skip
        self.package = package
        self.guards = package.guards()
        self.ground = Ground()
        self._system = system
        self._scripts = {
            guard.id: number for number, guard in enumerate(self.guards) if file_of(guard.id) in package.scripts
        }
        self._scenarios = scenarios
        self._jobs = jobs
        self._say = say
        self._killers = killers
        self.noticed: dict[str, str] = {}
        """Guards -> the run that noticed that they were gone, by name."""
        source_hashes(system.packages)  # once, before the forks

    def explore(self) -> Ground:
        """Make every run with the stack as it is."""
        python = [guard for guard in self.guards if guard.file in self.package.texts]  # they come first
        watch = Watch(python, self.package.texts, self.package.root)
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

    def explore_scripts(self, scenarios: Sequence[Scenario], part: str = "", reasons: Sequence[Reason] = ()) -> None:
        """Which runs come by the guards of JavaScript: those on the model among the runs that there are, and those on
        the engine besides. Without the engine the scripts that it would carry out are not tried. scenarios: all of the
        system, those that no model can run among them; part: of the names of the guards that will be tried, and
        reasons: which others with them; without any on a back no run is made there."""
        others = {other for reason in reasons if part in reason.guard for other in reason.others}
        backs = {self._back(id) for id in self._scripts if part in id or id in others}
        here = list(range(len(self.ground.tries)))
        if "model" in backs:
            parts = [here[at :: 4 * self._jobs] for at in range(4 * self._jobs)]
            jobs = [partial(self._reached, each) for each in parts]
            for number, answer in forked(jobs, self._jobs):
                self._say(f"[{number + 1}/{len(jobs)}] runs with counters")
                self._note(zip(parts[number], answer, strict=True) if not isinstance(answer, Lost) else (), answer)
        if "engine" not in backs:
            return
        absent = lacking(backing_of(self._system))
        if absent:
            self.ground.unable.append(f"scripts that run on {absent} alone: it is not here")
            return
        scenarios = [each for each in scenarios if "engine" in each.backs]
        jobs = [partial(explored_on_engine, each, self._system, self.package, self._scripts) for each in scenarios]
        for number, answer in forked(jobs, self._jobs):
            self._say(f"[engine] {scenarios[number].name}")
            first = len(self.ground.tries)
            found = answer if not isinstance(answer, Lost) else ()
            self.ground.tries += [Try.from_json(each) for each, _ in found]
            self._note([(first + at, reached) for at, (_, reached) in enumerate(found)], answer)

    def _back(self, id: str) -> str:
        return back_of(self._system.name, file_of(id))

    def _reached(self, places: Sequence[int]) -> Any:
        tries = [self.ground.tries[place] for place in places]
        return reached_on_model(tries, self._system.name, self.package, self._scripts)

    def _note(self, found: Iterable[tuple[int, Sequence[int]]], answer: Any) -> None:
        """Put down what runs come by. A row is reached by whatever comes by another guard of its file."""
        if isinstance(answer, Lost):
            self.ground.unable.append(f"runs with counters: {answer.why}")
        for place, numbers in found:
            files = {file_of(self.guards[number].id) for number in numbers}
            rows = [number for id, number in self._scripts.items()
                    if self.guards[number].kind == "row" and file_of(id) in files]  # fmt: skip
            for number in {*numbers, *rows}:
                self.ground.reached.setdefault(number, []).append(place)

    def control(self) -> Tried:
        """The stack imported again with nothing taken out, against each scenario as it is: nothing may notice that.
        Where something does, the trials of guards would say nothing."""
        tries = [each for each in self.ground.tries if each.what in ("base", ON_ENGINE.format("base"))]
        return self._alone(lambda: self.package.install({}), tries)

    def blanks(self) -> Iterator[tuple[str, Tried]]:
        """Each file of JavaScript as a whole gone, against runs that come by its guards: something must notice that, or
        it is not the changed text that runs."""
        for file in self.package.scripts:
            numbers = [number for id, number in self._scripts.items() if file_of(id) == file]
            tries, _ = self.ground.that_reach(numbers, LIMIT)
            if numbers and tries:
                yield file, self._alone(partial(self.package.install, {}, {file: NOTHING}), tries[:FEW])

    def _alone(self, change: Callable[[], None], tries: Sequence[Try]) -> Tried:
        for _, answer in forked([partial(self._try, change, tries)], 1):
            return tried_from(answer, len(tries))
        raise AssertionError("one job has one answer")

    def _try(
        self, change: Callable[[], None], tries: Sequence[Try], *, reach: int = 0, thorough: bool = False
    ) -> Any:
        """In a child: the change, known to the fakes, against runs; those on an engine share one."""

        def changed() -> None:
            change()
            learn(self._system.name)

        on_engine = any(each.sheet.get("back") == "engine" for each in tries)
        with lent(backing_of(self._system) if on_engine else None):
            return try_change(changed, tries, reach=reach, thorough=thorough).as_json()

    def judge(self, part: str, reasons: Sequence[Reason], *, thorough: bool = False) -> Iterator[Verdict]:
        """The verdict on every guard whose name contains `part`, as it comes."""
        chosen = [number for number, guard in enumerate(self.guards) if part in guard.id]
        kept = read_kept() if any(self._in_a_browser(number) for number in chosen) else {}
        yield from (of_a_browser(self.guards[number], kept) for number in chosen if self._in_a_browser(number))
        chosen = [number for number in chosen if not self._in_a_browser(number)]
        warm(self._scenarios)  # not before `explore`, which has to see what the import of the stack comes by
        few = set() if thorough else {reason.guard for reason in reasons}  # they stand on what becomes of all together
        jobs = [partial(self._removed, [number], thorough, most=LIMIT if self.guards[number].id in few else None)
                for number in chosen]  # fmt: skip
        left: list[tuple[Guard, Tried, Reason]] = []
        for place, answer in forked(jobs, self._jobs):
            number = chosen[place]
            guard = self.guards[number]
            tried = tried_from(answer, len(self.ground.reached.get(number, ())))
            self._learn([number], tried)
            reason = reason_for(reasons, guard.id)
            if not tried.killed and reason is not None and tried.reach:
                left.append((guard, tried, reason))
            else:
                yield self._verdict(guard, tried)
        yield from self._explained(left, {each.guard: each.others for each in reasons}, thorough)

    def _in_a_browser(self, number: int) -> bool:
        id = self.guards[number].id
        return id in self._scripts and self._back(id) == "browser"

    def _verdict(self, guard: Guard, tried: Tried) -> Verdict:
        if tried.killed:
            return Verdict(guard, "killed", tried)
        if tried.how:
            return Verdict(guard, "untried", tried, tried.how)
        if not tried.reach:
            return Verdict(guard, "unreached", tried, "no run comes by it")
        return Verdict(guard, "survived", tried, f"{tried.made} runs of {tried.reach} that come by it noticed nothing")

    def _explained(
        self, left: Sequence[tuple[Guard, Tried, Reason]], named: Mapping[str, Sequence[str]], thorough: bool
    ) -> Iterator[Verdict]:
        """Survivors that have a reason: together with the other guard their removal must be noticed, by more than that
        the other alone is gone. Where the other names this one in its own reason, each would be excused by the other
        else; where it does not, that no run bears the reason out is said. What the other alone does is asked of the one
        run that noticed both; where that says the same, of all. named: guard -> the others of its reason."""
        numbers = {guard.id: number for number, guard in enumerate(self.guards)}
        seen: dict[int, dict[str, list[str]]] = {}
        rests = {}
        for place, (guard, tried, reason) in enumerate(left):
            if all(other in numbers for other in reason.others):
                seen[place], rests[place] = {}, [numbers[other] for other in reason.others]
            else:
                yield self._verdict(guard, tried)
        mutual = {place for place in seen
                  if any(left[place][0].id in named.get(other, ()) for other in left[place][2].others)}  # fmt: skip
        while seen:
            places = list(seen)
            all_of = {place: [numbers[left[place][0].id], *rests[place]] for place in places}
            jobs = [partial(self._removed, all_of[place], thorough, seen[place]) for place in places]
            asked: dict[int, str] = {}
            for at, answer in forked(jobs, self._jobs):
                place = places[at]
                both = tried_from(answer, 0)
                if both.killed and both.by not in seen[place]:
                    asked[place] = "" if seen[place] else both.by
                    continue
                noticed = bool(seen.pop(place))
                self._learn(all_of[place], both)
                yield by_its_reason(*left[place], both, noticed and place not in mutual)
            jobs = [partial(self._alone_of, all_of[place], rests[place], thorough, by) for place, by in asked.items()]
            for at, answer in forked(jobs, self._jobs):
                place = list(asked)[at]
                if isinstance(answer, Lost):
                    del seen[place]
                    yield lost(*left[place], answer)
                else:
                    seen[place].update(answer)

    def _removed(self, numbers: Sequence[int], thorough: bool, seen: Mapping[str, Sequence[str]] = MappingProxyType({}),
                 most: int | None = None) -> Any:
        """seen: run -> what it says without some of these guards already, which counts for nothing here; most: how many
        runs, where no more are worth their time."""
        tries, reach = self._tries(numbers, thorough)
        tries = [broken_before(each, seen.get(each.name, ())) for each in tries[:most]]
        if not tries:
            return Tried(False).as_json()
        change = partial(self.package.install_without, self._ids(numbers))
        return self._try(change, tries, reach=reach, thorough=thorough)

    def _alone_of(self, numbers: Sequence[int], gone: Sequence[int], thorough: bool, by: str) -> dict[str, list[str]]:
        """Run -> what it says is broken without the guards in `gone`: of the run `by`, or, where it has no name, since
        none came to its end, of each that comes by one of `numbers`; under no name then nothing, for that none hung."""
        tries, _ = self._tries(numbers, thorough)
        tries = [each for each in tries if by in ("", each.name)]

        def change() -> None:
            self.package.install_without(self._ids(gone))
            learn(self._system.name)

        on_engine = any(each.sheet.get("back") == "engine" for each in tries)
        with lent(backing_of(self._system) if on_engine else None):
            found = all_that_is_broken(change, tries)
        return {**found, "": []} if by == "" else found

    def _tries(self, numbers: Sequence[int], thorough: bool) -> tuple[list[Try], int]:
        """As `that_reach`, and first of all the run that noticed it the last time."""
        tries, reach = self.ground.that_reach(numbers, None if thorough else LIMIT)
        first = self._killers.get(key_of(self._ids(numbers)))
        places = {place for number in numbers for place in self.ground.reached.get(number, ())}
        named = [each for place in sorted(places) if (each := self.ground.tries[place]).name == first]
        return [*named, *(each for each in tries if each.name != first)], reach

    def _ids(self, numbers: Sequence[int]) -> list[str]:
        return [self.guards[number].id for number in numbers]

    def _learn(self, numbers: Sequence[int], tried: Tried) -> None:
        if tried.killed and tried.by:
            self.noticed[key_of(self._ids(numbers))] = tried.by

    def mistakes(self, mistakes: Sequence[Mistake]) -> Iterator[tuple[Mistake, Tried]]:
        """Each named wrong logic against the one run that it names."""
        jobs = [partial(self._mistaken, mistake) for mistake in mistakes]
        for place, answer in forked(jobs, self._jobs):
            yield mistakes[place], tried_from(answer, 0)

    def _mistaken(self, mistake: Mistake) -> Any:
        tries = named_by(mistake, self.ground.tries)
        return self._try(partial(install_mistake, self.package, mistake), tries, reach=len(tries))


def named_by(mistake: Mistake, tries: Sequence[Try]) -> list[Try]:
    """The runs that have to notice a mistake: that of the model, and of one in a page program that on the engine too,
    since there are scenarios that run nowhere else."""
    wanted = mistake.case or "base"
    whats = (wanted, ON_ENGINE.format(wanted)) if mistake.back == "engine" else (wanted,)
    return [each for each in tries if each.scenario == mistake.scenario and each.what in whats]


def install_mistake(package: Package, mistake: Mistake) -> None:
    """Import the stack with a mistake in it."""
    if mistake.file in package.scripts:
        package.install({}, {mistake.file: patched(mistake, package.scripts[mistake.file])})
    else:
        package.install({mistake.file: ast.parse(patched(mistake, package.texts[mistake.file]))})


def _explored(scenario: Scenario, watch: Watch) -> Any:
    return [
        (each.as_json(), reached, [] if records is None else watch.shown(records))
        for each, reached, records in tries_of(scenario, watch)
    ]


def stale_reasons(reasons: Sequence[Reason], verdicts: Sequence[Verdict], known: Sequence[Guard]) -> list[str]:
    """Reasons that are none any more. Those about files of other systems are theirs to look at."""
    killed: Mapping[str, bool] = {verdict.guard.id: verdict.state == "killed" for verdict in verdicts}
    files = {guard.file for guard in known}
    ours = [reason for reason in reasons if file_of(reason.guard) in files]
    return stale(ours, {guard.id for guard in known}, killed)
