"""Which server may have page data: every case of the table."""

from __future__ import annotations

import pytest

from stack.chrome.claim import RULINGS, Claim
from stack.chrome.timing import HEARTBEAT_MS, MISSED

DEAD_MS = HEARTBEAT_MS * MISSED


@pytest.mark.claim("CHR-IPC-02", tooth="a second server while the first lives, and once it is dead or gone")
def test_each_case_has_one_ruling() -> None:
    seen = set()
    for holder, silent_ms, standing in (
        (None, 0, "nobody"),
        (1, 0, "itself"),
        (1, DEAD_MS, "itself"),
        (2, DEAD_MS - 1, "a living server"),
        (2, DEAD_MS, "a dead server"),
    ):
        claim = Claim()
        claim.holder = holder
        assert claim.standing(1, silent_ms) == standing
        ruling = claim.ask(1, silent_ms)
        assert ruling == RULINGS[claim.standing(1, silent_ms)] or ruling != "refuse"
        assert claim.holder == (2 if ruling == "refuse" else 1)
        seen.add(standing)
    assert seen == set(RULINGS)


def test_only_the_holder_lets_go() -> None:
    claim = Claim()
    claim.ask(1, 0)
    claim.gone(2)
    assert claim.holder == 1
    claim.gone(1)
    assert claim.holder is None
