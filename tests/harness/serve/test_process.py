"""This process itself: its environment, and its end."""
from __future__ import annotations

import os
import signal
import subprocess

import pytest

from harness.serve import process
from harness.serve.launch import CODE, PYTHON


@pytest.mark.parametrize("status", [0, 7, -15, -9, -2])
def test_it_ends_as_told(status: int) -> None:
    script = f"import sys; sys.path.insert(0, {str(CODE)!r}); from harness.serve.process import end; end({status})"
    assert subprocess.run([PYTHON, "-SE", "-c", script], check=False).returncode == status


def test_a_signal_that_does_not_kill_becomes_a_status(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[str, int]] = []

    class Left(Exception):
        pass

    def leave(status: int) -> None:
        seen.append(("exit", status))
        raise Left

    monkeypatch.setattr("harness.serve.process.posix.kill", lambda pid, number: seen.append(("kill", number)))
    monkeypatch.setattr("harness.serve.process.posix._exit", leave)
    before = signal.getsignal(signal.SIGUSR1)
    try:
        for status in (-signal.SIGUSR1, -signal.SIGKILL, 4):
            with pytest.raises(Left):
                process.end(status)
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert seen == [("kill", 10), ("exit", 138), ("kill", 9), ("exit", 137), ("exit", 4)]


def test_the_environment_is_the_one_that_was_given(monkeypatch: pytest.MonkeyPatch) -> None:
    assert process.environment()["PATH"] == os.environ["PATH"]
    monkeypatch.setenv("ADDED_SINCE", "1")
    assert "ADDED_SINCE" not in process.environment()

    def no_proc(*_: object) -> None:
        raise FileNotFoundError

    monkeypatch.setattr("builtins.open", no_proc)
    assert process.environment()["ADDED_SINCE"] == "1"


def test_names_are_decoded_as_the_system_does() -> None:
    assert process.decoded(b"caf\xc3\xa9 \xff") == os.fsdecode(b"caf\xc3\xa9 \xff")
