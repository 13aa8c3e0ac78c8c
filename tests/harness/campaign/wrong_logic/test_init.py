"""A patch fits its source exactly once, or is refused."""
from __future__ import annotations

import pytest

from harness.campaign.wrong_logic import Mistake, mistakes_of, patched
from harness.problem import UsageProblem
from harness.subjects import SUBJECTS

MISTAKE = Mistake("name", "a.yaml", "", "a.py", "old", "new")


def test_a_patch_replaces_its_one_place() -> None:
    assert patched(MISTAKE, "an old text") == "an new text"


@pytest.mark.parametrize("text", ["nothing", "old and old"])
def test_a_patch_that_does_not_fit_is_refused(text: str) -> None:
    with pytest.raises(UsageProblem, match="places for the mistake"):
        patched(MISTAKE, text)


def test_mistakes_by_system() -> None:
    assert all(len(mistakes_of(system)) >= 12 for system in SUBJECTS)
    assert mistakes_of("another") == ()
