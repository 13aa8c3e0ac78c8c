"""The frame on stderr."""
from __future__ import annotations

from harness.faults.steps import Raw
from tests.harness.faults.catalogue.struck import REPLY, back


def test_the_bytes_are_the_same() -> None:
    assert back("wrong_stream", REPLY) == [Raw(REPLY, "stdio", "err")]
