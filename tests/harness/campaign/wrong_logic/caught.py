"""A mistake against the run of the scenario and case that it names: what the run says with it."""
from __future__ import annotations

from pathlib import Path
from typing import Any

from harness.campaign.bench import install_mistake, package_of
from harness.campaign.executor import forked
from harness.campaign.removal import Package
from harness.campaign.scripts.ground import backing_of
from harness.campaign.scripts.lending import lent
from harness.campaign.scripts.programs import learn
from harness.campaign.trial import Tried, tried_from, try_change
from harness.campaign.tries import Try, all_of, attempt
from harness.campaign.wrong_logic import Mistake
from harness.scenario.compile import Choice, compile_sheet
from harness.scenario.runner import ROOT
from harness.subjects import subject

MODES = {"model": "virtual", "engine": "process"}


def package(system: str) -> Package:
    """The stack of a system."""
    return package_of(subject(system), Path(ROOT))


def tried(system: str, mistake: Mistake, stack: Package) -> Tried:
    """What came of it. In a child, since the stack is imported anew."""
    (scenario,) = all_of(system, Path(mistake.scenario))
    sheet = compile_sheet(scenario, Choice(case=mistake.case, back=mistake.back, mode=MODES[mistake.back]))

    def change() -> None:
        install_mistake(stack, mistake)
        learn(system)

    def job() -> Any:
        with lent(backing_of(subject(system)) if mistake.back == "engine" else None):
            said, judged, _ = attempt(sheet)
            assert said.broken == ()
            assert judged is not None
            run = Try(mistake.scenario, mistake.case or "base", "case", sheet, said, judged.again)
            return try_change(change, [run]).as_json()

    ((_, answer),) = forked([job], 1)
    return tried_from(answer, 1)
