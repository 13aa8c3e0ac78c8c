"""Something on stdout that is no frame."""
from __future__ import annotations

from harness.faults.steps import Raw
from harness.wire import codec
from tests.harness.faults.catalogue.struck import REPLY, at_moment, back, strike


def test_before_the_frame_or_at_a_moment() -> None:
    assert back("garbage", REPLY, text="Hi") == [Raw(b"Hi\n"), Raw(REPLY)]
    assert at_moment("garbage") == [Raw(b"Traceback (most recent call last):\n")]


def test_without_a_newline_it_spoils_the_frame_behind_it() -> None:
    junk, frame = back("garbage", REPLY, text="x", newline=False)
    assert isinstance(junk, Raw)
    assert isinstance(frame, Raw)
    (seen,) = codec("jsonrpc", "<<").feed(junk.data + frame.data)
    assert seen.problem is not None


def test_it_goes_to_the_wire_of_the_frame() -> None:
    steps, _ = strike("garbage", [Raw(REPLY, "socket")], {"text": "x"})
    assert steps[0] == Raw(b"x\n", "socket")
