"""What surrounds a stranger: its own folder, its interpreter, the fakes where it looks for them, and nothing else."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import pytest
import trio

from harness.problem import Problem
from harness.strangers.adapter import Adapter
from harness.strangers.process import ROOT, STDERR, Surroundings
from tests.harness.strangers.rig import adapter_of

SAYS = """
import os, sys
print(sorted(os.environ), os.getcwd(), flush=True)
print('a word', file=sys.stderr)
sys.stdin.read()
"""
POLITE = """
import os, signal, sys
signal.signal(15, lambda *_: sys.exit(0))
print(os.getpid(), flush=True)
while True:
    signal.pause()
"""
DEAF = POLITE.replace("lambda *_: sys.exit(0)", "signal.SIG_IGN")
MUCH = """
import sys
sys.stderr.write('x' * 300000)
sys.stderr.flush()
print('ready', flush=True)
sys.stdin.read()
"""


def surroundings(folder: Path) -> Surroundings:
    made = folder / "state"
    return Surroundings({"osascript": str(folder / "bin" / "osascript")}, folder=made, locks=folder, meeting=folder)


def adapter(folder: Path, program: str, **more: Any) -> Adapter:
    return adapter_of(folder, command=[sys.executable, "-SE", "-c", program], **more)


def first_line(folder: Path, given: Adapter) -> str:
    async def main() -> str:
        async with surroundings(folder).running(given) as running:
            return (await running.stdout.receive()).decode()

    return trio.run(main)


def test_nothing_of_this_process_but_the_interpreter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_SECRET_OF_MINE", "x")
    said = first_line(tmp_path, adapter(tmp_path, SAYS, env={"MINE": "{here}/a"}))
    names = said.partition("]")[0]
    assert "A_SECRET_OF_MINE" not in names and "MINE" in names
    assert str(tmp_path / "state") in said
    assert (tmp_path / "state" / STDERR).read_text() == "a word\n"


WAYS: list[tuple[Any, str]] = [("PATH", "PATH"), ({"env": "OSASCRIPT"}, "OSASCRIPT"), ("argument", "")]


@pytest.mark.parametrize(("way", "variable"), WAYS)
def test_the_fake_is_where_the_stack_looks_for_it(tmp_path: Path, way: Any, variable: str) -> None:
    given = adapter(tmp_path, "pass", finds={"osascript": way}, env={"X": "{osascript}"} if way == "argument" else None)
    made = surroundings(tmp_path)
    found = made.variables(given, "/somewhere")
    stub = str(tmp_path / "bin" / "osascript")
    assert (found["PATH"].split(":")[0] == os.path.dirname(stub)) == (way == "PATH")
    assert found.get("OSASCRIPT") == (stub if variable == "OSASCRIPT" else None)
    assert found.get("X") == (stub if way == "argument" else None)
    assert "/somewhere" in found["PATH"]
    assert found["HTTPS_PROXY"].startswith("http://127.0.0.1:")


def test_files_of_the_adapter_are_there_and_go_again(tmp_path: Path) -> None:
    files = {"script": "#!/bin/sh\necho {root}\n", "plain": "{here}"}
    given = adapter(tmp_path, "import os; print(sorted(os.listdir('.')), os.access('script', os.X_OK))", files=files)
    assert first_line(tmp_path, given) == "['plain', 'script'] True\n"
    assert sorted(path.name for path in (tmp_path / "state").iterdir()) == [STDERR]
    assert surroundings(tmp_path).fill("{root} {unknown}", given) == f"{ROOT} {{unknown}}"


def test_a_stack_that_is_not_installed_is_named(tmp_path: Path) -> None:
    for changes in ({"needs": ["{root}/build/no-such-thing"]}, {"command": ["{root}/build/no-such-thing"]}):
        with pytest.raises(Problem, match=r"no build/no-such-thing.*tests-own 1.*make engines"):
            first_line(tmp_path, adapter_of(tmp_path, **changes))


@pytest.mark.parametrize("program", [POLITE, DEAF])
def test_what_does_not_end_with_its_stdin_is_asked_to_and_then_ended(
    program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("harness.strangers.process.GRACE_S", 0.2)
    said = first_line(tmp_path, adapter(tmp_path, program))
    with pytest.raises(ProcessLookupError):
        os.kill(int(said), 0)


def test_its_stderr_is_read_however_much_it_says(tmp_path: Path) -> None:
    assert first_line(tmp_path, adapter(tmp_path, MUCH)) == "ready\n"
    assert set((tmp_path / "state" / STDERR).read_bytes()) == {ord("x")}
