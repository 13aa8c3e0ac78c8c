"""What the program inherits, and how a process ends as another did."""
from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

import pytest

from harness.record.program import NotStarted, end, environment, start
from tests.harness.record.sessions import PYTHON, ROOT, program, read_all, tapped, tapped_command


@pytest.mark.claim("HAR-REC-01")
@pytest.mark.parametrize(
    ("make", "code"),
    [
        (lambda path: None, 127),
        (lambda path: path.mkdir(), 126),
        (lambda path: path.write_text("#!/bin/sh\n"), 126),
        (lambda path: path.write_text("not a program") and path.chmod(0o755), 126),
    ],
    ids=["missing", "a folder", "not executable", "no program"],
)
def test_what_cannot_be_started_is_told_apart_as_by_a_shell(tmp_path: Path, make: object, code: int) -> None:
    path = tmp_path / "command"
    make(path)  # type: ignore[operator]
    with pytest.raises(NotStarted) as caught:
        start([str(path)], (0, 1, 2), ())
    assert caught.value.exit_code == code
    assert str(path) in caught.value.seen


def test_a_word_that_no_program_can_get_is_refused() -> None:
    with pytest.raises(NotStarted, match="null"):
        start(["/bin/true", "a\0b"], (0, 1, 2), ())


def test_a_command_is_looked_up_in_path_and_keeps_its_name() -> None:
    source, sink = os.pipe()
    pid = start(["sh", "-c", "echo $0 $1", "name", "word"], (0, sink, 2), ())
    os.close(sink)
    assert read_all(source) == b"name word\n"
    assert os.waitpid(pid, 0)[1] == 0
    os.close(source)


@pytest.mark.claim("HAR-REC-01")
def test_the_environment_is_the_clients_though_the_locale_is_c() -> None:
    """Python sets LC_CTYPE for itself there."""
    code = f"""
import sys
sys.path.append({str(ROOT)!r})
from harness.record.program import environment
print(sorted(environment().items()))
"""
    done = subprocess.run(["env", "-i", b"A=\xff=1", "B=", *PYTHON, "-c", code], capture_output=True, check=True)
    assert done.stdout.decode() == "[(b'A', b'\\xff=1'), (b'B', b'')]\n"


def test_where_the_system_does_not_tell_python_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ADDED_SINCE", "1")
    assert b"ADDED_SINCE" not in environment()

    def refuse(*_: object) -> None:
        raise FileNotFoundError

    monkeypatch.setattr("builtins.open", refuse)
    assert environment()[b"ADDED_SINCE"] == b"1"


@pytest.mark.parametrize("status", [0, 5, -signal.SIGTERM, -signal.SIGKILL, -signal.SIGABRT, -34])
def test_it_ends_as_it_is_told(status: int) -> None:
    pid = os.fork()
    if pid == 0:
        signal.signal(signal.SIGTERM, lambda *_: None)
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
        end(status)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == status


def test_it_ends_even_where_the_signal_does_not_end_it() -> None:
    pid = os.fork()
    if pid == 0:
        end(-signal.SIGCHLD)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 128 + signal.SIGCHLD


@pytest.mark.claim("HAR-REC-01")
def test_signals_that_python_ignores_are_not_ignored_in_the_program() -> None:
    """But for 32 and 33, which are the C library's own."""
    ask = ["/bin/grep", "SigIgn", "/proc/self/status"]
    source, sink = os.pipe()
    pid = start(ask, (0, sink, 2), ())
    os.close(sink)
    ignored = int(read_all(source).split()[1], 16)
    os.close(source)
    assert os.waitpid(pid, 0)[1] == 0
    assert signal.getsignal(signal.SIGPIPE) == signal.SIG_IGN
    own = int(subprocess.run(ask, capture_output=True, check=True).stdout.split()[1], 16)
    assert ignored & ~(0b11 << 31) == own & ~(0b11 << 31)


@pytest.mark.claim("HAR-REC-01")
def test_the_program_inherits_what_its_client_let_it(tmp_path: Path) -> None:
    """A descriptor beside 0, 1 and 2 is the program's, and closes when the program closes it."""
    source = "import os, sys\nos.write(int(sys.argv[1]), b'heard')\nos.close(int(sys.argv[1]))\nos.read(0, 1)"
    side, end = os.pipe()
    with tapped(tmp_path / "t.jsonl", program(source, str(end)), pass_fds=[end]) as session:
        os.close(end)
        assert read_all(side) == b"heard"
        session.close_stdin()
        assert session.status() == 0
    os.close(side)


@pytest.mark.claim("HAR-REC-01")
@pytest.mark.parametrize("closed", [(0,), (1,), (2,), (0, 1, 2), ()])
def test_the_program_has_the_same_descriptors_as_without_a_tap(tmp_path: Path, closed: tuple[int, ...]) -> None:
    """None of the tap's own, and none where the client left 0, 1 or 2 closed."""
    said = tmp_path / "said"
    source = f"""
import os
open_ = [n for n in range(100) if os.path.exists('/proc/self/fd/%d' % n)]
open({str(said)!r}, 'w').write(repr(open_))
"""
    redirections = " ".join(f"{number}<&-" for number in closed)
    seen = []
    for command in (program(source), tapped_command(tmp_path / "t.jsonl", program(source))):
        done = subprocess.run(["/bin/sh", "-c", f'exec "$@" {redirections}', "sh", *command], check=False,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
        assert done.returncode == 0
        assert done.stdout + done.stderr == b""
        seen.append(said.read_text())
        said.unlink()
    assert seen[0] == seen[1]
