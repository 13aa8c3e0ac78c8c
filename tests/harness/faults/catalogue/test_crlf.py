"""A carriage return before the newline."""
from __future__ import annotations

import pytest

from tests.harness.faults.catalogue.struck import REPLY, leaves, native, value_of, written


def test_the_line_ends_with_both_and_is_still_json() -> None:
    raw = written("crlf", REPLY)
    assert raw == REPLY[:-1] + b"\r\n"
    assert value_of(raw) == value_of(REPLY)


@pytest.mark.parametrize("raw", [REPLY[:-1] + b"\r\n", REPLY[:-1], native(b"{}"), native(b'"abcdefg"\n')])
def test_only_for_lines_that_end_with_a_newline_alone(raw: bytes) -> None:
    assert leaves("crlf", raw)
