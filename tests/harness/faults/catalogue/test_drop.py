"""The frame is gone, both ways."""
from __future__ import annotations

from harness.faults.registry import FAULTS
from tests.harness.faults.catalogue.struck import REPLY, REQUEST, back, toward


def test_nothing_is_left() -> None:
    assert back("drop", REPLY) == []
    assert toward("drop", REQUEST) == []


def test_it_hides_the_outcome_of_a_call_and_not_of_a_notice() -> None:
    hides = {kind: FAULTS["drop"].hides_outcome({}, kind) for kind in ("request", "reply", "raw", "notice")}
    assert hides == {"request": True, "reply": True, "raw": True, "notice": False}
