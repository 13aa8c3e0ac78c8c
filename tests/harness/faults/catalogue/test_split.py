"""Two pieces with a pause; together they are the frame."""
from __future__ import annotations

import pytest

from harness.faults.steps import Feed, Raw, Wait
from tests.harness.faults.catalogue.struck import REPLY, REQUEST, back, leaves, toward


@pytest.mark.parametrize("offset", [1, 4, len(REPLY) - 1])
def test_the_pieces_are_the_frame(offset: int) -> None:
    assert back("split", REPLY, offset=offset, ms=3) == [Raw(REPLY[:offset]), Wait(3), Raw(REPLY[offset:])]
    assert toward("split", REQUEST, offset=offset) == [Feed(REQUEST[:offset]), Wait(1), Feed(REQUEST[offset:])]


def test_by_default_in_the_middle() -> None:
    first, _, _ = back("split", REPLY)
    assert first == Raw(REPLY[: len(REPLY) // 2])


def test_where_one_piece_would_be_empty_there_is_no_split() -> None:
    assert leaves("split", REPLY, offset=len(REPLY))
    assert leaves("split", b"x")
