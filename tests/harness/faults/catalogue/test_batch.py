"""A message in an array."""
from __future__ import annotations

import pytest

from tests.harness.faults.catalogue.struck import ERROR, NO_JSON, NOTICE, REPLY, REQUEST, leaves, written


@pytest.mark.parametrize("raw", [REQUEST, REPLY, ERROR, NOTICE])
def test_the_array_is_around_the_message(raw: bytes) -> None:
    assert written("batch", raw) == b"[" + raw[:-1] + b"]\n"


def test_only_messages() -> None:
    assert leaves("batch", NO_JSON)
    assert leaves("batch", b"[]\n")
