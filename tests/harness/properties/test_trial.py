"""HAR-PROP-01: each law's broken stack is found, shrunk, and breaks the same law alone; the honest one is not."""
from __future__ import annotations

import gc
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import trio

from harness import subjects
from harness.laws.table import LAWS
from harness.properties import safari_mcp
from harness.properties.aim import Aim
from harness.properties.draft import Draft
from harness.properties.found import TRIES, save
from harness.properties.safari_mcp import ACTS, GRANT, PAGES, SHOP, SHOP_URL, opens
from harness.properties.search import profile, search
from harness.properties.trial import NO_RUN, Broken, Trials, limited, outcome_of
from harness.scenario.scenario import load_scenario
from stack.safari_mcp.observed import Observed
from tests.harness.laws.panel import BUTTONS, DEFECTS, NAME
from tests.harness.properties.panel_words import SUBJECT, press, words

HOW, LONG = profile(examples=60, steps=8, every_law=True), profile(examples=150, steps=9)


@pytest.fixture(autouse=True)
def panel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(subjects.SUBJECTS, NAME, SUBJECT)


def draft(*steps: dict[str, object], defect: str | None = None) -> Draft:
    return Draft(NAME, (NAME,), "default", {"settings": {} if defect is None else {"defect": defect}}, list(steps))


LOOK: dict[str, object] = {"call": "look"}
PRESS: dict[str, object] = dict(press("stop").step)


@pytest.mark.claim("HAR-PROP-01", tooth="broken stacks of tests/harness/laws/panel.py")
def test_nothing_is_found_in_an_honest_stack() -> None:
    state = search(words(), profile(examples=60, steps=7))
    assert state.found == [], [each.words for each in state.found]
    judged = {int(word.partition(" ")[0]) for word in state.tally.laws if word.endswith("holds")}
    assert judged >= set(LAWS) - {5}, "every law had something to judge; law 5 where a grant is told"


@pytest.mark.claim("HAR-PROP-01", tooth="broken stacks of tests/harness/laws/panel.py")
@pytest.mark.parametrize("defect", DEFECTS)
def test_the_broken_stack_of_each_law_is_found_and_its_file_breaks_the_law_alone(defect: str, tmp_path: Path) -> None:
    law, _ = DEFECTS[defect]
    state = search(words(defect, ("arm",) if law == 5 else BUTTONS), LONG if law == 5 else HOW)
    assert state.found, state.tally.words
    sizes: dict[int, int] = {}
    for found in state.found:
        assert (found.verdict, found.reproduced) == ("broken", TRIES)
        outcome = outcome_of(load_scenario(save(found, tmp_path)), "faults" if found.faults else "")
        assert found.law in outcome.broken
        sizes.update({each: min(found.steps, sizes.get(each, found.steps)) for each in outcome.broken})
    assert law in sizes, [found.words for found in state.found]
    assert sizes[law] <= (4 if law == 5 else 3), [found.text for found in state.found]


def test_a_run_that_was_made_is_not_made_again() -> None:
    trials = Trials()
    for _ in range(3):
        trials.judge(draft(LOOK, PRESS))
    assert (trials.tally.examples, trials.tally.runs, trials.tally.repeated) == (3, 1, 2)


def test_what_is_remembered_has_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("harness.properties.trial.REMEMBERED", 1)
    trials = Trials()
    for steps in ([LOOK], [LOOK, PRESS], [LOOK]):
        trials.judge(draft(*steps))
    assert (trials.tally.runs, trials.tally.repeated) == (3, 0)


def test_a_law_broken_without_faults_is_found_before_they_strike() -> None:
    trials = Trials()
    broken = draft(LOOK, PRESS, defect="says unknown")
    broken.aims = [Aim("crash")]
    with pytest.raises(Broken, match="law 3") as raised:
        trials.judge(broken)
    assert raised.value.law == 3
    assert trials.failures[3].faults == ()
    assert trials.tally.first == 1


