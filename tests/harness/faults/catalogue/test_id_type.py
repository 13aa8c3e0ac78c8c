"""The same id in another type."""
from __future__ import annotations

import pytest

from tests.harness.faults.catalogue.struck import NO_JSON, NOTICE, REPLY, leaves, written


@pytest.mark.parametrize(("id", "other"), [("7", '"7"'), ('"7"', "7"), ('"007"', "7"), ("1.0", '"1.0"')])
def test_number_and_text(id: str, other: str) -> None:
    assert written("id_type", f'{{"id":{id},"result":1}}\n'.encode()) == f'{{"id":{other},"result":1}}\n'.encode()


def test_null() -> None:
    assert written("id_type", REPLY, to="null") == REPLY.replace(b"7", b"null", 1)


@pytest.mark.parametrize("raw", [NOTICE, NO_JSON, b'{"id":"a7","result":1}\n', b'{"id":null,"result":1}\n'])
def test_what_has_no_other_type_stays(raw: bytes) -> None:
    assert leaves("id_type", raw, to="null" if b"null" in raw else "other")
