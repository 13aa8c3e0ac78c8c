"""Each mistake fits the stack's source, compiles, and is caught by the run of the scenario that it names."""
from __future__ import annotations

import ast
from pathlib import Path

import pytest

from harness.campaign.executor import forked
from harness.campaign.removal import Package
from harness.campaign.trial import tried_from, try_change
from harness.campaign.tries import Try, attempt, scenarios_of
from harness.campaign.wrong_logic import Mistake, patched
from harness.campaign.wrong_logic.computer_use import MISTAKES
from harness.scenario.compile import Choice, compile_sheet
from harness.scenario.runner import ROOT

PACKAGE = Package("stack.computer_use", Path(ROOT))


def test_names_are_each_ones_own() -> None:
    assert len({mistake.name for mistake in MISTAKES}) == len(MISTAKES) >= 12


@pytest.mark.claim("HAR-MUT-03", tooth="a list with a mistake that its scenario does not notice")
@pytest.mark.parametrize("mistake", MISTAKES, ids=[mistake.name for mistake in MISTAKES])
def test_a_mistake_is_caught_by_the_scenario_that_it_names(mistake: Mistake) -> None:
    (scenario,) = scenarios_of("computer-use", Path(mistake.scenario))
    sheet = compile_sheet(scenario, Choice(case=mistake.case))
    said, judged, _ = attempt(sheet)
    assert said.broken == ()
    assert judged is not None
    tree = ast.parse(patched(mistake, PACKAGE.texts[mistake.file]))
    run = Try(mistake.scenario, mistake.case or "base", "case", sheet, said, judged.again)
    ((_, answer),) = forked([lambda: try_change(lambda: PACKAGE.install({mistake.file: tree}), [run]).as_json()], 1)
    tried = tried_from(answer, 1)
    assert tried.killed, tried.how
    assert tried.made == 1, "it is noticed by what it does, not by an import that fails"
