"""A length that is not that of the body."""
from __future__ import annotations

import sys

import pytest

from tests.harness.faults.catalogue.struck import REPLY, leaves, native, written

LENGTHS = {
    "zero": 0,
    "too_small": 6,
    "too_large": 8,
    "over_limit": 64 * 1024 * 1024 + 1,
    "text": int.from_bytes(b"Trac", sys.byteorder),
    "swapped": 7 << 24,
}


@pytest.mark.parametrize("length", LENGTHS)
def test_the_body_stays_and_the_length_lies(length: str) -> None:
    raw = written("length_prefix", native(b'{"a":1}'), length=length)
    assert raw[4:] == b'{"a":1}'
    assert int.from_bytes(raw[:4], sys.byteorder) == LENGTHS[length]


def test_only_for_native_messaging() -> None:
    assert leaves("length_prefix", REPLY)


def test_a_lie_that_is_the_truth_has_not_fired() -> None:
    assert leaves("length_prefix", native(b""), length="zero")
