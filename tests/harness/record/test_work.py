"""The body of the writer process, in this process: what it writes, and how it ends. As a process: test_writer."""
from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest

from harness.problem import Problem
from harness.record.handover import END, EXITED, OUT, STARTED, Giver
from harness.record.options import parse
from harness.record.work import TAP_GONE, WRITER_GONE, tell, work, write
from harness.record.writer import COMPLETE, DEFECT, INCOMPLETE, READY, STARTS, Hand
from tests.harness.record.sessions import events, of_kind, stream


class Stage:
    """A hand whose writer runs here, and both ends of its bell and of what it says."""

    def __init__(self, path: Path, *words: str) -> None:
        self.path = path
        self.hand = Hand(parse([*words, "--", "cat"]), os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600), 0)
        self.hand.starts = 1
        self.heard, self.bell = os.pipe()
        self.answer, self.said = os.pipe()
        self.giver = Giver(self.hand.ring, self.bell)

    def hang_up(self) -> None:
        os.close(self.bell)

    def close(self) -> None:
        for each in (self.heard, self.answer, self.hand.tape):
            os.close(each)


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    made = Stage(tmp_path / "t.jsonl")
    yield made
    made.close()


def test_a_session_in_good_order(stage: Stage) -> None:
    stage.giver.tell(STARTED, OUT, 1)
    stage.giver.read(OUT, 2, b'{"id":1}\n{"id"')
    stage.giver.tell(EXITED, OUT, 3, b"4")
    stage.giver.tell(END, OUT, 4)
    stage.hang_up()
    assert write(stage.hand, stage.heard, stage.said) == COMPLETE
    assert os.read(stage.answer, 99) == READY
    os.close(stage.hand.tape)
    found = events(stage.path)
    stage.hand.tape = os.open(os.devnull, os.O_RDONLY)
    assert [event["e"] for event in found] == ["started", "bytes", "exited", "bytes"]


@pytest.mark.claim("HAR-REC-02")
def test_a_tap_that_did_not_say_good_bye(stage: Stage) -> None:
    stage.giver.read(OUT, 2, b'{"id":1}\n')
    stage.hang_up()
    assert write(stage.hand, stage.heard, stage.said) == COMPLETE
    text = stage.path.read_text().split("\n")
    assert TAP_GONE in text[-2]


@pytest.mark.claim("HAR-REC-02")
@pytest.mark.parametrize("starts", [2, STARTS])
def test_another_writer_goes_on_with_the_tape(stage: Stage, starts: int) -> None:
    stage.giver.read(OUT, 2_000_000, b'{"id":1}\n')
    stage.hang_up()
    write(stage.hand, stage.heard, stage.said)
    os.write(stage.hand.tape, b'{"n":2,"t":torn')
    stage.hand.starts = starts
    for number in (2, 3):
        stage.giver.read(OUT, number, b'{"id":%d}\n' % number)
    stage.giver.tell(END, OUT, 4)
    assert write(stage.hand, stage.heard, -1) == COMPLETE
    os.close(stage.hand.tape)
    found = events(stage.path)
    stage.hand.tape = os.open(os.devnull, os.O_RDONLY)
    assert [event["why"] for event in of_kind(found, "gap")][1] == WRITER_GONE
    assert [event["t"] for event in found] == sorted(event["t"] for event in found)
    assert stream(found, "out") == (b'{"id":1}\n{"id":3}\n' if starts == 2 else b'{"id":1}\n')
    assert sum(event.get("size", 0) for event in of_kind(found, "gap")) == (9 if starts == 2 else 18)


def test_a_tape_that_cannot_be_gone_on_with_is_left(stage: Stage) -> None:
    stage.hand.starts = 2
    stage.hang_up()
    assert write(stage.hand, stage.heard, -1) == INCOMPLETE
    assert stage.path.read_bytes() == b""
    os.close(stage.said)


@pytest.mark.claim("HAR-REC-02")
def test_a_full_disk_is_an_incomplete_tape(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.write
    taken = [0]

    def full(descriptor: int, data: bytes) -> int:
        if descriptor == stage.hand.tape:
            if taken[0]:
                raise OSError(28, "No space left on device")
            taken[0] += 1
        return real(descriptor, data)

    monkeypatch.setattr(os, "write", full)
    stage.giver.read(OUT, 2, b'{"id":1}\n')
    stage.giver.tell(END, OUT, 4)
    stage.hang_up()
    assert write(stage.hand, stage.heard, stage.said) == INCOMPLETE
    monkeypatch.undo()
    assert stage.path.read_bytes().count(b"\n") == 1


class Ended(Exception):
    """Stands for the end of the process in these tests."""


def ended(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The statuses that the process would have ended with."""
    statuses: list[int] = []

    def exit_(status: int) -> NoReturn:
        statuses.append(status)
        raise Ended

    monkeypatch.setattr(os, "_exit", exit_)
    return statuses


def test_a_problem_before_the_first_line_is_told(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    statuses = ended(monkeypatch)
    stage.hand.options = parse(["--redact", "nonsense", "cat"])
    stage.hang_up()
    with pytest.raises(Ended):
        work(stage.hand, stage.heard, stage.said)
    assert statuses == [INCOMPLETE]
    assert os.read(stage.answer, 999).split(b"\0")[0] == b"UsageProblem"
    os.close(stage.said)


@pytest.mark.parametrize("said", [True, False])
def test_a_defect_is_told_or_left_to_the_next_writer(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, said: bool
) -> None:
    statuses = ended(monkeypatch)
    stage.giver.tell(EXITED, OUT, 3, b"no number")
    stage.hang_up()
    if not said:
        os.close(stage.said)
    with pytest.raises(Ended):
        work(stage.hand, stage.heard, stage.said if said else -1)
    assert statuses == [DEFECT]
    assert stage.path.read_bytes()


def test_where_nobody_waits_nothing_is_told() -> None:
    tell(-1, Problem("a", "b", "c"))
    source, sink = os.pipe()
    tell(sink, Problem("a", "b", "c"))
    assert os.read(source, 99) == b"Problem\0a\0b\0c"
    os.close(source)
    os.close(sink)
