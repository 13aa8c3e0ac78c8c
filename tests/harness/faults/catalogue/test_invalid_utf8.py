"""Bytes that no reader of UTF-8 takes."""
from __future__ import annotations

import pytest

from tests.harness.faults.catalogue.struck import NO_JSON, REPLY, leaves, written


@pytest.mark.parametrize("sequence", ["lone", "overlong", "surrogate", "cut"])
def test_the_last_text_is_no_utf8(sequence: str) -> None:
    raw = written("invalid_utf8", REPLY, sequence=sequence)
    start = REPLY.index(b'"}],')
    assert raw.startswith(REPLY[:start])
    assert raw.endswith(REPLY[start:])
    with pytest.raises(UnicodeDecodeError):
        raw.decode()


def test_without_a_text_it_can_do_nothing() -> None:
    assert leaves("invalid_utf8", b"[1,2]\n")
    assert leaves("invalid_utf8", NO_JSON)
