"""A separator that is legal in JSON and no end of a frame."""
from __future__ import annotations

import pytest

from harness.faults.registry import FAULTS
from harness.wire import codec
from tests.harness.faults.catalogue.struck import REPLY, value_of, written


@pytest.mark.parametrize("character", ["2028", "2029", "0085"])
def test_it_is_one_frame_with_one_more_character(character: str) -> None:
    raw = written("line_separator", REPLY, character=character)
    (frame,) = codec("jsonrpc", "<<").feed(raw)
    assert frame.problem is None
    assert value_of(raw)["result"]["content"][0]["text"] == "caf\u00e9" + chr(int(character, 16))
    assert len(raw.decode().splitlines()) == 2


def test_it_hides_nothing() -> None:
    assert not FAULTS["line_separator"].hides_outcome({}, "reply", 1)
