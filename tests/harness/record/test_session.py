"""How a session ends: with the program's status, at once, whoever still holds its pipes; and how a killed one does."""
from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import pytest

from harness.record import session as module
from harness.record.work import TAP_GONE, WRITER_GONE
from harness.record.writer import STARTS
from tests.harness.record.sessions import (
    ECHO,
    PYTHON,
    REAL,
    TAP,
    Session,
    children,
    events,
    has_ended,
    has_event,
    of_kind,
    program,
    read_all,
    read_exactly,
    read_line,
    read_some,
    stream,
    tapped,
    until,
    wait_for,
    writer_of,
)

DEATHS = [signal.SIGTERM, signal.SIGKILL, signal.SIGSEGV, signal.SIGABRT, signal.SIGINT, signal.SIGPIPE, signal.SIGUSR1]


@pytest.mark.claim("HAR-REC-01")
@pytest.mark.parametrize("status", [0, 1, 3, 70, 127, 255])
def test_it_ends_with_the_programs_exit_code(tmp_path: Path, status: int) -> None:
    with tapped(tmp_path / "t.jsonl", program(f"import os\nos._exit({status})")) as session:
        assert session.status() == status
    assert events(tmp_path / "t.jsonl")[-1].get("status") == status, events(tmp_path / "t.jsonl")


@pytest.mark.claim("HAR-REC-01")
@pytest.mark.parametrize("number", DEATHS, ids=lambda number: number.name)
def test_it_dies_by_the_signal_that_the_program_died_by(tmp_path: Path, number: signal.Signals) -> None:
    source = f"import os, signal\nsignal.signal({number}, 0) if {number} != 9 else 0\nos.kill(os.getpid(), {number})"
    with tapped(tmp_path / "t.jsonl", program(source), cwd=tmp_path) as session:
        assert session.status() == -number
    assert events(tmp_path / "t.jsonl")[-1]["status"] == -number
    assert [path.name for path in tmp_path.iterdir()] == ["t.jsonl"]


@pytest.mark.claim("HAR-REC-01")
def test_it_ends_when_the_program_does_though_its_client_keeps_stdin_open(tmp_path: Path) -> None:
    with tapped(tmp_path / "t.jsonl", program("import os\nos.write(1, b'last words')")) as session:
        assert session.status() == 0
        assert read_all(session.out) == b"last words"


GRANDCHILD = """
import os
source, sink = os.pipe()
if os.fork() == 0:
    os.close(source)
    os.write(1, b'%d\\n' % os.getpid())
    while data := os.read(0, 1):
        os.write(1, b'later ' + data)
        if sink >= 0:
            os.write(sink, b'.')
            os.close(sink)
            sink = -1
    os.write(1, b'bye')
    os._exit(0)
os.read(source, 1)
os._exit(5)
"""


@pytest.mark.claim("HAR-REC-01")
@pytest.mark.parametrize("behind", ["tap", "direct"])
def test_a_grandchild_that_holds_the_pipes_is_heard_after_the_program_has_ended(tmp_path: Path, behind: str) -> None:
    """As with a direct pipe: the program ends at once, its pipes stay open as long as somebody holds them."""
    command = program(GRANDCHILD)
    with tapped(tmp_path / "t.jsonl", command) if behind == "tap" else Session(command) as session:
        grandchild = int(read_line(session.out))
        if behind == "tap":
            writer = writer_of(session.pid)
        session.send(b"x")
        assert session.status() == 5
        session.send(b"z")
        assert read_exactly(session.out, 14) == b"later xlater z"
        session.close_stdin()
        assert read_all(session.out) == b"bye"
        has_ended(grandchild)
        assert read_all(session.err) == b""
    if behind == "tap":
        has_ended(writer)
        kinds = [event["e"] for event in events(tmp_path / "t.jsonl")]
        assert kinds.index("exited") < len(kinds) - 1
        assert stream(events(tmp_path / "t.jsonl"), "out").endswith(b"bye")
        assert "gap" not in kinds


