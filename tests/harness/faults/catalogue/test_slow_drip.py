"""A frame in many pieces."""
from __future__ import annotations

from harness.faults.steps import Feed, Raw, Wait
from tests.harness.faults.catalogue.struck import REPLY, back, leaves, toward


def test_the_pieces_are_the_frame_and_the_pauses_the_time() -> None:
    steps = back("slow_drip", REPLY, ms=90, pieces=10)
    assert b"".join(step.data for step in steps if isinstance(step, Raw)) == REPLY
    assert [step.ms for step in steps if isinstance(step, Wait)] == [10] * 9
    assert [type(step) for step in steps] == [Raw, Wait] * 9 + [Raw]


def test_never_more_pieces_than_bytes() -> None:
    steps = toward("slow_drip", b"{}\n", ms=2, pieces=100)
    assert steps == [Feed(b"{"), Wait(1), Feed(b"}"), Wait(1), Feed(b"\n")]


def test_one_byte_cannot_drip() -> None:
    assert leaves("slow_drip", b"x")
