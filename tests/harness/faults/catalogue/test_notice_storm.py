"""Many notices at once."""
from __future__ import annotations

from harness.faults.steps import Raw
from harness.wire import codec
from tests.harness.faults.catalogue.struck import NO_JSON, REPLY, back, leaves


def test_all_in_one_write_before_the_frame() -> None:
    storm, frame = back("notice_storm", REPLY, count=3)
    assert frame == Raw(REPLY)
    assert isinstance(storm, Raw)
    methods = [frame.method for frame in codec("jsonrpc", "<<").feed(storm.data)]
    assert methods == ["notifications/tools/list_changed"] * 3


def test_only_beside_messages() -> None:
    assert leaves("notice_storm", NO_JSON)
