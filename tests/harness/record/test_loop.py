"""Forwarding: every byte, both ways, in any pieces; backpressure and closed ends as with a direct pipe."""
from __future__ import annotations

import os
import select
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from harness.record.loop import waiting_for
from tests.harness.record.sessions import (
    ECHO,
    Session,
    events,
    has_ended,
    of_kind,
    program,
    read_all,
    read_exactly,
    read_line,
    read_some,
    stream,
    tapped,
    wait_for,
)

PIPE = 65536
MIB = 1 << 20


@pytest.mark.claim("HAR-REC-01")
@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.binary(min_size=1, max_size=3000), max_size=8), st.sampled_from(["raw", "jsonrpc", "native"]))
def test_any_bytes_pass_both_ways_in_any_pieces(tmp_path: Path, pieces: list[bytes], dialect: str) -> None:
    tape = tmp_path / f"{os.urandom(8).hex()}.jsonl"
    with tapped(tape, program(ECHO), "--dialect", dialect) as session:
        for piece in pieces:
            session.send(piece)
            assert read_exactly(session.out, len(piece)) == piece
        session.close_stdin()
        assert read_all(session.out) == b""
        assert read_all(session.err) == b""
        assert session.status() == 0
    found = events(tape)
    whole = b"".join(pieces)
    if dialect == "raw" or not of_kind(found, "gap"):
        assert stream(found, "in") == stream(found, "out") == whole
    if dialect == "raw":
        assert [event["e"] for event in found if event.get("s") == "in"] == ["bytes"] * len(pieces) + ["closed"]


@pytest.mark.claim("HAR-REC-01")
def test_stderr_passes_beside_stdout(tmp_path: Path) -> None:
    source = "import os\nfor n in range(50):\n os.write(1, b'out %d\\n' % n)\n os.write(2, b'err %d\\n' % n)"
    with tapped(tmp_path / "t.jsonl", program(source)) as session:
        assert read_all(session.out) == b"".join(b"out %d\n" % n for n in range(50))
        assert read_all(session.err) == b"".join(b"err %d\n" % n for n in range(50))
        assert session.status() == 0
    found = events(tmp_path / "t.jsonl")
    assert stream(found, "out") == b"".join(b"out %d\n" % n for n in range(50))
    assert stream(found, "err") == b"".join(b"err %d\n" % n for n in range(50))


@pytest.mark.claim("HAR-REC-01")
def test_a_frame_of_64_mib_passes_both_ways_in_bounded_memory(tmp_path: Path) -> None:
    size = 64 * MIB
    frame = b'"' + b"x" * (size - 3) + b'"\n'
    with tapped(tmp_path / "t.jsonl", program(ECHO), "--dialect", "ndjson") as session:
        sender = os.fork()
        if sender == 0:
            os.close(session.out)
            session.send(frame)
            os._exit(0)
        session.close_stdin()
        back = bytearray()
        held_kib = []
        while len(back) < size:
            back += read_exactly(session.out, 4 * MIB)
            held_kib.append(status_of(session.pid, "RssAnon"))
        assert back == frame
        assert read_all(session.out) == b""
        assert os.waitpid(sender, 0)[1] == 0
        assert session.status() == 0
    found = events(tmp_path / "t.jsonl")
    assert stream(found, "in") == stream(found, "out") == frame
    assert max(held_kib) < 16 * 1024


def status_of(pid: int, field: str) -> int:
    """A number of /proc/<pid>/status; 0 where the process is gone."""
    try:
        text = Path(f"/proc/{pid}/status").read_text()
    except FileNotFoundError:
        return 0
    return next((int(line.split()[1]) for line in text.split("\n") if line.startswith(f"{field}:")), 0)


NEVER_READS = "import os, signal\nos.write(1, b'up\\n')\nsignal.pause()"
@pytest.mark.claim("HAR-REC-01")
def test_a_program_that_does_not_read_stops_its_client(tmp_path: Path) -> None:
    """Two pipes and one read in between is all that a client can send ahead."""
    with tapped(tmp_path / "t.jsonl", program(NEVER_READS)) as session:
        assert read_line(session.out) == b"up\n"
        os.set_blocking(session.to, False)
        sent = 0
        waiting = select.poll()
        waiting.register(session.to, select.POLLOUT)
        while waiting.poll(500 if sent >= 3 * PIPE else 20_000):
            sent += os.write(session.to, b"z" * PIPE)
        assert 2 * PIPE <= sent <= 3 * PIPE
        assert status_of(session.pid, "VmRSS") < 64 * 1024
        session.process.terminate()
        assert session.status() == -signal.SIGTERM
    assert len(stream(events(tmp_path / "t.jsonl"), "in")) == sent - PIPE


