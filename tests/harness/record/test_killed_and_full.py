"""What a killed tap, a full disk and a slow one cost, as one check each that broken taps do not pass."""
from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.tape.event import line as line_of
from harness.tape.header import Header
from harness.tape.read import read_stream
from harness.tape.write import Writer
from tests.harness.record import sessions
from tests.harness.record.sessions import (
    ECHO,
    PYTHON,
    REAL,
    TAP,
    Session,
    events,
    program,
    read_all,
    read_exactly,
    stream,
    until,
)
from tests.harness.record.simple_tap import simple_tap
from tests.harness.record.test_session import ECHO_OR_FLOOD, FRAME, pass_on
from tests.harness.tape.tapes import ORIGIN, file
from tests.teeth import Break, check_tells_apart, replaced

Command = Callable[[Path, list[str]], list[str]]
SHORT_WAIT_S = 2
"""For taps that are broken, of which some let a client wait for ever."""
LIMIT = 12_000
LINE = b'{"method":"n","params":{"text":"%s"}}\n' % (b"x" * 900)


def check_is_a_peer_that_closed(folder: Path, command: Command) -> None:
    """Killed in the middle of a session: both sides see an end and nothing else, and the tape has what passed."""
    tape, seen = folder / "t.jsonl", folder / "seen"
    with Session(command(tape, program(ECHO_OR_FLOOD, str(seen)))) as session:
        pass_on(session, FRAME)
        session.process.kill()
        assert read_all(session.out) + read_all(session.err) == b""
        assert session.status() == -signal.SIGKILL
        until(seen.exists, "the program to see its stdin end")
    found = events(tape, killed=True)
    assert stream(found, "in").startswith(FRAME)
    assert stream(found, "out").startswith(FRAME)


def full_disk_is_a_marked_gap(folder: Path, command: Command) -> None:
    """What does not fit is told on the tape, which ends as the program did; the session is whole."""
    tape = folder / "t.jsonl"
    shell = ["/bin/sh", "-c", f'ulimit -f {LIMIT // 512}; exec "$@"', "sh"]
    with Session([*shell, *command(tape, program(ECHO))]) as session:
        for _ in range(40):
            session.send(LINE)
            assert read_exactly(session.out, len(LINE)) == LINE
        session.close_stdin()
        assert read_all(session.err) == b""
        assert session.status() == 0
    found = events(tape, killed=True)
    assert [event["e"] for event in found[-2:]] == ["gap", "exited"]
    assert "could not be written" in found[-2]["why"]
    assert found[-2]["events"] + sum(event["e"] == "bytes" for event in found) >= 80


def slow_disk_costs_the_session_nothing(folder: Path, command: Command) -> None:
    """A tape that nobody reads until the session is over."""
    tape = folder / "tape"
    os.mkfifo(tape)
    reader = os.open(tape, os.O_RDONLY | os.O_NONBLOCK)
    try:
        with Session(command(tape, program(ECHO))) as session:
            for _ in range(100):
                session.send(LINE)
                assert read_exactly(session.out, len(LINE)) == LINE
            session.close_stdin()
            assert session.status() == 0
            os.set_blocking(reader, True)
            assert read_all(reader).count(b'"s":"out"') == 101, "a hundred frames, and the end"
    finally:
        os.close(reader)


def real(tape: Path, command: list[str]) -> list[str]:
    """The tap on the real interpreter, also under measurement: the measurement writes files of its own."""
    return [REAL, "-SE", *TAP[len(PYTHON) :], "--out", str(tape), "--", *command]


def wrong(what: str) -> Command:
    return lambda tape, command: simple_tap(what, tape, command)


BROKEN: dict[str, tuple[Callable[[Path, Command], None], Command]] = {
    "answers when it is killed": (check_is_a_peer_that_closed, wrong("a reply when it is killed")),
    "held open when it is killed": (check_is_a_peer_that_closed, wrong("held open when it is killed")),
    "writes its tape at the end": (check_is_a_peer_that_closed, wrong("a tape at the end")),
    "says nothing of a full disk": (full_disk_is_a_marked_gap, wrong("nothing")),
    "lets the session wait for its tape": (slow_disk_costs_the_session_nothing, wrong("nothing")),
}


def test_a_simple_tap_that_is_killed_is_a_peer_that_closed_too(tmp_path: Path) -> None:
    """So that what is seen of the broken ones is what is broken."""
    check_is_a_peer_that_closed(tmp_path, wrong("nothing"))


@pytest.mark.claim("HAR-REC-02", tooth="a tap that answers, holds or forgets when killed, or minds a full or slow disk")
@pytest.mark.parametrize(("check", "command"), BROKEN.values(), ids=BROKEN)
def test_a_tap_that_is_not_a_peer_that_closed_is_seen(
    check: Callable[[Path, Command], None], command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("real", "broken"):
        (tmp_path / name).mkdir()
    check(tmp_path / "real", real)
    monkeypatch.setattr(sessions, "WAIT_S", SHORT_WAIT_S)
    with pytest.raises(AssertionError):
        check(tmp_path / "broken", command)


def losses_are_marked(folder: Path) -> None:
    """A disk that is full for a while: what was lost meanwhile is counted where it is missing."""
    text = bytearray()
    full = [False]

    def write(data: bytes) -> None:
        if full[0]:
            raise OSError(28, "No space left on device")
        text.extend(data)

    writer = Writer(write, Header(ORIGIN, wires={"fake": {"stdio": "raw"}}), hold_size=0)
    for number in range(9):
        full[0] = 3 <= number < 6
        writer.put("note", t=number, p=0, text=f"note {number}")
    writer.close()
    found = list(read_stream(file(bytes(text)), str(folder))[1])
    # the third was kept until it could be written, those behind it were not
    told = [event["text"] if event["e"] == "note" else event["events"] for event in found]
    assert told == ["note 0", "note 1", "note 2", "note 3", 2, "note 6", "note 7", "note 8"]
    assert [line_of(event) for event in found] == text.decode().split("\n")[1:-1]


def unmarked(self: Writer) -> bool:
    self.lost_events = self.lost_size = 0
    return self.flush()


LOSSES: dict[str, Break] = {
    "no mark": replaced(Writer, "_mark_gap", unmarked),
    "a loss that is not counted": replaced(Writer, "_lose", lambda self, event, size: None),
}


@pytest.mark.claim("HAR-REC-02", tooth="a writer that loses events without a mark")
@pytest.mark.parametrize("broken", LOSSES.values(), ids=LOSSES)
def test_a_writer_that_hides_its_losses_is_seen(broken: Break, tmp_path: Path) -> None:
    check_tells_apart(losses_are_marked, broken, tmp_path)