@pytest.mark.claim("HAR-REC-01")
def test_a_client_that_reads_late_gets_everything_though_the_program_is_long_gone(tmp_path: Path) -> None:
    data = b"q" * 120_000
    source = f"import os\ndata = {data!r}\nwhile data: data = data[os.write(1, data):]\nos._exit(9)"
    with tapped(tmp_path / "t.jsonl", program(source)) as session:
        assert session.status() == 9
        assert read_all(session.out) == data
    found = events(tmp_path / "t.jsonl")
    assert stream(found, "out") == data
    assert of_kind(found, "exited")[0]["status"] == 9


@pytest.mark.claim("HAR-REC-01")
def test_nothing_is_left_behind(tmp_path: Path) -> None:
    with tapped(tmp_path / "t.jsonl", program(ECHO), start_new_session=True) as session:
        session.send(b"x")
        assert read_exactly(session.out, 1) == b"x"
        family = children(session.pid)
        assert len(family) == 3
        session.close_stdin()
        assert session.status() == 0
        for pid in family:
            has_ended(pid)


ECHO_OR_FLOOD = """
import os, sys
flood = b'{"method":"n","params":{}}\\n' * 200
while data := os.read(0, 65536):
    os.write(1, data)
    try:
        while data == b'flood':
            os.write(1, flood)
    except BrokenPipeError:
        break
open(sys.argv[1], 'w').write('saw its stdin end')
"""
FRAME = b'{"id":1,"method":"a"}\n'
HALF = FRAME + b'{"id":2,"met'


def pass_on(session: Session, data: bytes) -> None:
    """Let this pass to and fro: when the next byte has passed, the tap has noted it."""
    for piece in (data, b"."):
        session.send(piece)
        assert read_exactly(session.out, len(piece)) == piece


@pytest.mark.claim("HAR-REC-02")
@pytest.mark.parametrize("sent", [FRAME, HALF, FRAME + b"flood"], ids=["idle", "half a frame", "flood"])
def test_a_killed_tap_is_a_peer_that_closed_and_its_tape_is_whole(tmp_path: Path, sent: bytes) -> None:
    tape, seen = tmp_path / "t.jsonl", tmp_path / "seen"
    with tapped(tape, program(ECHO_OR_FLOOD, str(seen))) as session:
        pass_on(session, sent.removesuffix(b"flood"))
        rest = b""
        if sent.endswith(b"flood"):
            session.send(b"flood")
            rest = read_exactly(session.out, 300_000)
        family = children(session.pid)
        session.process.kill()
        rest += read_all(session.out)
        assert read_all(session.err) == b""
        assert session.status() == -signal.SIGKILL
        for pid in family:
            has_ended(pid)
    assert seen.exists(), "the program saw its stdin end, and ended by itself"
    assert not rest.removeprefix(b"flood").replace(b'{"method":"n","params":{}}\n', b"").strip(b'{"methodnparams:},\n')
    found = events(tape)
    assert (found[-1]["e"], found[-1]["why"]) == ("gap", TAP_GONE)
    assert stream(found, "in").startswith(sent.removesuffix(b"flood"))
    assert stream(found, "out").startswith(sent.removesuffix(b"flood"))
    assert len(stream(found, "out")) >= len(rest) - 65536


@pytest.mark.claim("HAR-REC-02")
def test_a_killed_process_group_leaves_a_whole_tape_too(tmp_path: Path) -> None:
    tape, seen = tmp_path / "t.jsonl", tmp_path / "seen"
    with tapped(tape, program(ECHO_OR_FLOOD, str(seen)), start_new_session=True) as session:
        pass_on(session, HALF)
        family = children(session.pid)
        os.killpg(session.pid, signal.SIGKILL)
        assert session.status() == -signal.SIGKILL
        for pid in family:
            has_ended(pid)
    assert not seen.exists(), "the program was killed too, as without a tap"
    found = events(tape)
    assert stream(found, "in").startswith(HALF)
    assert stream(found, "out").startswith(HALF)
    assert (found[-1]["e"], found[-1]["why"]) == ("gap", TAP_GONE)


