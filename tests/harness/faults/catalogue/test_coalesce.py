"""What follows is gathered with the frame."""
from __future__ import annotations

from harness.faults.steps import Cork, Raw
from tests.harness.faults.catalogue.struck import REPLY, back


def test_the_stream_is_corked_before_the_frame() -> None:
    assert back("coalesce", REPLY, ms=5) == [Cork(5), Raw(REPLY)]
