"""A question that is asked twice."""
from __future__ import annotations

import pytest

from harness.faults.steps import Raw
from tests.harness.faults.catalogue.struck import NO_JSON, NOTICE, REPLY, REQUEST, back, leaves


def test_with_the_same_id() -> None:
    assert back("duplicate_request", REQUEST) == [Raw(REQUEST), Raw(REQUEST)]


def test_with_an_id_of_its_own() -> None:
    assert back("duplicate_request", REQUEST, fresh=True)[1] == Raw(REQUEST.replace(b"7", b"100007"))
    question = b'{"id":"q","method":"a"}\n'
    assert back("duplicate_request", question, fresh=True)[1] == Raw(question.replace(b"q", b"q-again"))


@pytest.mark.parametrize("raw", [REPLY, NOTICE, NO_JSON])
def test_only_requests(raw: bytes) -> None:
    assert leaves("duplicate_request", raw)
