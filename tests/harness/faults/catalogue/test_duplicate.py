"""The frame, and the same frame again."""
from __future__ import annotations

import pytest

from harness.faults.steps import Raw, Step, Wait
from tests.harness.faults.catalogue.struck import NOTICE, REPLY, REQUEST, back, native, strike, toward


def test_as_many_as_asked_for() -> None:
    assert back("duplicate", REPLY) == [Raw(REPLY)] * 2
    assert back("duplicate", REPLY, copies=3) == [Raw(REPLY)] * 4
    first, second = toward("duplicate", REQUEST)
    assert first is second


@pytest.mark.parametrize("frame", [REPLY, native(REPLY)])
def test_a_frame_in_pieces_comes_again_as_a_whole(frame: bytes) -> None:
    pieces: list[Step] = [Raw(frame[:1]), Wait(5), Raw(frame[1:])]
    steps, only = strike("duplicate", pieces, {})
    assert steps == pieces * 2
    assert only.fired


def test_two_frames_in_a_row_come_twice_each() -> None:
    steps, _ = strike("duplicate", [Raw(NOTICE), Raw(REPLY)], {})
    assert steps == [Raw(NOTICE), Raw(NOTICE), Raw(REPLY), Raw(REPLY)]
