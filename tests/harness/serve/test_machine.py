"""What a machine is given, and the base that does nothing on its own."""
from __future__ import annotations

from harness.faults.steps import Exit
from harness.serve.machine import Given, Silent


def given(seed: str = "1/echo/1") -> Given:
    return Given(1, "echo", object(), {"profile": "x"}, seed)


def test_the_generator_is_made_once_and_repeats_with_its_seed() -> None:
    one, other = given(), given()
    assert one.rng is one.rng
    assert [one.rng.random() for _ in range(3)] == [other.rng.random() for _ in range(3)]
    assert given("2/echo/1").rng.random() != given().rng.random()


def test_a_silent_machine_leaves_at_the_end_of_stdin_alone() -> None:
    silent = Silent(given())
    assert list(silent.ended("stdio")) == [Exit(0)]
    assert list(silent.ended("kid")) == []
    assert [list(handler) for handler in (silent.started([], {}), silent.opened("kid"), silent.reaped("kid", 1))] == [
        [], [], [],
    ]  # fmt: skip
    assert list(silent.received("stdio", None)) == []  # type: ignore[arg-type]
    assert silent.signalled(15) is None
