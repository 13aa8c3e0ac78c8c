"""An error in place of the work, or in place of its result."""
from __future__ import annotations

import pytest

from harness.faults.steps import Raw
from tests.harness.faults.catalogue.struck import (
    ERROR,
    NO_JSON,
    NOTICE,
    REPLY,
    REQUEST,
    deliver,
    leaves,
    strike,
    toward,
    written,
)


def test_a_request_is_answered_and_never_seen() -> None:
    steps = toward("error_reply", REQUEST, code=-10005, message="locked", data={"a": 1})
    assert steps == [Raw(b'{"id":7,"error":{"code":-10005,"message":"locked","data":{"a":1}}}\n')]


def test_the_answer_has_the_version_member_of_the_request() -> None:
    (step,) = toward("error_reply", b'{"jsonrpc":"2.0","id":"1","method":"x"}\n')
    assert step == Raw(b'{"jsonrpc":"2.0","id":"1","error":{"code":-32603,"message":"Internal error"}}\n')


def test_a_result_becomes_an_error_in_its_place() -> None:
    assert written("error_reply", REPLY) == b'{"id":7,"error":{"code":-32603,"message":"Internal error"}}\n'
    assert written("error_reply", ERROR, code=1, message="x") == b'{"error":{"code":1,"message":"x"},"id":7}\n'


def test_only_the_result_that_became_an_error_denies_what_was_done() -> None:
    assert strike("error_reply", [Raw(REPLY)], {})[1].denies
    assert not strike("error_reply", [deliver(REQUEST)], {})[1].denies
    assert not strike("drop", [Raw(REPLY)], {})[1].denies


@pytest.mark.parametrize("raw", [NOTICE, REQUEST, NO_JSON])
def test_on_the_way_back_only_replies(raw: bytes) -> None:
    assert leaves("error_reply", raw)
