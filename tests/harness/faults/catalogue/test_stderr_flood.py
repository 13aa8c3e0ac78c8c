"""More on stderr than a pipe holds."""
from __future__ import annotations

import pytest

from harness.faults.steps import Raw
from tests.harness.faults.catalogue.struck import REPLY, at_moment, back


@pytest.mark.parametrize("size", [1, 999, 1_000, 1_001, 65_537])
def test_exactly_so_many_bytes_in_lines(size: int) -> None:
    flood, frame = back("stderr_flood", REPLY, bytes=size)
    assert isinstance(flood, Raw)
    assert (flood.stream, len(flood.data), flood.data[-1:]) == ("err", size, b"\n")
    assert max(map(len, flood.data.split(b"\n"))) < 1_000
    assert frame == Raw(REPLY)


def test_at_a_moment_too() -> None:
    (flood,) = at_moment("stderr_flood", bytes=9)
    assert flood == Raw(b"W" * 8 + b"\n", "stdio", "err")
