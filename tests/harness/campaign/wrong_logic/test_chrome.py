"""Each mistake fits the stack's source, and is caught by the run of the scenario that it names."""
from __future__ import annotations

import pytest

from harness.campaign.wrong_logic import Mistake
from harness.campaign.wrong_logic.chrome import MISTAKES
from tests.harness.campaign.wrong_logic.caught import package, tried

PACKAGE = package("chrome")
ON_MODEL = [mistake for mistake in MISTAKES if mistake.back == "model"]


def test_names_are_each_ones_own() -> None:
    assert len({mistake.name for mistake in MISTAKES}) == len(MISTAKES) >= 12


@pytest.mark.claim("HAR-MUT-03", tooth="a list with a mistake that its scenario does not notice")
@pytest.mark.parametrize("mistake", ON_MODEL, ids=[mistake.name for mistake in ON_MODEL])
def test_a_mistake_is_caught_by_the_scenario_that_it_names(mistake: Mistake) -> None:
    found = tried("chrome", mistake, PACKAGE)
    assert found.killed, found.how
    assert found.made == 1, "it is noticed by what it does, not by an import that fails"
