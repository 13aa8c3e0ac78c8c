"""A reply to the request that comes next."""
from __future__ import annotations

import pytest

from harness.faults.steps import Raw
from tests.harness.faults.catalogue.struck import NO_JSON, NOTICE, REQUEST, back, leaves


@pytest.mark.parametrize(("id", "following"), [("7", "8"), ('"7"', '"8"'), ('"a-9"', '"a-10"'), ("0", "1")])
def test_the_next_id_is_answered_too(id: str, following: str) -> None:
    raw, early = (f'{{"id":{one},"result":1}}\n'.encode() for one in (id, following))
    assert back("early_reply", raw) == [Raw(raw), Raw(early)]


@pytest.mark.parametrize("id", ['"a"', "true", "null", '"1000000000000000000"', '""'])
def test_without_an_id_that_counts_nothing(id: str) -> None:
    assert leaves("early_reply", f'{{"id":{id},"result":1}}\n'.encode())


@pytest.mark.parametrize("raw", [NOTICE, REQUEST, NO_JSON])
def test_only_replies(raw: bytes) -> None:
    assert leaves("early_reply", raw)
