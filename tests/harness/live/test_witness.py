"""Lines of a history find their places in a tape that was stamped by the same clock."""
from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.live.witness import Witness


def test_a_line_stands_behind_what_was_on_the_tape_before_it() -> None:
    seconds = iter([10.0, 10.001, 10.002, 10.004])
    witness = Witness({}, lambda: next(seconds))
    history = [{"e": str(n), **witness.stamp()} for n in range(3)]
    journal = [{"t": 0.0}, {"t": 0.5}, {"t": 2.5}]
    placed = witness.placed(history, 10_001_200_000, journal)
    assert [(line["t"], line["k"], line["j"]) for line in placed] == [(1.0, 1, 0), (2.0, 2, 2), (4.0, 3, 3)]


@given(st.lists(st.floats(0, 100)), st.lists(st.floats(0, 100_000)))
def test_places_never_fall(steps: list[float], times: list[float]) -> None:
    clock = iter(sorted([0.0, *steps]))
    witness = Witness({}, lambda: next(clock))
    history = [witness.stamp() for _ in steps]
    places = [line["j"] for line in witness.placed(history, 0, [{"t": t} for t in sorted(times)])]
    assert places == sorted(places)
    assert all(0 <= place <= len(times) for place in places)


def test_it_has_no_world_and_no_processes() -> None:
    witness = Witness({"seed": 1})
    assert witness.living() == []
    with pytest.raises(ValueError, match="no world"):
        witness.world.change("user", locked=True)
