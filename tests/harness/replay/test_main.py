"""The entry: it ends as the recorded program did, and loads nothing that is slow to import."""
from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from harness.replay.__main__ import main
from harness.serve.launch import CODE, PYTHON
from tests.harness.replay.drive import PLAYER
from tests.harness.replay.tapes import EOF, exited, got, said, tape
from tests.tidy.imports import HEAVY


@pytest.mark.parametrize("status", [0, 3, -15, -9])
def test_it_ends_as_the_recorded_program_did(tmp_path: Path, status: int) -> None:
    path = tape(tmp_path / "t.jsonl", got("x"), said("y"), EOF, exited(status))
    done = subprocess.run([*PLAYER, path], input=b"x\n", capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (status, b"y\n", b"")


def test_it_loads_nothing_slow(tmp_path: Path) -> None:
    path = tape(tmp_path / "t.jsonl", got('{"id":1,"method":"m"}'), said('{"id":1,"result":1}'), EOF, exited())
    script = f"""
import sys
sys.path.insert(0, {str(CODE)!r})
from harness.replay.command import run
status = run([{path!r}])
import posix
loaded = sorted({set(HEAVY)!r} & set(sys.modules)) + sorted(name for name in sys.modules if name in ("os", "site"))
posix.write(2, f"{{status}} {{loaded}}".encode())
"""
    done = subprocess.run(
        [PYTHON, "-SE", "-c", script], input=b'{"id":1,"method":"m"}\n', capture_output=True, check=False
    )
    assert done.stderr == b"0 []"


def test_the_entry_in_process(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    ends: list[int] = []

    def end(status: int) -> None:
        ends.append(status)
        raise SystemExit(status)

    monkeypatch.setattr("harness.serve.process.end", end)
    monkeypatch.setattr("gc.disable", lambda: ends.append(-1))
    with pytest.raises(SystemExit):
        main(["--help"])
    assert ends == [-1, 0] and "usage" in capfd.readouterr().out