@pytest.mark.claim("HAR-REC-01")
def test_a_client_that_does_not_read_stops_the_program_and_not_the_other_way(tmp_path: Path) -> None:
    source = """
import os, select
os.set_blocking(1, False)
waiting = select.poll()
waiting.register(1, select.POLLOUT)
sent = 0
while waiting.poll(20_000 if sent < 131072 else 500):
    sent += os.write(1, b'y' * 65536)
os.write(2, b'%d\\n' % sent)
while data := os.read(0, 65536):
    os.write(2, data)
"""
    with tapped(tmp_path / "t.jsonl", program(source), "--dialect", "raw") as session:
        sent = int(read_line(session.err))
        assert 2 * PIPE <= sent <= 3 * PIPE
        session.send(b"still heard\n")
        assert read_line(session.err) == b"still heard\n"
        session.close_stdin()
        assert read_exactly(session.out, sent) == b"y" * sent
        assert session.status() == 0


@pytest.mark.claim("HAR-REC-01")
def test_the_end_of_stdin_reaches_the_program_while_stdout_goes_on(tmp_path: Path) -> None:
    source = "import os\nassert os.read(0, 9) == b''\nfor n in range(3):\n os.write(1, b'%d\\n' % n)"
    with tapped(tmp_path / "t.jsonl", program(source)) as session:
        session.close_stdin()
        assert read_all(session.out) == b"0\n1\n2\n"
        assert session.status() == 0
    order = [(event["e"], event.get("s")) for event in events(tmp_path / "t.jsonl")]
    assert order.index(("closed", "in")) < order.index(("bytes", "out"))


@pytest.mark.claim("HAR-REC-01")
@pytest.mark.parametrize(("number", "name"), [(1, "out"), (2, "err")])
def test_a_stream_that_the_program_closes_is_closed_while_it_lives(tmp_path: Path, number: int, name: str) -> None:
    source = f"import os\nos.write({number}, b'bye\\n')\nos.close({number})\nos._exit(len(os.read(0, 9)))"
    with tapped(tmp_path / "t.jsonl", program(source)) as session:
        assert read_all(session.out if number == 1 else session.err) == b"bye\n"
        assert session.process.poll() is None
        session.send(b"1234567")
        assert session.status() == 7
    assert stream(events(tmp_path / "t.jsonl"), name) == b"bye\n"


@pytest.mark.claim("HAR-REC-01")
def test_a_program_that_closes_stdin_breaks_its_clients_pipe(tmp_path: Path) -> None:
    source = "import os\nos.close(0)\nos.write(1, b'closed\\n')\nimport signal\nsignal.pause()"
    with tapped(tmp_path / "t.jsonl", program(source)) as session:
        assert read_line(session.out) == b"closed\n"
        wait_for(session.to, 0)
        with pytest.raises(BrokenPipeError):
            os.write(session.to, b"for nobody")
        session.process.terminate()
        session.status()
    assert of_kind(events(tmp_path / "t.jsonl"), "note") == []


@pytest.mark.claim("HAR-REC-01")
def test_a_client_that_closes_stdout_breaks_the_programs_pipe(tmp_path: Path) -> None:
    """SIGPIPE has its default action in the program, as its client left it."""
    source = "import os\nos.read(0, 1)\nwhile True: os.write(1, b'x' * 4096)"
    direct = "import os, signal\nsignal.signal(signal.SIGPIPE, signal.SIG_DFL)\n" + source
    for name, command in (("default", program(direct)), ("ignored", program(source))):
        tape = tmp_path / f"{name}.jsonl"
        with tapped(tape, command) as session:
            assert session.process.stdout
            session.process.stdout.close()
            session.send(b"go")
            assert session.status() == (-signal.SIGPIPE if name == "default" else 1)
        assert "the client closed its end of out" in of_kind(events(tape), "note")[0]["text"]


@pytest.mark.claim("HAR-REC-01")
def test_nothing_is_said_that_the_program_does_not_say(tmp_path: Path) -> None:
    with tapped(tmp_path / "t.jsonl", program("pass")) as session:
        assert read_all(session.out) + read_all(session.err) == b""
        assert session.status() == 0


