"""Where mitmproxy is looked for, and what is said where it is not."""
from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from harness.http_leg import place
from harness.http_leg.place import PROXY, become, command, interpreter, running
from harness.problem import Problem


def test_this_interpreter_where_it_has_mitmproxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(place, "find_spec", lambda name: object())
    assert interpreter() == sys.executable
    assert command({"mode": "replay"}) == [sys.executable, str(PROXY), '{"mode": "replay"}']


def test_else_that_of_the_engines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(place, "find_spec", lambda name: None)
    monkeypatch.setattr(place, "locate", lambda row: Path("/there/bin/mitmdump"))
    assert interpreter() == "/there/bin/python"


def test_without_any_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(place, "find_spec", lambda name: None)
    monkeypatch.setattr(place, "locate", lambda row: None)
    with pytest.raises(Problem, match=r"mitmproxy 11\.0\.2.*make engines"):
        interpreter()


def test_this_process_becomes_the_leg(monkeypatch: pytest.MonkeyPatch) -> None:
    became: list[Any] = []

    def execv(path: str, words: list[str]) -> None:
        became.extend((path, words))
        raise SystemExit

    monkeypatch.setattr(place, "find_spec", lambda name: object())
    monkeypatch.setattr("os.execv", execv)
    with pytest.raises(SystemExit):
        become({"port": 1})
    assert became == [sys.executable, [sys.executable, str(PROXY), '{"port": 1}']]


def scripted(monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    monkeypatch.setattr(place, "command", lambda settings: [sys.executable, "-c", code])


SAYS = "import signal, sys, time; print('{\"port\": 7}', flush=True); "


def test_a_leg_runs_beside_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    code = f"{SAYS}signal.sigwait([15]); sys.exit(70)"
    scripted(monkeypatch, f"import signal; signal.pthread_sigmask(0, [15]); {code}")
    with running({}) as leg:
        assert (leg.port, leg.status) == (7, None)
    assert leg.status == 70


def test_a_leg_that_does_not_end_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(place, "END_S", 0.2)
    scripted(monkeypatch, f"import signal; signal.signal(15, signal.SIG_IGN); {SAYS}signal.pause(); signal.pause()")
    with running({}) as leg:
        pass
    assert leg.status == -9


def test_a_leg_that_does_not_start_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    scripted(monkeypatch, "import sys; sys.exit('because')")
    with pytest.raises(Problem, match="because"), running({}):
        pass
