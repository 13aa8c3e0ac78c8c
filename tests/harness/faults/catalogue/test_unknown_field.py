"""A member that no schema has."""
from __future__ import annotations

import pytest

from tests.harness.faults.catalogue.struck import NO_JSON, REPLY, REQUEST, leaves, value_of, written


def test_what_the_message_carries_has_one_more() -> None:
    assert written("unknown_field", REPLY) == REPLY.replace(b'"result":{', b'"result":{"trailcamUnknown":true,')
    assert value_of(written("unknown_field", REQUEST, name="a b", value=[1]))["params"]["a b"] == [1]
    assert written("unknown_field", b"{}\n") == b'{"trailcamUnknown":true}\n'


@pytest.mark.parametrize("raw", [b'{"id":1,"result":5}\n', b"[1]\n", NO_JSON])
def test_what_carries_no_object_stays(raw: bytes) -> None:
    assert leaves("unknown_field", raw)


def test_a_member_that_is_there_is_not_unknown() -> None:
    assert leaves("unknown_field", REPLY, name="isError")