@pytest.mark.claim("HAR-REC-02")
@pytest.mark.parametrize("times", [1, 2, 3, 4])
def test_a_killed_writer_harms_no_session_and_leaves_a_marked_gap(tmp_path: Path, times: int) -> None:
    tape = tmp_path / "t.jsonl"
    frames = [b'{"id":%d,"method":"m"}\n' % number for number in range(3 * times + 3)]
    with tapped(tape, program(ECHO)) as session:
        for number, frame in enumerate(frames):
            session.send(frame)
            assert read_exactly(session.out, len(frame)) == frame
            kill = number // 3
            if number % 3 == 1 and kill < min(times, STARTS):
                os.kill(writer_of(session.pid), signal.SIGKILL)
                if kill < STARTS - 1:
                    until(lambda kill=kill: tape.read_text().count(WRITER_GONE) == kill + 1,  # type: ignore[misc]
                          "another writer's mark")
        session.close_stdin()
        assert session.status() == 0
    found = events(tape, killed=True)
    marks = [event for event in of_kind(found, "gap") if event["why"] == WRITER_GONE]
    assert len(marks) == min(times, STARTS - 1)
    assert [event["t"] for event in found] == sorted(event["t"] for event in found)
    assert (found[-1]["e"] == "exited") == (times < STARTS)
    if times < STARTS - 1:
        assert stream(found, "out").endswith(frames[-1])
    elif times == STARTS - 1:
        assert found[-2]["e"] == "gap"


@pytest.mark.claim("HAR-REC-02")
def test_a_writer_that_is_killed_when_it_has_written_everything_is_marked_at_once(tmp_path: Path) -> None:
    """Nothing that it left makes the next one write."""
    tape = tmp_path / "t.jsonl"
    with tapped(tape, program(ECHO)) as session:
        frame = b'{"id":1,"method":"m"}\n'
        session.send(frame)
        assert read_exactly(session.out, len(frame)) == frame
        until(lambda: tape.read_text().count("method") == 2, "both frames on the tape")
        os.kill(writer_of(session.pid), signal.SIGKILL)
        until(lambda: WRITER_GONE in tape.read_text(), "another writer's mark")
        session.close_stdin()
        assert session.status() == 0


@pytest.mark.claim("HAR-REC-02")
@pytest.mark.parametrize("frames", [40, 4000])
def test_a_full_disk_costs_the_tape_a_gap_and_the_session_nothing(tmp_path: Path, frames: int) -> None:
    """The limit on the size of files stands for the disk: what is over it can't be written, in the writer alone."""
    tape = tmp_path / "t.jsonl"
    limit = 12_000
    lines = [b'{"id":%d,"method":"m","params":{"text":"%s"}}\n' % (n, b"x" * (n % 50)) for n in range(frames)]
    limited = ["/bin/sh", "-c", f'ulimit -f {limit // 512}; exec "$@"', "sh", REAL, "-SE", *TAP[len(PYTHON) :]]
    with Session([*limited, "--out", str(tape), "--", *program(ECHO)]) as session:
        for line in lines:
            session.send(line)
            assert read_exactly(session.out, len(line)) == line
        session.close_stdin()
        assert session.status() == 0
        assert read_all(session.err) == b""
    found = events(tape)
    assert tape.stat().st_size <= limit
    assert [event["e"] for event in found[-2:]] == ["gap", "exited"]
    assert "could not be written" in found[-2]["why"]
    whole = sum(event["e"] == "bytes" for event in found)
    assert 0 < whole < 2 * frames
    assert whole + found[-2]["events"] >= 2 * frames
    assert stream(found, "in") == b"".join(lines)[: len(stream(found, "in"))]


