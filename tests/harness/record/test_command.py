"""`trailcam record` from its words to its exit code, where nothing is started."""
from __future__ import annotations

import os
from pathlib import Path

import pytest

from harness.record.command import run
from harness.record.options import help_text


@pytest.mark.parametrize("word", ["-h", "--help"])
def test_help_is_printed(capfd: pytest.CaptureFixture[str], word: str) -> None:
    assert run([word]) == 0
    assert capfd.readouterr() == (help_text(), "")


def test_wrong_usage_is_said_on_stderr_alone(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["--nope"]) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert err.startswith("trailcam record: saw the option --nope; expected one of --out")


def test_a_tape_that_cannot_be_opened_is_said(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    pid = os.fork()
    if pid == 0:
        os._exit(run(["--out", str(tmp_path / "no" / "t.jsonl"), "--", "true"]))
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 3
    assert "No such file" in capfd.readouterr().err


def test_shims_are_written_and_named(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["--shim", str(tmp_path / "bin"), "echo=/bin/echo", "again=/bin/cat"]) == 0
    lines = capfd.readouterr().out.split("\n")
    assert lines[0] == f"{tmp_path}/bin/echo records /bin/echo in {tmp_path}/bin/tapes/"
    assert len(lines) == 3
    assert (tmp_path / "bin" / "again").exists()
