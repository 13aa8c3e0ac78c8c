"""The process ends."""
from __future__ import annotations

import pytest

from harness.faults.steps import Exit
from tests.harness.faults.catalogue.struck import REPLY, REQUEST, at_moment, back, toward


@pytest.mark.parametrize("status", [0, 1, -9])
def test_it_ends_in_place_of_the_frame(status: int) -> None:
    assert back("crash", REPLY, status=status) == [Exit(status)]
    assert toward("crash", REQUEST, status=status) == [Exit(status)]
    assert at_moment("crash", status=status) == [Exit(status)]
