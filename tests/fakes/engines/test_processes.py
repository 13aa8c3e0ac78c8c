"""This side of the keeper: start, first line, end; and what a process and its screen share."""
from __future__ import annotations

import os
import sys
from contextlib import closing

import pytest

from fakes.engines.keeper import parents
from fakes.engines.processes import PATH, Keeper, Shared, children_of, environment_of, free_port, pause
from harness.problem import Problem

ENV = {"PATH": PATH, "MARK": "a=b"}
PARENT = (
    "import subprocess, sys, signal;"
    "child = subprocess.Popen([sys.executable, '-SEc', 'import signal; signal.pause()']);"
    "print(child.pid, flush=True); signal.pause()"
)


def test_a_program_is_started_seen_and_ended() -> None:
    with closing(Keeper()) as keeper:
        pid, line = keeper.start_and_listen([sys.executable, "-SEc", PARENT], ENV)
        assert children_of(pid) == [int(line)]
        assert environment_of(pid)["MARK"] == "a=b"
        assert keeper.end(pid) == [pid, int(line)]
        assert children_of(pid) == []
        other = keeper.start([sys.executable, "-SEc", PARENT], ENV)
    assert other not in parents()


def test_what_does_not_start_and_what_says_nothing_is_a_problem() -> None:
    keeper = Keeper()
    try:
        with pytest.raises(Problem, match="make engines"):
            keeper.start(["/nowhere/at-all"], ENV)
        with pytest.raises(Problem, match="ended before it was ready"):
            keeper.start_and_listen([sys.executable, "-SEc", ""], ENV)
    finally:
        keeper.close()


def test_a_keeper_that_has_ended_says_so() -> None:
    keeper = Keeper()
    keeper._process.kill()
    keeper._process.wait()
    with pytest.raises(Problem, match="has ended"):
        keeper.start([sys.executable], ENV)
    keeper.close()


@pytest.mark.engine("xvfb")
def test_holders_share_one_screen_that_goes_with_the_last() -> None:
    shared = Shared()
    keeper, display = shared.take()
    assert shared.take() == (keeper, display)
    assert os.path.exists(f"/tmp/.X11-unix/X{display[1:]}")
    shared.give_back()
    assert shared.take() == (keeper, display)
    shared.give_back()
    shared.give_back()
    with pytest.raises(Problem, match="has ended"):
        keeper.start(["true"], ENV)


def test_a_screen_that_can_not_be_had_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fakes.engines.processes.SCREEN", ("/nowhere/at-all",))
    with pytest.raises(Problem):
        Shared().take()


def test_ports_are_free_and_a_pause_ends() -> None:
    assert 1024 < free_port() < 65536
    pause(0)
    assert free_port() > 0
