"""A member with two values."""
from __future__ import annotations

import pytest

from tests.harness.faults.catalogue.struck import NO_JSON, REPLY, REQUEST, leaves, written


def test_what_the_message_carries_is_there_twice() -> None:
    assert written("duplicate_member", REPLY) == REPLY[:-2] + b',"result":null}\n'


def test_another_member_and_value() -> None:
    raw = written("duplicate_member", REQUEST, pointer="/params/name", value="drag")
    assert raw == REQUEST.replace(b'"name": "click"', b'"name": "click","name":"drag"')


@pytest.mark.parametrize("raw", [b"[1]\n", NO_JSON])
def test_only_members(raw: bytes) -> None:
    assert leaves("duplicate_member", raw)
