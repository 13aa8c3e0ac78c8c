"""Each mistake fits the stack's source, and is caught by the run of the scenario that it names."""
from __future__ import annotations

import pytest

from harness.campaign.wrong_logic import Mistake
from harness.campaign.wrong_logic.safari_mcp import MISTAKES
from tests.harness.campaign.wrong_logic.caught import package, tried

PACKAGE = package("safari-mcp")
ON_MODEL = [mistake for mistake in MISTAKES if mistake.back == "model"]
ON_ENGINE = [mistake for mistake in MISTAKES if mistake.back == "engine"]


def test_names_are_each_ones_own() -> None:
    assert len({mistake.name for mistake in MISTAKES}) == len(MISTAKES) >= 12


@pytest.mark.claim("HAR-MUT-03", tooth="a list with a mistake that its scenario does not notice")
@pytest.mark.parametrize("mistake", ON_MODEL, ids=[mistake.name for mistake in ON_MODEL])
def test_a_mistake_is_caught_by_the_scenario_that_it_names(mistake: Mistake) -> None:
    found = tried("safari-mcp", mistake, PACKAGE)
    assert found.killed, found.how
    assert found.made == 1, "it is noticed by what it does, not by an import that fails"


@pytest.mark.claim("HAR-MUT-03", tooth="a list with a mistake that its scenario does not notice")
@pytest.mark.engine("webkit")
@pytest.mark.engine("xvfb")
@pytest.mark.parametrize("mistake", ON_ENGINE, ids=[mistake.name for mistake in ON_ENGINE])
def test_a_mistake_in_a_page_is_caught_on_the_engine(mistake: Mistake) -> None:
    found = tried("safari-mcp", mistake, PACKAGE)
    assert found.killed, found.how
    assert found.made == 1
