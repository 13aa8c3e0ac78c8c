"""Makes a failure smaller than Hypothesis left it, on the scenario's own data: steps, faults and expectations go.

Hypothesis shrinks the choices that drew a draft, and a first step that nobody needs may stay, because the machine's own
choices hang on it. Here a part goes where the same law is still broken without it. Nothing goes where that could make a
break of its own: not the surroundings, which fit each other, and nothing of law 8, whose expectations stand on the
steps before them.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from harness.properties.trial import NO_RUN, Failure, Outcome

USEFUL = 8
"""The law whose expectations stand on the steps before."""
SPARE = ("expect", "again")
"""Keys of a step that say what is expected of it."""


def lessen(failure: Failure, outcome_of: Callable[[Failure], Outcome]) -> Failure:
    """The smallest that removing one part after another comes to. outcome_of: what a failure's scenario comes to."""
    if failure.law in (USEFUL, NO_RUN):
        return failure
    found: Failure | None = failure
    while found is not None:
        failure, found = found, None
        for smaller in _smaller(failure):
            why = outcome_of(smaller).broken.get(failure.law)
            if why is not None:
                found = replace(smaller, why=why)
                break
    return failure


def _smaller(failure: Failure) -> Iterator[Failure]:
    """The failure without one part: the last step first, since what comes before may be needed for it."""
    draft = failure.draft
    for index in reversed(range(len(draft.steps))):
        steps = [step for number, step in enumerate(draft.steps) if number != index]
        if steps:
            yield replace(failure, draft=replace(draft, steps=steps))
    for index in reversed(range(len(failure.faults))):
        yield replace(failure, faults=[entry for number, entry in enumerate(failure.faults) if number != index])
    for index, step in enumerate(draft.steps):
        if any(key in step for key in SPARE):
            plain = {key: value for key, value in step.items() if key not in SPARE}
            steps = [*draft.steps[:index], plain, *draft.steps[index + 1 :]]
            yield replace(failure, draft=replace(draft, steps=steps))