@pytest.mark.claim("HAR-REC-02")
def test_a_reader_of_the_tape_that_does_not_read_costs_a_gap_and_the_session_nothing(tmp_path: Path) -> None:
    """A tape may be a pipe. Here nobody reads it until the session is over: the writer waits, the session does not."""
    fifo = tmp_path / "tape"
    os.mkfifo(fifo)
    reader = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
    line = b'{"method":"n","params":{"text":"%s"}}\n' % (b"x" * 900)
    with tapped(fifo, program(ECHO)) as session:
        for _ in range(200):
            session.send(line)
            assert read_exactly(session.out, len(line)) == line
        writer = writer_of(session.pid)
        session.close_stdin()
        assert session.status() == 0
        os.set_blocking(reader, True)
        text = read_all(reader)
        has_ended(writer)
    os.close(reader)
    (tmp_path / "read.jsonl").write_bytes(text)
    found = events(tmp_path / "read.jsonl")
    assert stream(found, "out") == line * 200
    assert found[-1]["e"] == "exited"


@pytest.mark.claim("HAR-REC-02")
def test_a_reader_of_the_tape_that_went_away_harms_no_session(tmp_path: Path) -> None:
    fifo = tmp_path / "tape"
    os.mkfifo(fifo)
    reader = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
    with tapped(fifo, program(ECHO)) as session:
        session.send(b"before\n")
        assert read_exactly(session.out, 7) == b"before\n"
        wait_for(reader)
        os.close(reader)
        for _ in range(50):
            session.send(b"after\n")
            assert read_exactly(session.out, 6) == b"after\n"
        session.close_stdin()
        assert session.status() == 0
        assert read_all(session.err) == b""


@pytest.mark.claim("HAR-REC-02")
def test_a_tape_is_written_while_the_session_goes_on(tmp_path: Path) -> None:
    """Whole lines, without waiting for the end: what is there can be read by somebody else."""
    tape = tmp_path / "t.jsonl"
    with tapped(tape, program(ECHO)) as session:
        session.send(b'{"id":1,"method":"m"}\n')
        assert read_some(session.out)
        until(lambda: tape.read_text().count('"e":"bytes"') == 2, "both frames on the tape")
        session.send(b"half")
        assert read_exactly(session.out, 4) == b"half"
        session.close_stdin()
        assert session.status() == 0
    assert has_event(tape, "exited")
    assert stream(events(tape), "in") == b'{"id":1,"method":"m"}\nhalf'


class Ended(Exception):
    """Stands for the end of this process."""


class Stub:
    """Stands for everything that a session's end asks: what was called, in order."""

    def __init__(self, **values: Any) -> None:
        self.called: list[str] = []
        self.__dict__.update(values)

    def __getattr__(self, name: str) -> Any:
        return lambda *_: self.called.append(name)


@pytest.mark.claim("HAR-REC-01")
def test_where_there_is_no_process_to_stay_behind_everything_is_delivered_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse() -> int:
        raise OSError(11, "Resource temporarily unavailable")

    def ended(status: int) -> None:
        raise Ended(status)

    loop = Stub(status=5 << 8, delivered=lambda: False)
    monkeypatch.setattr(os, "fork", refuse)
    monkeypatch.setattr(module, "end", ended)
    monkeypatch.setattr(module, "finish", lambda *_: loop.called.append("finish"))
    with pytest.raises(Ended, match="5"):
        module.leave(loop, Stub(), Stub(), Stub(), Stub())  # type: ignore[arg-type]
    assert loop.called == ["run", "finish"]


class Dying(Stub):
    """Stands for a hand whose first writer dies while the tap waits for it, and whose second one does not."""

    def __init__(self, sink: int) -> None:
        super().__init__(starts=1, died=False)
        self._sink = sink
        self._gone = [True, False, True]

    def gone(self) -> bool:
        self.died = self.starts == 1
        return self._gone.pop(0)

    def again(self) -> None:
        self.called.append("again")
        self.starts = 2
        os.write(self._sink, b"a signal")


@pytest.mark.claim("HAR-REC-02")
def test_a_writer_that_dies_at_the_very_end_gets_a_successor() -> None:
    source, sink = os.pipe()
    hand = Dying(sink)
    module.finish(Stub(), hand, Stub(descriptor=source))  # type: ignore[arg-type]
    assert hand.called == ["hang_up", "again", "hang_up"]
    os.close(source)
    os.close(sink)
