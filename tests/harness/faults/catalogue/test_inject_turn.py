"""A model turn that nobody started."""
from __future__ import annotations

import pytest

from harness.faults.steps import Raw
from harness.wire import codec
from tests.harness.faults.catalogue.struck import NO_JSON, REPLY, back, leaves, value_of


@pytest.mark.parametrize("method", ["turn/started", "turn/completed"])
def test_it_is_a_notice_before_the_frame(method: str) -> None:
    turn, frame = back("inject_turn", REPLY, method=method)
    assert frame == Raw(REPLY)
    assert isinstance(turn, Raw)
    (seen,) = codec("jsonrpc", "<<").feed(turn.data)
    assert (seen.kind, seen.method) == ("notice", method)
    assert value_of(turn.data)["params"].keys() == {"threadId", "turn"}


def test_only_beside_messages() -> None:
    assert leaves("inject_turn", NO_JSON)
