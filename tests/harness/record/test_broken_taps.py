"""A session is the same with a tap as without, and taps that are not transparent are seen by the same comparison."""
from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from tests.harness.record import sessions
from tests.harness.record.sessions import (
    Session,
    events,
    program,
    read_all,
    read_exactly,
    read_line,
    stream,
    tapped_command,
)
from tests.harness.record.simple_tap import simple_tap

PIPE = 65536
MUCH = 4 << 20
SHORT_WAIT_S = 2
"""For taps that are broken, of which some let a client wait for ever."""

Seen = dict[str, object]


def talk(session: Session) -> Seen:
    """Bytes of every kind, a line over 64 KiB, a log, the end of stdin, an exit code."""
    lines = [bytes(range(256)) + b"\r\n", b'"' + b"x" * 100_000 + b'"\n', b"last, without its end"]
    back = []
    for line in lines:
        session.send(line)
        back.append(read_exactly(session.out, len(line)))
    session.close_stdin()
    return {"back": back == lines, "rest": read_all(session.out), "err": read_all(session.err), "s": session.status()}


TALKER = """
import os
os.write(2, b"a log\\n")
while data := os.read(0, 65536):
    while data:
        data = data[os.write(1, data):]
os._exit(7)
"""


def dies(session: Session) -> Seen:
    return {"out": read_all(session.out), "err": read_all(session.err), "status": session.status()}


DIES = "import os, signal\nos.write(1, b'half')\nos.kill(os.getpid(), signal.SIGKILL)"


def signalled(session: Session) -> Seen:
    assert read_line(session.out) == b"up\n"
    session.process.send_signal(signal.SIGTERM)
    return {"out": read_all(session.out), "err": read_all(session.err), "status": session.status()}


SIGNALLED = """
import os, signal
signal.signal(signal.SIGTERM, lambda *_: (os.write(1, b"asked to end\\n"), os._exit(5)))
os.write(1, b"up\\n")
signal.alarm(60)
while True: signal.pause()
"""
"""A broken tap does not tell it to end, and nobody else knows it: so it ends by itself at last."""


def closes_early(session: Session) -> Seen:
    """Its stdout ends while it lives on and reads."""
    out = read_all(session.out)
    session.send(b"12345")
    session.close_stdin()
    return {"out": out, "status": session.status()}


CLOSES_EARLY = "import os\nos.write(1, b'bye')\nos.close(1)\nos._exit(len(os.read(0, 9)))"


def is_held_up(session: Session) -> Seen:
    """A client that reads late holds the program up: what a tap may take ahead is bounded."""
    sent = int(read_line(session.err))
    whole = read_exactly(session.out, sent) == b"y" * sent
    return {"held up": sent <= 3 * PIPE, "whole": whole, "status": session.status()}


HELD_UP = f"""
import os, select
os.set_blocking(1, False)
waiting = select.poll()
waiting.register(1, select.POLLOUT)
sent = 0
while sent < {MUCH} and waiting.poll(20_000 if sent < {PIPE} else 500):
    sent += os.write(1, b'y' * {PIPE})
os.write(2, b'%d\\n' % sent)
"""

SESSIONS: dict[str, tuple[str, Callable[[Session], Seen]]] = {
    "talks": (TALKER, talk),
    "dies": (DIES, dies),
    "is signalled": (SIGNALLED, signalled),
    "closes early": (CLOSES_EARLY, closes_early),
    "is held up": (HELD_UP, is_held_up),
}


@cache
def direct(name: str) -> Seen:
    source, client = SESSIONS[name]
    with Session(program(source)) as session:
        return client(session)


def check_passes_through(name: str, command: list[str], tape: Path) -> None:
    """The session is the same as without a tap, and what passed is on the tape."""
    with Session(command) as session:
        try:
            seen = SESSIONS[name][1](session)
        except subprocess.TimeoutExpired:
            seen = {"status": "it does not end"}
    assert seen == direct(name)
    found = events(tape)
    assert found[-1]["e"] == "exited" or name == "closes early"
    if name == "talks":
        assert len(stream(found, "in")) == len(stream(found, "out")) > 100_000
        assert stream(found, "err") == b"a log\n"


@pytest.mark.claim("HAR-REC-01")
@pytest.mark.parametrize("name", SESSIONS)
def test_with_a_tap_a_session_is_the_same(name: str, tmp_path: Path) -> None:
    tape = tmp_path / "t.jsonl"
    check_passes_through(name, tapped_command(tape, program(SESSIONS[name][0]), "--dialect", "raw"), tape)


@pytest.mark.parametrize("name", SESSIONS)
def test_a_simple_tap_with_nothing_wrong_passes_too(name: str, tmp_path: Path) -> None:
    """So that what is seen of the broken ones is what is broken."""
    tape = tmp_path / "t.jsonl"
    check_passes_through(name, simple_tap("nothing", tape, program(SESSIONS[name][0])), tape)


WRONG = {
    "a byte less": "talks",
    "lines of text": "talks",
    "a tape of half": "talks",
    "a banner": "talks",
    "stderr on stdout": "talks",
    "status 0": "talks",
    "holds ends open": "closes early",
    "a status for a signal": "dies",
    "keeps signals": "is signalled",
    "takes everything": "is held up",
}
"""What is wrong with a tap -> the session in which it is seen."""


@pytest.mark.claim("HAR-REC-01", tooth="a tap that changes bytes, status, signals, stderr, ends, backpressure or tape")
@pytest.mark.parametrize(("wrong", "name"), WRONG.items(), ids=WRONG)
def test_a_tap_that_is_not_transparent_is_seen(
    wrong: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = tmp_path / "real.jsonl"
    check_passes_through(name, tapped_command(real, program(SESSIONS[name][0]), "--dialect", "raw"), real)
    monkeypatch.setattr(sessions, "WAIT_S", SHORT_WAIT_S)
    tape = tmp_path / "broken.jsonl"
    with pytest.raises(AssertionError):
        check_passes_through(name, simple_tap(wrong, tape, program(SESSIONS[name][0])), tape)
    assert os.path.exists(tape), "it was started"
