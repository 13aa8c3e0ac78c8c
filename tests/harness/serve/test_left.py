"""A process that names the run's folder is found, orphaned or not, and ended."""
from __future__ import annotations

import subprocess
from pathlib import Path

from harness.serve.launch import PYTHON
from harness.serve.left import end, processes_of

SCRIPT = f"""#!{PYTHON} -SE
import sys
print("up", flush=True)
sys.stdin.read()
"""


def start(tmp_path: Path, *args: str, env: dict[str, str] | None = None) -> subprocess.Popen[bytes]:
    script = tmp_path / "helper"
    if not script.exists():
        script.write_text(SCRIPT)
        script.chmod(0o700)
    process = subprocess.Popen([str(script), *args], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env or {})
    assert process.stdout
    assert process.stdout.readline() == b"up\n"
    return process


def test_found_by_arguments_and_by_environment_and_ended(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with start(tmp_path) as by_path, start(tmp_path, env={"HOME": str(home)}) as by_environment:
        found = processes_of([str(tmp_path)])
        assert {process.pid for process in found} == {by_path.pid, by_environment.pid}
        assert {process.name for process in found} == {"helper"}
        assert [process.pid for process in processes_of([str(home)])] == [by_environment.pid]
        end(found)
        assert (by_path.wait(20), by_environment.wait(20)) == (-9, -9)
    assert processes_of([str(tmp_path)]) == []
    end(found)


def test_where_there_is_no_proc_ps_tells(tmp_path: Path) -> None:
    with start(tmp_path) as process:
        found = processes_of([str(tmp_path)], proc=tmp_path / "none")
        assert process.pid in {left.pid for left in found}
        process.communicate(timeout=20)


def test_nothing_is_found_where_nothing_runs(tmp_path: Path) -> None:
    assert processes_of([str(tmp_path)]) == []
