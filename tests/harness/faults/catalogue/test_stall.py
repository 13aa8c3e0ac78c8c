"""A stream that stops and stays open."""
from __future__ import annotations

import pytest

from harness.faults.body import FOREVER_MS
from harness.faults.registry import FAULTS
from harness.faults.steps import Deliver, Feed, Raw, Wait
from tests.harness.faults.catalogue.struck import REPLY, REQUEST, back, leaves, toward


def test_the_rest_waits_for_ever() -> None:
    assert back("stall", REPLY) == [Raw(b""), Wait(FOREVER_MS), Raw(REPLY)]
    assert back("stall", REPLY, bytes=5, ms=10) == [Raw(REPLY[:5]), Wait(10), Raw(REPLY[5:])]


def test_toward_the_program_nothing_more_is_read() -> None:
    wait, frame = toward("stall", REQUEST, ms=10)
    assert wait == Wait(10)
    assert isinstance(frame, Deliver)
    assert toward("stall", REQUEST, bytes=1, ms=1) == [Feed(REQUEST[:1]), Wait(1), Feed(REQUEST[1:])]


def test_a_whole_frame_is_no_stall() -> None:
    assert leaves("stall", REPLY, bytes=len(REPLY))


@pytest.mark.parametrize(
    ("ms", "left_ms", "hides"), [(None, None, True), (10, 5, True), (10, 11, False), (10, None, False)]
)
def test_for_ever_always_hides_the_outcome(ms: float | None, left_ms: float | None, hides: bool) -> None:
    assert FAULTS["stall"].hides_outcome({"ms": ms}, "reply", left_ms) is hides
