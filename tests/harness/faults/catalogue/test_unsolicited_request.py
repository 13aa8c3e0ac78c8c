"""A request that has no business here."""
from __future__ import annotations

from harness.faults.steps import Raw
from tests.harness.faults.catalogue.struck import NO_JSON, REPLY, back, leaves


def test_it_comes_before_the_frame() -> None:
    assert back("unsolicited_request", REPLY, id=0, method="item/approve") == [
        Raw(b'{"id":0,"method":"item/approve","params":{}}\n'),
        Raw(REPLY),
    ]


def test_only_beside_messages() -> None:
    assert leaves("unsolicited_request", NO_JSON)
