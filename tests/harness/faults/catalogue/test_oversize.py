"""A frame of a given size that means the same."""
from __future__ import annotations

import sys

import pytest

from tests.harness.faults.catalogue.struck import NO_JSON, REPLY, leaves, native, value_of, written


@pytest.mark.parametrize("size", [len(REPLY), 65_536, 65_537])
def test_the_body_has_that_size_and_that_meaning(size: int) -> None:
    raw = written("oversize", REPLY, bytes=size)
    assert len(raw) == size + 1
    assert value_of(raw) == value_of(REPLY)


def test_the_limit_of_chrome_counts_the_body() -> None:
    raw = written("oversize", native(b"[1]"), bytes=1_048_577)
    assert int.from_bytes(raw[:4], sys.byteorder) == 1_048_577 == len(raw) - 4


def test_what_is_larger_already_or_has_no_brackets_stays() -> None:
    assert leaves("oversize", REPLY, bytes=len(REPLY) - 1)
    assert leaves("oversize", NO_JSON, bytes=1000)
