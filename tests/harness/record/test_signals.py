"""Who was sent a signal: the tap alone, or its whole group; and that the program gets each one once.

In process groups of their own, with real signals.
"""
from __future__ import annotations

import os
import select
import signal
import subprocess
from pathlib import Path

import pytest

from harness.problem import Problem
from harness.record.signals import FORWARDED, close_all_but, open_descriptors, stand_by
from tests.harness.record.sessions import (
    ECHO,
    PYTHON,
    ROOT,
    Session,
    children,
    events,
    has_ended,
    of_kind,
    program,
    read_all,
    read_exactly,
    read_line,
    stream,
    tapped,
    tapped_command,
    until,
)

TELLS = """
import os, select, sys
sys.path.insert(0, sys.argv[1])
from harness.record.signals import Signals
signals = Signals()
waiting = select.poll()
waiting.register(signals.descriptor, select.POLLIN)
os.write(1, b'%d %s\\n' % (signals.sentinel, sorted(map(int, signals.mask)).__repr__().encode()))
for _ in range(int(sys.argv[2])):
    waiting.poll()
    for number, to_group in signals.come():
        os.write(1, b'%d %d\\n' % (number, to_group))
signals.ignore()
os.write(1, b'ignores\\n')
os.read(0, 1)
"""
"""Says of each signal that comes whether the group was sent it."""


def telling(times: int) -> Session:
    return Session([*PYTHON, "-c", TELLS, str(ROOT), str(times)], process_group=0)


@pytest.mark.claim("HAR-REC-01")
@pytest.mark.parametrize("number", [1, 2, 3, 10, 12, 14, 15, 18, 20, 28, 34, 64])
def test_the_group_is_told_from_the_process(number: int) -> None:
    with telling(4) as session:
        sentinel = int(read_line(session.out).split()[0])
        for to_group in (False, True, True, False):
            (os.killpg if to_group else os.kill)(session.pid, number)
            assert read_line(session.out) == b"%d %d\n" % (number, to_group)
        assert read_line(session.out) == b"ignores\n"
        has_ended(sentinel)
        os.kill(session.pid, number)
        os.killpg(session.pid, number)
        session.send(b".")
        assert session.status() == 0


@pytest.mark.parametrize("how", [signal.SIGSTOP, signal.SIGKILL], ids=["stopped", "killed"])
def test_a_sentinel_that_cannot_answer_costs_a_moment_only(how: signal.Signals) -> None:
    with telling(9) as session:
        sentinel = int(read_line(session.out).split()[0])
        os.kill(sentinel, how)
        assert read_line(session.out) == b"17 0\n", "its state changed"
        session.process.send_signal(signal.SIGTERM)
        assert line_but(session, b"17 0\n") == b"15 0\n"
        os.killpg(session.pid, signal.SIGUSR1)
        assert line_but(session, b"17 0\n") == (b"10 1\n" if how == signal.SIGSTOP else b"10 0\n")


def line_but(session: Session, passed_over: bytes) -> bytes:
    while (line := read_line(session.out)) == passed_over:
        pass
    return line


def test_the_sentinel_ends_with_its_tap() -> None:
    with telling(9) as session:
        sentinel = int(read_line(session.out).split()[0])
        assert children(session.pid) == [sentinel]
        session.process.kill()
        has_ended(sentinel)
        assert session.status() == -signal.SIGKILL


def test_equal_signals_that_wait_together_are_one() -> None:
    """Stopped, so that both wait; a real-time signal is never merged."""
    with telling(2) as session:
        read_line(session.out)
        os.kill(session.pid, signal.SIGSTOP)
        for number in (signal.SIGTERM, signal.SIGTERM, 35, 35):
            os.killpg(session.pid, number)
        os.kill(session.pid, signal.SIGCONT)
        assert sorted(read_exactly(session.out, 20).split(b"\n")) == [b"", b"15 1", b"18 0", b"35 1", b"35 1"]


def test_where_there_is_no_process_to_be_had_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> int:
        raise OSError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(os, "fork", refuse)
    with pytest.raises(Problem, match="Resource temporarily unavailable in a fork") as caught:
        stand_by()
    assert caught.value.exit_code == 3


def test_what_is_forwarded_is_what_another_process_may_mean() -> None:
    assert not {signal.SIGKILL, signal.SIGSTOP, signal.SIGCHLD, signal.SIGPIPE, signal.SIGSEGV} & set(FORWARDED)
    assert {signal.SIGHUP, signal.SIGINT, signal.SIGTERM, signal.SIGRTMIN, signal.SIGRTMAX} <= set(FORWARDED)


