"""A campaign of one scenario and one fault: the same in one process and in several, inapplicable plans counted."""
from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from harness.campaign import faults
from harness.campaign.faults import campaign
from harness.campaign.selection import all_of, groups_of
from harness.campaign.tries import Said, scenarios_of
from harness.problem import Problem

NAME = Path("computer-use/click-an-element-once.yaml")


def made(jobs: int, fault: str = "wrong_id", seed: int = 7, *, every: bool = False) -> Any:
    said: list[str] = []
    result = campaign(scenarios_of("computer-use", NAME), seed, jobs, every=every, fault=fault, say=said.append)
    assert said
    return result


def test_the_same_in_one_process_and_in_several() -> None:
    one, two = made(1), made(2)
    assert one.matrix.as_json() == two.matrix.as_json()
    assert (one.plans, one.possible) == (two.plans, two.possible)
    assert 0 < one.plans < one.possible
    assert one.matrix.total("runs") == one.plans
    assert one.matrix.total("could not run") == 0


def test_plans_that_do_not_fire_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*args: Any, **more: Any) -> Any:
        groups = groups_of(*args, **more)
        for plan in all_of(groups):
            plan["faults"][0]["at"]["nth"] = 99
        return groups

    monkeypatch.setattr(faults, "groups_of", never)
    found = made(1)
    assert found.matrix.total("inapplicable") == found.plans > 0
    assert found.word == "unknown"


def test_a_scenario_that_can_not_run_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def run(*args: Any, **more: Any) -> Any:
        raise Problem("no engine", "one", "install it")

    monkeypatch.setattr(faults, "run", run)
    found = made(1)
    assert len(found.unable) == 1
    assert "no engine" in found.unable[0]
    assert (found.word, found.plans) == ("unknown", 0)


def test_runs_that_could_not_be_made_have_their_command(monkeypatch: pytest.MonkeyPatch) -> None:
    def attempt(sheet: Any) -> Any:
        return Said("", "broken", ("could not run: TypeError: x",), {}), None, None

    monkeypatch.setattr(faults, "attempt", attempt)
    found = made(1)
    assert found.matrix.total("could not run") == found.plans
    assert "trailcam run computer-use/click-an-element-once.yaml" in found.matrix.in_order[0].again


def test_a_piece_that_hangs_is_said_of_each_of_its_plans(monkeypatch: pytest.MonkeyPatch) -> None:
    def attempt(sheet: Any) -> Any:
        while True:
            pass

    monkeypatch.setattr(faults, "attempt", attempt)
    monkeypatch.setattr(faults, "CPU_S", 0.05)
    found = made(2)
    assert found.matrix.total("could not run") == found.plans
    assert "hangs" in found.matrix.in_order[0].why
