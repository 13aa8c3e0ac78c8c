"""A notice that nobody knows."""
from __future__ import annotations

from harness.faults.steps import Raw
from tests.harness.faults.catalogue.struck import NO_JSON, NOTICE, REPLY, back, leaves, native


def test_before_the_frame_or_after_it() -> None:
    notice = Raw(b'{"method":"trailcam/unknown","params":{}}\n')
    assert back("unknown_notice", REPLY) == [notice, Raw(REPLY)]
    assert back("unknown_notice", REPLY, after=True) == [Raw(REPLY), notice]


def test_it_speaks_as_the_frame_does() -> None:
    assert back("unknown_notice", NOTICE, method="a", params={"b": 1})[0] == Raw(
        b'{"jsonrpc":"2.0","method":"a","params":{"b":1}}\n'
    )
    assert back("unknown_notice", native(REPLY[:-1]))[0] == Raw(native(b'{"method":"trailcam/unknown","params":{}}'))


def test_only_beside_messages() -> None:
    assert leaves("unknown_notice", NO_JSON)
