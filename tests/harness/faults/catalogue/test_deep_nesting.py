"""A member of many arrays."""
from __future__ import annotations

from harness.wire import codec
from tests.harness.faults.catalogue.struck import REPLY, leaves, written


def test_the_member_is_added_and_is_that_deep() -> None:
    raw = written("deep_nesting", REPLY, depth=3)
    assert raw == REPLY.replace(b'"result":{', b'"result":{"trailcamNested":[[[]]],')


def test_the_default_is_deeper_than_a_parser_goes() -> None:
    raw = written("deep_nesting", REPLY)
    assert raw.count(b"[") == 10_001
    assert codec("jsonrpc", "<<").feed(raw)[0].problem is not None


def test_what_carries_no_object_stays() -> None:
    assert leaves("deep_nesting", b"[]\n")