def test_faults_strike_at_places_of_the_same_steps() -> None:
    trials = Trials()
    struck = draft(LOOK, PRESS)
    struck.aims = [Aim("world", {"alarm": True}), Aim("no_op")]
    trials.judge(struck)
    assert trials.tally.runs == 2
    assert trials.tally.faults == {"no_op": 1, "world": 1}
    assert trials.tally.layers == {"message": 1, "world": 1}


def test_a_broken_law_names_no_other_laws_exception() -> None:
    kinds = set()
    for defect in ("says unknown", "presses twice"):
        with pytest.raises(Broken) as raised:
            Trials().judge(draft(LOOK, PRESS, defect=defect))
        kinds.add(raised.type)
    assert len(kinds) == 2, "Hypothesis shrinks the failures of one exception together"


def test_a_run_that_can_not_be_made_is_a_failure_of_its_own() -> None:
    with pytest.raises(Broken, match="could not run: KeyError") as raised:
        Trials().judge(draft(LOOK, {"cancel": "nobody"}))
    assert raised.value.law == NO_RUN


@asynccontextmanager
async def waits_for_ever(host: Any, settings: Any) -> AsyncIterator[None]:
    yield
    with trio.CancelScope(shield=True):
        await trio.sleep_forever()


@asynccontextmanager
async def spins_for_ever(host: Any, settings: Any) -> AsyncIterator[None]:
    yield
    with trio.CancelScope(shield=True):
        while True:
            await trio.lowlevel.checkpoint()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # of the run that was cut off
@pytest.mark.parametrize(("stack", "why"), [("waits_for_ever", "wait for each other"), ("spins_for_ever", "computed")])
def test_a_run_that_never_ends_breaks_law_4_and_is_ended(
    stack: str, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    subject = replace(SUBJECT, stack=f"tests.harness.properties.test_trial:{stack}")
    monkeypatch.setitem(subjects.SUBJECTS, NAME, subject)
    monkeypatch.setattr("harness.properties.trial.LIMIT_S", 0.3)
    trials = Trials()
    with pytest.raises(Broken, match=f"law 4: the run never ends: .*{why}"):
        trials.judge(draft({"wait_ms": 1}))
    assert trials.failures[4].hangs
    assert signal.getitimer(signal.ITIMER_PROF) == (0, 0)
    gc.collect()  # what the run left complains here, and in no other test


def test_an_error_of_trio_itself_is_not_taken_for_a_hang() -> None:
    with pytest.raises(trio.TrioInternalError), limited():
        raise trio.TrioInternalError


def test_a_broken_stack_of_the_scenarios_can_be_searched_too() -> None:
    trials = Trials({"broken": "calls_twice", "with": {"tool": "press"}})
    with pytest.raises(Broken, match="law 1: 2 effects"):
        trials.judge(draft(LOOK, PRESS))


@pytest.mark.parametrize(
    ("looks", "refuses", "broken"), [(False, False, True), (False, True, False), (True, False, False)]
)
def test_a_stack_that_acts_on_what_its_caller_was_not_shown_breaks_a_law(
    looks: bool, refuses: bool, broken: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ours refuses it; one that leaves it to its caller is found."""
    if not refuses:
        monkeypatch.setattr(Observed, "check_node", lambda *given: None)
    act = ACTS[SHOP][0].step
    given = {"world": {"pages": PAGES, "windows": [*safari_mcp.WINDOWS]}, "settings": {"consent": {}}}
    given |= {"modes": ["form"]}
    steps = [dict(step) for step in (GRANT, opens(SHOP_URL), *([safari_mcp.LOOKS[SHOP]] if looks else []), act)]
    drawn = Draft("safari-mcp", ("safaridriver",), "27.0", given, steps)
    trials = Trials()
    if broken:
        with pytest.raises(Broken, match="had not been shown"):
            trials.judge(drawn)
    else:
        trials.judge(drawn)
    assert trials.tally.laws["2 broken"] == broken
    assert trials.tally.laws["2 holds"] == looks
    assert trials.tally.outcomes["refused"] == refuses
