"""Half a frame and the end of the process."""
from __future__ import annotations

from harness.faults.registry import FAULTS
from harness.faults.steps import Exit, Raw
from tests.harness.faults.catalogue.struck import REPLY, back, leaves


def test_half_and_then_the_end() -> None:
    assert back("half_frame_then_exit", REPLY) == [Raw(REPLY[: len(REPLY) // 2]), Exit(1)]
    assert back("half_frame_then_exit", REPLY, bytes=3, status=-9) == [Raw(REPLY[:3]), Exit(-9)]


def test_without_half_a_frame_no_end() -> None:
    assert leaves("half_frame_then_exit", REPLY, bytes=9999)


def test_only_on_the_way_back() -> None:
    assert FAULTS["half_frame_then_exit"].ways == {"<<"}
