"""Numbers of the connection."""

from __future__ import annotations

import pytest

from stack.chrome.timing import backoff_ms, is_dead


@pytest.mark.claim("CHR-IPC-03", tooth="a backoff that does not double, or has no end")
def test_the_backoff_doubles_from_half_a_second_to_thirty() -> None:
    assert [backoff_ms(n) for n in range(1, 9)] == [500, 1000, 2000, 4000, 8000, 16000, 30000, 30000]
    assert backoff_ms(10_000) == 30_000


@pytest.mark.parametrize(("silent_ms", "dead"), [(0, False), (14_999, False), (15_000, True)])
def test_three_heartbeats_of_silence_are_death(silent_ms: float, dead: bool) -> None:
    assert is_dead(silent_ms) is dead
