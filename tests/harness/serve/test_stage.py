"""The stage: processes and their trees, the order of its records, and the places that it counts."""
from __future__ import annotations

from typing import Any

import pytest

from harness.faults.census import Census
from harness.serve.session import MachineFault
from harness.serve.stage import Stage
from tests.harness.serve.machines import MACHINES, Counter, frame


def stage(**sheet: Any) -> Stage:
    return Stage({"v": 1, **sheet}, MACHINES, Counter, clock=lambda: 5.0)


def test_every_line_reaches_the_sink_as_it_is_made_and_can_be_left_unkept() -> None:
    seen: list[Any] = []
    made = Stage(
        {"v": 1}, MACHINES, Counter, clock=lambda: 5.0, sink=lambda book, event: seen.append((book, event)), keep=False
    )
    session = made.open("echo")
    session.begin(["-x"], {}, 5.0)
    made.record("shown", ref="1")
    session.signal(9, 5.0)
    assert [(book, event["e"]) for book, event in seen] == [
        ("journal", "started"), ("world", "shown"), ("journal", "signalled"), ("journal", "exited"), ("world", "freed"),
    ]  # fmt: skip
    assert (made.journal, made.events) == ([], [])


def test_world_lines_are_numbered_timed_and_ordered() -> None:
    made = stage()
    assert (made.record("shown", ref="1"), made.stamp()["k"], made.record("effect", verb="v")) == (0, 2, 1)
    assert made.events[1] == {"n": 1, "t": 0.0, "k": 3, "j": 0, "e": "effect", "verb": "v"}


def test_a_tree_has_the_orphans_of_its_dead_and_nothing_of_others() -> None:
    made = stage()
    root, other = made.open("echo"), made.open("echo")
    kid = made.open("echo", parent=root.p)
    grandkid = made.open("echo", parent=kid.p)
    assert made.tree(root.p) == (root.p, kid.p, grandkid.p)
    kid.died(-9)
    root.died(-9)
    assert made.tree(root.p) == (grandkid.p,)
    assert made.tree(other.p) == (other.p,)


def test_processes_of_a_program_are_counted() -> None:
    made = stage()
    assert [made.open(name).nth for name in ("echo", "waiter", "echo")] == [1, 1, 2]


def test_an_unknown_program_is_refused_with_the_known_ones() -> None:
    with pytest.raises(MachineFault, match="saw a start of nope; expected one of echo, parent, waiter"):
        stage().open("nope")


def test_each_process_draws_from_a_seed_of_its_own() -> None:
    def drawn(seed: int) -> list[float]:
        made = stage(seed=seed)
        return [made.open("echo").machine.given.rng.random() for _ in range(2)]  # type: ignore[attr-defined]

    first = drawn(1)
    assert first == drawn(1)
    assert len({*first, *drawn(2)}) == 4


def test_the_census_counts_each_place_of_a_run() -> None:
    made = stage()
    made.plan.census = Census()
    session = made.open("echo")
    session.begin([], {}, 5.0)
    session.feed("stdio", frame({"id": 1, "method": "two"}), 5.0)
    session.end("stdio", 5.0)
    places = [(place.get("way"), place.get("kind"), place.get("method"), place.get("moment"), place["count"])
              for place in made.plan.census.places()]  # fmt: skip
    assert sorted(places, key=str) == sorted(
        [
            (None, None, None, "started", 1), (">>", "request", "two", None, 1), ("<<", "notice", "notice", None, 1),
            ("<<", "reply", "two", None, 1), (None, None, None, "ended", 1),
        ],
        key=str,
    )  # fmt: skip
