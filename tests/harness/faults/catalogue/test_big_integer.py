"""A whole number that a double cannot hold."""
from __future__ import annotations

from tests.harness.faults.catalogue.struck import NO_JSON, REPLY, REQUEST, leaves, written


def test_the_first_whole_number_that_the_message_carries() -> None:
    assert written("big_integer", REQUEST) == REQUEST.replace(b'"count": 2', b'"count": 9007199254740993')
    assert written("big_integer", b'{"id":1,"result":{"a":1.5,"b":-3}}\n') == (
        b'{"id":1,"result":{"a":1.5,"b":9007199254740993}}\n'
    )


def test_an_id_only_where_it_is_asked_for() -> None:
    assert leaves("big_integer", REPLY)
    raw = written("big_integer", REPLY, pointer="/id", value="9223372036854775808")
    assert raw == REPLY.replace(b"7", b"9223372036854775808")


def test_only_whole_numbers() -> None:
    assert leaves("big_integer", REQUEST, pointer="/method")
    assert leaves("big_integer", REQUEST, pointer="/nothing")
    assert leaves("big_integer", NO_JSON)
