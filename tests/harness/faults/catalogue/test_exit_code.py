"""The process ends after the frame."""
from __future__ import annotations

import pytest

from harness.faults.registry import FAULTS
from harness.faults.steps import Exit, Raw
from tests.harness.faults.catalogue.struck import REPLY, at_moment, back


def test_the_frame_comes_first() -> None:
    assert back("exit_code", REPLY, code=4) == [Raw(REPLY), Exit(4)]
    assert at_moment("exit_code") == [Exit(3)]


@pytest.mark.parametrize(("kind", "hides"), [("reply", False), ("request", True), ("notice", True), (None, True)])
def test_a_reply_that_came_is_no_secret(kind: str | None, hides: bool) -> None:
    assert FAULTS["exit_code"].hides_outcome({"code": 3}, kind) is hides
