"""A separator that is legal in JSON and no end of a frame."""
from __future__ import annotations

import pytest

from harness.faults.registry import FAULTS
from harness.faults.steps import Raw
from harness.wire import codec
from tests.harness.faults.catalogue.struck import REPLY, strike, value_of, written


@pytest.mark.parametrize("character", ["2028", "2029", "0085"])
def test_it_is_one_frame_with_one_more_character(character: str) -> None:
    raw = written("line_separator", REPLY, character=character)
    (frame,) = codec("jsonrpc", "<<").feed(raw)
    assert frame.problem is None
    assert value_of(raw)["result"]["content"][0]["text"] == "caf\u00e9" + chr(int(character, 16))
    assert len(raw.decode().splitlines()) == 2


def test_an_answer_says_all_that_it_said_and_a_request_may_not_be_understood() -> None:
    fault = FAULTS["line_separator"]
    assert not fault.hides_outcome({}, "reply", 1)
    assert fault.hides_outcome({}, "request", 1)


def test_a_text_that_is_only_an_id_stays_as_it_was() -> None:
    steps, only = strike("line_separator", [Raw(b'{"id":"q","result":{"n":1}}\n')], {})
    assert steps == [Raw(b'{"id":"q","result":{"n":1}}\n')]
    assert not only.fired
