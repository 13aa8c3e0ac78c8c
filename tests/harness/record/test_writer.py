"""The writer process as the tap holds it: begun before anything is started, started again where it was killed."""
from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.problem import Problem, UsageProblem
from harness.record.handover import END, EXITED, IN, OUT, STARTED, Giver
from harness.record.options import parse
from harness.record.writer import STARTS, Hand
from tests.harness.record.sessions import events, has_ended, of_kind, stream


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "t.jsonl"


@pytest.fixture
def hand(path: Path) -> Iterator[Hand]:
    tape = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
    made = Hand(parse(["--", "cat", "word"]), tape, 0)
    yield made
    made.hang_up()
    os.close(made.tape)
    if made._process:
        os.waitpid(made._process, 0)


def finish(hand: Hand, path: Path) -> None:
    """The tap is done, in good order."""
    Giver(hand.ring, hand.bell).tell(END, OUT, 5)
    hand.hang_up()
    os.close(hand.tape)
    process = hand._process
    has_ended(process)
    assert hand.gone()
    assert not hand.died
    hand.tape = os.open(path, os.O_RDONLY)


def test_it_has_begun_the_tape_when_it_is_ready(hand: Hand, path: Path) -> None:
    hand.start()
    hand.await_ready()
    assert path.read_bytes().startswith(b'{"trailcam":"tape"')
    assert not hand.gone()
    giver = Giver(hand.ring, hand.bell)
    giver.tell(STARTED, OUT, 1)
    giver.read(IN, 2, b"{}\n")
    giver.tell(EXITED, OUT, 3, b"0")
    finish(hand, path)
    assert [event["e"] for event in events(path)] == ["started", "bytes", "exited"]
    assert events(path)[0]["argv"] == ["word"]


@pytest.mark.parametrize(
    ("words", "kind", "seen"),
    [
        (["--redact", "nonsense", "cat"], UsageProblem, "redaction rule"),
        (["--redact", "env:NOT_THERE_AT_ALL", "cat"], UsageProblem, "NOT_THERE_AT_ALL"),
    ],
)
def test_what_it_finds_wrong_is_raised_in_the_tap(hand: Hand, words: list[str], kind: type[Problem], seen: str) -> None:
    hand.options = parse(words)
    hand.start()
    with pytest.raises(kind, match=seen):
        hand.await_ready()


@pytest.mark.claim("HAR-REC-02")
def test_a_tape_that_takes_no_first_line_is_no_tape(hand: Hand) -> None:
    os.close(hand.tape)
    hand.tape = os.open("/dev/full", os.O_WRONLY)
    hand.start()
    with pytest.raises(Problem, match="No space left") as caught:
        hand.await_ready()
    assert type(caught.value) is Problem
    assert "was not started" in str(caught.value)


def test_a_writer_that_fails_before_it_is_ready_is_said_so(hand: Hand) -> None:
    tape, hand.tape = hand.tape, 99
    hand.start()
    hand.tape = tape
    with pytest.raises(Problem, match="defect of trailcam"):
        hand.await_ready()


def test_one_that_ends_without_a_word_is_said_so(hand: Hand) -> None:
    hand._ready, said = os.pipe()
    os.close(said)
    with pytest.raises(Problem, match="ended at once"):
        hand.await_ready()


@pytest.mark.claim("HAR-REC-02")
def test_it_is_started_again_a_few_times(hand: Hand, path: Path) -> None:
    hand.start()
    hand.await_ready()
    giver = Giver(hand.ring, hand.bell)
    for number in range(1, STARTS):
        os.kill(hand._process, signal.SIGKILL)
        has_ended(hand._process)
        assert hand.gone()
        assert hand.died
        assert hand.starts == number
        giver.bell = hand.again()
        giver.read(OUT, number, b'{"n":%d}\n' % number)
    bell = giver.bell
    assert hand.starts == STARTS
    finish(hand, path)
    assert hand.again() == hand.bell != bell
    found = events(path)
    assert len(of_kind(found, "gap")) >= 1
    assert stream(found, "out") == b""


@pytest.mark.claim("HAR-REC-02")
def test_where_there_is_no_process_to_be_had(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before the session it is said; in the middle of one the session goes on."""

    def refuse() -> int:
        raise OSError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(os, "fork", refuse)
    with pytest.raises(Problem, match="was not started"):
        hand.start()
    assert hand.again() == hand.bell
    assert hand.starts == STARTS
    Giver(hand.ring, hand.bell).read(OUT, 1, b"goes nowhere")
    os.close(hand._ready)


def test_a_fork_of_the_tap_is_not_asked_for_its_writer(hand: Hand) -> None:
    hand.start()
    hand.await_ready()
    process = hand._process
    hand.leave()
    assert not hand.gone()
    hand._process = process


def test_the_writer_is_away_from_the_session(hand: Hand, path: Path) -> None:
    source, sink = os.pipe()
    hand.start()
    hand.await_ready()
    assert os.getsid(hand._process) == hand._process
    open_files = {os.readlink(f"/proc/{hand._process}/fd/{name}") for name in os.listdir(f"/proc/{hand._process}/fd")}
    assert not {os.readlink(f"/proc/self/fd/{number}") for number in (source, sink)} & open_files
    assert str(path) in open_files
    os.close(source)
    os.close(sink)
