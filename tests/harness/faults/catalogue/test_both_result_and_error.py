"""A reply that says two things."""
from __future__ import annotations

from tests.harness.faults.catalogue.struck import ERROR, NOTICE, REPLY, REQUEST, leaves, value_of, written


def test_the_other_member_is_added() -> None:
    assert value_of(written("both_result_and_error", REPLY)).keys() == {"error", "id", "result"}
    assert written("both_result_and_error", ERROR) == b'{"result":{},' + ERROR[1:]


def test_only_replies() -> None:
    assert leaves("both_result_and_error", NOTICE)
    assert leaves("both_result_and_error", REQUEST)
