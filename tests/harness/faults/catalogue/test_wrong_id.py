"""An id that nobody asked with."""
from __future__ import annotations

import pytest

from tests.harness.faults.catalogue.struck import ERROR, NO_JSON, NOTICE, REPLY, REQUEST, leaves, written


@pytest.mark.parametrize(
    ("id", "other"),
    [("7", "100007"), ('"a"', '"a-other"'), ("null", '"None-other"'), ("true", '"True-other"'), ("1.5", "100001.5")],
)
def test_an_id_of_the_same_type_where_there_is_one(id: str, other: str) -> None:
    assert written("wrong_id", f'{{"id":{id},"result":1}}\n'.encode()) == f'{{"id":{other},"result":1}}\n'.encode()


def test_the_id_that_was_asked_for() -> None:
    assert written("wrong_id", REQUEST, to={"a": 1}) == REQUEST.replace(b": 7", b': {"a":1}')
    assert written("wrong_id", ERROR, to="x") == ERROR.replace(b"7", b'"x"')


def test_a_notice_has_no_id() -> None:
    assert leaves("wrong_id", NOTICE)
    assert leaves("wrong_id", NO_JSON)
    assert leaves("wrong_id", b'{"id":7}\n')


def test_the_same_id_is_no_fault() -> None:
    assert leaves("wrong_id", REPLY, to=7)
