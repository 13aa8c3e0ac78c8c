"""A line of something else in the middle of a frame."""
from __future__ import annotations

from harness.faults.steps import Raw
from harness.wire import codec
from tests.harness.faults.catalogue.struck import REPLY, back, leaves


def test_it_stands_in_the_middle_and_all_else_stays() -> None:
    assert back("interleave", REPLY, text="log\n", offset=4) == [Raw(REPLY[:4] + b"log\n" + REPLY[4:])]
    (step,) = back("interleave", REPLY)
    assert isinstance(step, Raw)
    assert step.data.replace(b"INFO: server is ready\n", b"") == REPLY
    assert all(frame.problem for frame in codec("jsonrpc", "<<").feed(step.data))


def test_at_the_end_it_would_be_no_interleaving() -> None:
    assert leaves("interleave", REPLY, offset=len(REPLY))
