"""One search: a machine, a profile, and what it found.

- fast: few examples, the same for the same commit, and the first failure alone: a test.
- deep: many, in rounds with a seed each, until a budget of time is used up: `make deep`.

A budget is looked at between rounds only: a search that stopped while it shrinks would have something half found. One
failure of each law is kept; a round that found one is the last.

A seed draws the same whatever else the process has loaded: Hypothesis would mix in constants of every local module that
happens to be in memory, which differ with the tests that ran before, and a finding could not be found again.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from unittest.mock import patch

from hypothesis import HealthCheck, Phase, Verbosity, seed, settings
from hypothesis.errors import Flaky
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants
from hypothesis.stateful import run_state_machine_as_test

from harness.properties.chrome import CHROME
from harness.properties.computer_use import COMPUTER_USE
from harness.properties.found import Found, found
from harness.properties.lessen import lessen
from harness.properties.machine import machine
from harness.properties.safari_jxa import SAFARI_JXA
from harness.properties.safari_mcp import SAFARI_MCP
from harness.properties.tally import Tally
from harness.properties.trial import Broken, Trials
from harness.properties.vocabulary import Vocabulary

VOCABULARIES: Mapping[str, Vocabulary] = {
    "computer-use": COMPUTER_USE, "safari-mcp": SAFARI_MCP, "safari-jxa": SAFARI_JXA,
    "chrome": CHROME,
}  # fmt: skip
"""Name of a subject -> what can be drawn for it."""


def profile(examples: int, steps: int, *, every_law: bool = False) -> settings:
    """Settings of one round. Nothing comes from, or goes into, a database: what is found is a file. every_law: go on
    after a failure, for those of other laws."""
    return settings(
        max_examples=examples, stateful_step_count=steps, database=None, deadline=None, derandomize=False,
        phases=(Phase.generate, Phase.shrink), verbosity=Verbosity.quiet, print_blob=False,
        suppress_health_check=list(HealthCheck), report_multiple_bugs=every_law,
    )  # fmt: skip


FAST, FAST_ROUNDS = profile(examples=35, steps=6), 3
"""Three short rounds draw more than a long one, in which Hypothesis varies what it has drawn before."""
DEEP = profile(examples=150, steps=10, every_law=True)
SEED = 7


@dataclass(slots=True)
class Search:
    """What one search came to. found: the smallest failure of each law, in the order of the laws."""

    tally: Tally
    found: list[Found] = field(default_factory=list)
    rounds: int = 0


@contextmanager
def no_local_constants() -> Iterator[None]:
    """Hypothesis has no setting for it."""
    nothing = Constants()
    with patch.object(providers, "_get_local_constants", lambda: nothing):
        providers.CONSTANTS_CACHE.cache.clear()
        try:
            yield
        finally:
            providers.CONSTANTS_CACHE.cache.clear()


def search(
    vocabulary: Vocabulary,
    how: settings = FAST,
    *,
    number: int = SEED,
    broken: Mapping[str, Any] | None = None,
    rounds: int = FAST_ROUNDS,
    go_on: Callable[[Search], bool] = lambda state: True,
    watch: Callable[[Tally], None] = lambda tally: None,
) -> Search:
    """Search until something is found, the rounds are over, or `go_on`, asked after each, says no. number: seed of the
    first round; the others count on from it. broken: `{broken, with}` of a deliberately broken stack. watch: called
    for each example."""
    trials = Trials(broken, watch)
    state = Search(trials.tally)
    drawn = machine(vocabulary, trials)
    for round in range(rounds):
        state.rounds += 1
        try:
            with no_local_constants():
                run_state_machine_as_test(seed(number + round)(drawn), settings=how)
        except (Broken, ExceptionGroup, Flaky):
            if not trials.failures:
                raise  # not of a law: a defect of the machine itself
        if trials.failures:
            smallest = [lessen(failure, trials.outcome_of) for _, failure in sorted(trials.failures.items())]
            state.found = [found(failure, broken) for failure in smallest]
            break
        if not go_on(state):
            break
    return state