@pytest.mark.claim("HAR-REC-01")
@pytest.mark.parametrize("where", ["file", "null"])
def test_files_serve_as_streams_too(tmp_path: Path, where: str) -> None:
    source, sink = tmp_path / "in", tmp_path / "out"
    source.write_bytes(b"a line\n" * 3000)
    with open(source if where == "file" else os.devnull, "rb") as stdin, open(sink, "wb") as stdout, tapped(
        tmp_path / "t.jsonl", program(ECHO), "--dialect", "lines", stdin=stdin, stdout=stdout
    ) as session:
        assert session.status() == 0
    assert sink.read_bytes() == (source.read_bytes() if where == "file" else b"")
    assert stream(events(tmp_path / "t.jsonl"), "out") == sink.read_bytes()


@pytest.mark.claim("HAR-REC-01")
def test_sockets_serve_as_streams_too(tmp_path: Path) -> None:
    """Node gives its children sockets for pipes."""
    import socket

    data = bytes(range(256)) * 8192
    near, far = socket.socketpair()
    with near, tapped(tmp_path / "t.jsonl", program(ECHO), "--dialect", "raw", stdin=far, stdout=far) as session:
        far.close()
        sender = os.fork()
        if sender == 0:
            near.sendall(data)
            near.shutdown(socket.SHUT_WR)
            os._exit(0)
        assert read_exactly(near.fileno(), len(data)) == data
        assert read_all(near.fileno()) == b""
        assert os.waitpid(sender, 0)[1] == 0
        assert session.status() == 0
    assert stream(events(tmp_path / "t.jsonl"), "out") == data


@pytest.mark.claim("HAR-REC-01")
def test_one_pipe_for_stdout_and_stderr_keeps_its_order(tmp_path: Path) -> None:
    import subprocess

    source = "import os\nfor n in range(300):\n os.write(1, b'o%d ' % n)\n os.write(2, b'e%d ' % n)"
    with tapped(tmp_path / "t.jsonl", program(source), "--dialect", "raw", stderr=subprocess.STDOUT) as session:
        expected = b"".join(b"o%d e%d " % (n, n) for n in range(300))
        assert read_all(session.out) == expected
        assert session.status() == 0
    assert stream(events(tmp_path / "t.jsonl"), "out") == expected


def test_where_epoll_takes_no_file_poll_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source, sink = os.pipe()
    assert isinstance(waiting_for([source]), select.epoll)
    with open(tmp_path / "file", "wb") as file:
        assert not isinstance(waiting_for([source, file.fileno()]), select.epoll)
    monkeypatch.delattr(select, "epoll")
    poll = waiting_for([source])
    poll.register(source, select.POLLIN)
    os.write(sink, b"x")
    assert poll.poll() == [(source, select.POLLIN)]
    os.close(source)
    os.close(sink)


@pytest.mark.claim("HAR-REC-01")
def test_many_small_frames_pass_in_constant_memory(tmp_path: Path) -> None:
    frame = b'{"method":"tick","params":{"n":1}}\n'
    source = f"import os\nfor _ in range(20): os.write(1, {frame!r} * 1000)\nos.read(0, 1)"
    sizes = []
    with tapped(tmp_path / "t.jsonl", program(source)) as session:
        for _ in range(20):
            read_exactly(session.out, len(frame) * 1000)
            sizes.append(status_of(session.pid, "RssAnon"))
        session.send(b"x")
        assert session.status() == 0
    assert max(sizes) - sizes[0] < 1024, sizes
    found = events(tmp_path / "t.jsonl")
    assert sum(event["e"] == "bytes" and event["s"] == "out" for event in found) == 20_000


def test_helpers_of_these_tests_see_a_process_end() -> None:
    with Session(program("pass")) as session:
        has_ended(session.pid)
        assert read_some(session.out) == b""
        assert session.status() == 0


@pytest.mark.claim("HAR-REC-01")
def test_what_a_program_did_not_take_is_noted(tmp_path: Path) -> None:
    """It had the pipe full when it closed it: the tap held one read more."""
    source = """
import os
os.write(1, b'up\\n')
os.read(0, 1)
while not os.path.exists('go'): pass
os.close(0)
os.write(1, b'closed\\n')
import signal
signal.pause()
"""
    tape = tmp_path / "t.jsonl"
    with tapped(tape, program(source), "--dialect", "raw", cwd=tmp_path) as session:
        assert read_line(session.out) == b"up\n"
        os.set_blocking(session.to, False)
        waiting = select.poll()
        waiting.register(session.to, select.POLLOUT)
        sent = 0
        while waiting.poll(500 if sent >= 2 * PIPE else 20_000):
            sent += os.write(session.to, b"z" * PIPE)
        (tmp_path / "go").touch()
        assert read_line(session.out) == b"closed\n"
        wait_for(session.to, 0)
        session.process.terminate()
        session.status()
    assert of_kind(events(tape), "note")[0]["text"].startswith("the program closed its end of in; ")