def test_a_fork_lets_go_of_everything_but_what_it_keeps() -> None:
    source, sink = os.pipe()
    pid = os.fork()
    if pid == 0:
        close_all_but((sink,))
        found = open_descriptors()
        os.write(sink, b"%d" % len(found))
        os._exit(0)
    os.close(sink)
    assert os.read(source, 9) == b"2", "the one kept, and that of the listing"
    os.close(source)
    assert os.waitpid(pid, 0)[1] == 0


@pytest.mark.claim("HAR-REC-01")
def test_stopping_and_going_on_reach_the_program_and_are_seen_by_the_client(tmp_path: Path) -> None:
    with tapped(tmp_path / "t.jsonl", program(ECHO), process_group=0) as session:
        session.send(b"x")
        assert read_exactly(session.out, 1) == b"x"
        session.process.send_signal(signal.SIGTSTP)
        _, status = os.waitpid(session.pid, os.WUNTRACED)
        assert os.WIFSTOPPED(status)
        session.send(b"later")
        session.process.send_signal(signal.SIGCONT)
        assert read_exactly(session.out, 5) == b"later"
        session.close_stdin()
        assert session.status() == 0
    numbers = [event["number"] for event in of_kind(events(tmp_path / "t.jsonl"), "signalled")]
    assert numbers == [signal.SIGTSTP, signal.SIGCONT]


HEARS = """
import os, signal, sys
for number in (1, 2, 3, 10, 12, 14, 15, 28, 40):
    signal.signal(number, lambda number, _: os.write(1, b'%d\\n' % number))
os.write(1, b'up\\n')
while os.read(0, 1): pass
"""


@pytest.mark.claim("HAR-REC-01")
@pytest.mark.parametrize("number", [1, 2, 3, 10, 12, 14, 15, 28, 40])
@pytest.mark.parametrize("to_group", [False, True], ids=["to the process", "to the group"])
def test_a_signal_reaches_the_program_once(tmp_path: Path, number: int, to_group: bool) -> None:
    tape = tmp_path / "t.jsonl"
    with tapped(tape, program(HEARS), process_group=0) as session:
        assert read_line(session.out) == b"up\n"
        for times in (1, 2):
            (os.killpg if to_group else os.kill)(session.pid, number)
            assert read_line(session.out) == b"%d\n" % number
            until(lambda times=times: tape.read_text().count('"signalled"') == times, "the tap")  # type: ignore[misc]
        session.close_stdin()
        assert read_all(session.out) == b""
        assert session.status() == 0
    assert [event["number"] for event in of_kind(events(tape), "signalled")] == [number, number]


@pytest.mark.claim("HAR-REC-01")
def test_signals_that_the_client_ignores_or_blocks_are_so_in_the_program(tmp_path: Path) -> None:
    source = """
import os, signal
ignored = [int(n) for n in (1, 2, 15) if signal.getsignal(n) == signal.SIG_IGN]
blocked = [int(n) for n in signal.pthread_sigmask(signal.SIG_BLOCK, [])]
print(ignored, blocked, flush=True)
"""

    def prepare() -> None:
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR2])

    outputs = []
    for session in (
        Session(program(source), preexec_fn=prepare), tapped(tmp_path / "t.jsonl", program(source), preexec_fn=prepare)
    ):  # fmt: skip
        with session:
            outputs.append(read_all(session.out))
            assert session.status() == 0
    assert outputs == [b"[1] [12]\n"] * 2


@pytest.mark.claim("HAR-REC-01")
def test_a_terminal_serves_as_well(tmp_path: Path) -> None:
    """Ctrl-C goes to the whole group: the program hears it once."""
    near, far = os.openpty()
    command = tapped_command(tmp_path / "t.jsonl", program(HEARS))
    process = subprocess.Popen(["setsid", "-c", "-w", *command], stdin=far, stdout=far, stderr=far)
    os.close(far)
    waiting = select.poll()
    waiting.register(near, select.POLLIN)
    text = b""
    while b"up" not in text:
        assert waiting.poll(20_000)
        text += os.read(near, 4096)
    os.write(near, b"\x03")
    while b"2\r\n" not in text:
        assert waiting.poll(20_000)
        text += os.read(near, 4096)
    os.write(near, b"\x04")
    assert process.wait(60) == 0
    os.close(near)
    found = events(tmp_path / "t.jsonl")
    assert stream(found, "out").decode().replace("\r\n", "\n") == "up\n2\n"
