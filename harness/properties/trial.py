"""Runs a draft as `trailcam run` runs a scenario, without faults and then with them, and raises for a broken law.

Each law has an exception of its own, so that Hypothesis shrinks the failures of one law apart from those of another. A
run that was made before is not made again: one sheet gives one run, and whether that is so is tried on what was found
(`found.reproduced`), never assumed of it.
"""
from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NoReturn

import trio

from harness.judged.run import Judged, judge_run
from harness.laws.table import LAWS
from harness.problem import Problem
from harness.properties.aim import entries
from harness.properties.draft import CASE, Draft
from harness.properties.tally import Tally
from harness.scenario.compile import Choice, compile_sheet
from harness.scenario.keep import kept
from harness.scenario.play import DEFECTS
from harness.scenario.runner import Records, run
from harness.scenario.scenario import Scenario
from harness.scenario.schema import ACTIONS
from harness.serve.scheduler import Stuck
from harness.serve.session import MachineFault

REMEMBERED = 4096
"""Runs whose outcome is kept; then all are forgotten."""
NO_RUN = 0
"""In place of a law's number: the run could not be made, or judged."""
NOT_RUN = (Problem, MachineFault, *DEFECTS)
HANGS = 4
"""The law that a run breaks which never comes to an end."""
LIMIT_S = 5.0
"""Processor time of one run; the longest take a tenth. A virtual run in which every task waits for what never comes
spins, since the clock has nowhere to jump."""


class Broken(Exception):
    """A law is broken, or the run could not be made (NO_RUN)."""

    def __init__(self, law: int, why: str) -> None:
        super().__init__(f"law {law}: {why}" if law else f"could not run: {why}")
        self.law = law
        self.why = why


KINDS: Mapping[int, type[Broken]] = {
    number: type(f"Law{number}Broken" if number else "CouldNotRun", (Broken,), {}) for number in (NO_RUN, *LAWS)
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run came to. broken: law -> why, in order; laws: `NUMBER VERDICT` of all; fired: names of faults."""

    broken: Mapping[int, str]
    laws: tuple[str, ...] = ()
    census: Sequence[Mapping[str, Any]] = ()
    fired: tuple[str, ...] = ()
    unfired: int = 0
    outcomes: tuple[str, ...] = ()
    hangs: bool = False


@dataclass(frozen=True, slots=True)
class Failure:
    """The last draft that broke a law: at the end of a search the smallest. hangs: its run never ends."""

    law: int
    why: str
    draft: Draft
    faults: Sequence[Mapping[str, Any]]
    hangs: bool = False


class Trials:
    """See the module. broken: a deliberately broken stack, `{broken, with}`, in every run. watch: called for each
    example."""

    def __init__(
        self,
        broken: Mapping[str, Any] | None = None,
        watch: Callable[[Tally], None] = lambda tally: None,
    ) -> None:
        self.broken = broken
        self._watch = watch
        self.tally = Tally()
        self.failures: dict[int, Failure] = {}
        self._known: dict[str, Outcome] = {}

    def judge(self, draft: Draft) -> None:
        """Raises Broken for the first law that is broken, without faults or with them."""
        self.tally.examples += 1
        self._watch(self.tally)
        for step in draft.steps:
            self.tally.step(step, tuple(ACTIONS))
        alone = self._outcome(draft, ())
        if alone.broken:
            self._fail(draft, (), alone)
        faults = entries(draft.aims, alone.census, draft.about)
        for entry in faults:
            self.tally.aimed[entry["fault"]] += 1
        if faults:
            struck = self._outcome(draft, faults)
            if struck.broken:
                self._fail(draft, faults, struck)

    def outcome_of(self, failure: Failure) -> Outcome:
        """What a failure's scenario comes to."""
        return self._outcome(failure.draft, failure.faults)

    def _fail(self, draft: Draft, faults: Sequence[Mapping[str, Any]], outcome: Outcome) -> NoReturn:
        law, why = next(iter(outcome.broken.items()))
        self.tally.first = self.tally.first or self.tally.examples
        self.failures[law] = Failure(law, why, draft, faults, outcome.hangs)
        raise KINDS[law](law, why)

    def _outcome(self, draft: Draft, faults: Sequence[Mapping[str, Any]]) -> Outcome:
        key = draft.key(faults)
        known = self._known.get(key)
        if known is not None:
            self.tally.repeated += 1
            return known
        if len(self._known) >= REMEMBERED:
            self._known.clear()
        outcome = self._known[key] = outcome_of(draft.scenario(faults), CASE if faults else "", self.broken)
        self._count(outcome, bool(faults))
        return outcome

    def _count(self, outcome: Outcome, planned: bool) -> None:
        tally = self.tally
        tally.runs += 1
        tally.inapplicable += planned and outcome.unfired > 0
        tally.laws.update(outcome.laws)
        tally.outcomes.update(outcome.outcomes)
        for fault in outcome.fired:
            tally.fired(fault)


class Hangs(BaseException):
    """A run used up its processor time. Not an Exception: nothing in a run may catch it."""


@contextmanager
def limited() -> Iterator[None]:
    """Ends what takes LIMIT_S of processor time, with Hangs."""

    def rang(number: int, frame: Any) -> None:
        raise Hangs

    before = signal.signal(signal.SIGPROF, rang)
    signal.setitimer(signal.ITIMER_PROF, LIMIT_S)
    try:
        yield
    except trio.TrioInternalError as error:
        raise (error.__cause__ if isinstance(error.__cause__, Hangs) else error) from None
    except BaseExceptionGroup as group:  # the signal came while a task ran, and not trio itself
        raise (Hangs() if group.subgroup(Hangs) else group) from None
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def outcome_of(scenario: Scenario, case: str, broken: Mapping[str, Any] | None = None) -> Outcome:
    """Run a scenario, or its case, once, and judge it. What a run may raise is an outcome of its own, NO_RUN."""
    try:
        sheet = compile_sheet(scenario, Choice(case=case, broken=broken))
        with limited():
            records = run(sheet, census=not case)
        judged = judge_run(kept(records))
    except Hangs:
        return Outcome({HANGS: f"the run never ends: it has computed for {LIMIT_S} s"}, hangs=True)
    except Stuck as stuck:
        return Outcome({HANGS: f"the run never ends: {stuck.seen}"}, hangs=True)
    except NOT_RUN as error:
        return Outcome({NO_RUN: _first(error)})
    return _read(records, judged)


def _read(records: Records, judged: Judged) -> Outcome:
    verdicts = [(law.law, "moot" if law.moot else law.verdict, law.why) for law in judged.laws]
    broken = {number: why for number, word, why in verdicts if word == "broken"}
    return Outcome(
        broken=broken,
        laws=tuple(f"{number} {word}" for number, word, _ in verdicts),
        census=records.census or (),
        fired=tuple(line["fault"] for line in records.world if line["e"] == "fault"),
        unfired=len(judged.unfired),
        outcomes=tuple(line["outcome"] for line in records.history if line["e"] == "answered"),
    )


def _first(error: BaseException) -> str:
    """The first error in a group, in words."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return f"{type(error).__name__}: {error}"
