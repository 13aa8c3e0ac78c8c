"""A result of null."""
from __future__ import annotations

import pytest

from tests.harness.faults.catalogue.struck import ERROR, NO_JSON, NOTICE, REPLY, REQUEST, leaves, written


def test_only_the_result_changes() -> None:
    assert written("null_result", REPLY) == b'{"id":7,"result":null}\n'


@pytest.mark.parametrize("raw", [ERROR, NOTICE, REQUEST, NO_JSON, b'{"id":7,"result":null}\n'])
def test_without_a_result_nothing(raw: bytes) -> None:
    assert leaves("null_result", raw)
