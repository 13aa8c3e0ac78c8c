"""The process that starts and ends an engine's programs: whole trees, orphans, and the end of whoever asked for it."""
from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from fakes.engines import keeper
from fakes.engines.keeper import Keeper, answer, descendants, parents, serve

ENV = {"PATH": "/usr/bin:/bin"}
WAITS = "import sys; print('up', flush=True); sys.stdin.read() if sys.argv[1:] else __import__('signal').pause()"
PARENT = (
    "import subprocess, sys, signal;"
    "child = subprocess.Popen([sys.executable, '-SEc', 'import signal; signal.pause()']);"
    "print(child.pid, flush=True); signal.pause()"
)
ORPHANS = (
    "import subprocess, sys, signal, os;"
    "child = subprocess.Popen([sys.executable, '-SEc', 'import signal; signal.pause()'], start_new_session=True);"
    "print(child.pid, flush=True)"
)


def is_alive(pid: int) -> bool:
    return pid in parents()


@pytest.fixture
def kept() -> Iterator[Keeper]:
    made = Keeper()
    yield made
    made.end_all()


def test_descendants_are_found_parents_first() -> None:
    tree = {1: 0, 5: 1, 6: 5, 7: 5, 8: 7, 9: 1}
    assert descendants(5, tree) == [5, 6, 7, 8]
    assert descendants(4, tree) == []
    assert descendants(4, {**tree, 10: 4}) == [10]


def test_the_table_of_processes_leaves_out_the_dead_and_the_vanished(tmp_path: Path) -> None:
    for pid, stat in (("10", "10 (a b) S 1 10"), ("11", "11 (x) Z 10 10"), ("12", "12 (y) R 10 10"), ("self", "")):
        (tmp_path / pid).mkdir()
        (tmp_path / pid / "stat").write_text(stat)
    (tmp_path / "13").mkdir()
    assert parents(str(tmp_path)) == {10: 1, 12: 10}


def test_a_program_ends_with_its_children(kept: Keeper) -> None:
    said = kept.start([sys.executable, "-SEc", PARENT], ENV, True)
    child = int(said["line"])
    assert is_alive(child)
    assert kept.end(said["pid"]) == [said["pid"], child]
    assert not is_alive(child) and not is_alive(said["pid"])
    assert kept.end(said["pid"]) == []


def test_without_a_line_nothing_is_waited_for(kept: Keeper) -> None:
    said = kept.start([sys.executable, "-SEc", WAITS], ENV, False)
    assert said["line"] == ""
    assert is_alive(said["pid"])


def test_requests_are_answered_and_at_their_end_everything_ends() -> None:
    out = io.StringIO()
    starts = [json.dumps({"start": [sys.executable, "-SEc", PARENT], "env": ENV, "line": True}) for _ in range(2)]
    serve(iter([*starts, json.dumps({"start": ["/nowhere/at-all"], "env": ENV})]), out)
    first, second, third = (json.loads(line) for line in out.getvalue().splitlines())
    assert third == {"error": "/nowhere/at-all: No such file or directory"}
    for said in (first, second):
        assert not is_alive(said["pid"]) and not is_alive(int(said["line"]))


def test_the_script_serves_its_stdin_and_takes_no_notice_of_signals(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, out, ignored = io.StringIO('{"end": 1}\n'), io.StringIO(), []
    monkeypatch.setattr("sys.stdin", asked)
    monkeypatch.setattr("sys.stdout", out)
    monkeypatch.setattr("sys.platform", "another")  # this process shall not become a subreaper
    monkeypatch.setattr("signal.signal", lambda number, action: ignored.append(number))
    keeper.main()
    assert json.loads(out.getvalue()) == {"ended": []} and len(ignored) == 3


def test_what_has_come_to_this_process_is_ended_too(kept: Keeper, monkeypatch: pytest.MonkeyPatch) -> None:
    lost = subprocess.Popen([sys.executable, "-SEc", "import signal; signal.pause()"])
    monkeypatch.setattr(Keeper, "_lost", lambda self: [lost.pid] if is_alive(lost.pid) else [])
    assert kept.end(1) == [lost.pid]
    assert lost.wait() in (0, -9)  # whoever takes the status of a child first has it


def test_what_ends_by_itself_meanwhile_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(pid: int, number: int) -> None:
        raise ProcessLookupError

    monkeypatch.setattr("os.kill", gone)
    assert keeper._kill_all([os.getpid()])[0] == os.getpid()


def test_end_of_something_unknown_is_nothing() -> None:
    assert answer(Keeper(), {"end": 1}) == {"ended": []}


def test_as_a_process_it_ends_orphans_too_and_goes_with_its_stdin() -> None:
    process = subprocess.Popen(
        [sys.executable, "-SE", keeper.__file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write(json.dumps({"start": [sys.executable, "-SEc", ORPHANS], "env": ENV, "line": True}) + "\n")
    process.stdin.flush()
    said = json.loads(process.stdout.readline())
    orphan = int(said["line"])
    process.send_signal(15)  # none of its business: its stdin says when to end
    process.stdin.close()
    assert process.wait() == 0
    process.stdout.close()
    assert not is_alive(orphan)
    assert not os.path.exists(f"/proc/{orphan}")
