"""A stub that is its own stage, as a stranger's client meets it: streams, signals, status, files."""
from __future__ import annotations

import json
import os
import select
import signal
import subprocess
from collections.abc import Callable, Generator, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from harness.faults.steps import Exit, Send, Step, Unread, Until, Wait
from harness.serve.alone import run
from harness.serve.launch import make_folder, remove_folder
from harness.serve.machine import Given, Silent
from harness.serve.stage import Stage
from harness.wire.frame import Frame
from tests.harness.serve.machines import MACHINES, NAMES, WORLD, Counter


@pytest.fixture
def folder() -> Iterator[Path]:
    made = make_folder(MACHINES, {"v": 1, "seed": 1, "machines": NAMES, "world_factory": WORLD})
    yield made
    remove_folder(made)


def start(folder: Path, name: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [str(folder / name)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0
    )


def answered(process: subprocess.Popen[bytes], method: str, **params: Any) -> None:
    assert process.stdin and process.stdout
    process.stdin.write(json.dumps({"id": 1, "method": method, "params": params}).encode() + b"\n")
    assert select.select([process.stdout], [], [], 20)[0]
    assert b'"id":1' in process.stdout.read(4096)


@pytest.mark.parametrize(("number", "status"), [(signal.SIGTERM, 3), (signal.SIGINT, -2), (signal.SIGKILL, -9)])
def test_signals(folder: Path, number: int, status: int) -> None:
    with start(folder, "echo") as process:
        answered(process, "add", amount=1)
        process.send_signal(number)
        assert process.wait(20) == status


def test_the_exit_status_and_the_books(folder: Path) -> None:
    with start(folder, "echo") as process:
        answered(process, "shout")
        out, err = process.communicate(b'{"id":2,"method":"quit","params":{"status":7}}\n', 20)
        assert (out, err, process.returncode) == (b"", b"loud\n", 7)
    for book in ("journal", "world"):
        path = folder / f"{book}.jsonl"
        assert path.stat().st_mode & 0o777 == 0o600
        assert path.read_bytes().isascii()


@pytest.mark.claim("HAR-REC-02")
def test_a_machine_that_is_killed_leaves_its_books_up_to_the_last_whole_event(folder: Path) -> None:
    with start(folder, "echo") as process:
        answered(process, "add", amount=1)
        process.kill()
        assert process.wait(20) == -9
    events = [json.loads(line) for line in (folder / "journal.jsonl").read_text().splitlines()]
    assert [event["n"] for event in events] == list(range(len(events)))
    assert [event["s"] for event in events if event["e"] == "bytes"][:2] == ["in", "out"]
    assert (folder / "world.jsonl").read_text().endswith("\n")


def test_a_client_that_went_away_does_not_break_the_program(folder: Path) -> None:
    with start(folder, "echo") as process:
        assert process.stdin and process.stdout
        process.stdout.close()
        process.stdin.write(b'{"id":1,"method":"two"}\n')
        process.stdin.close()
        assert process.wait(20) == 0


def loop(data: bytes, program: str = "echo", machines: Any = MACHINES) -> tuple[int, bytes, bytes, Stage]:
    """The same loop in this process: what stands on stdin, and what it wrote."""
    read, write = zip(*(os.pipe() for _ in range(3)), strict=True)
    os.write(write[0], data)
    os.close(write[0])
    before = [os.dup(number) for number in range(3)]
    import time

    try:
        for number, descriptor in ((0, read[0]), (1, write[1]), (2, write[2])):
            os.dup2(descriptor, number)
            os.close(descriptor)
        stage = Stage({"v": 1}, machines, Counter, clock=time.monotonic)
        status = run(stage, program, [])
    finally:
        for number, descriptor in enumerate(before):
            os.dup2(descriptor, number)
            os.close(descriptor)
    out, err = (_all(descriptor) for descriptor in read[1:])
    return status, out, err, stage


def _all(descriptor: int) -> bytes:
    with os.fdopen(descriptor, "rb") as file:
        return file.read()


def test_the_loop_in_process() -> None:
    status, out, err, _ = loop(b'{"id":1,"method":"shout"}\n{"id":2,"method":"slow","params":{"ms":1}}\n')
    assert (status, err, out.count(b"\n")) == (0, b"loud\n", 2)


def test_a_child_in_memory_and_its_end() -> None:
    status, out, _, stage = loop(b'{"id":1,"method":"two"}\n{"method":"hush"}\n{"method":"murder"}\n', "parent")
    assert status == 0
    assert out.count(b"\n") >= 2
    assert [session.program for session in stage.sessions] == ["parent", "echo"]


if TYPE_CHECKING:
    from harness.faults.steps import Handler


class Blocking(Silent):
    """Asks for two lines and a pause from inside of its one step, as a script does that runs on this stack."""

    wires = {"stdio": "lines"}

    def __init__(self, given: Given) -> None:
        super().__init__(given)
        self.lines: list[str] = []
        self.within: Callable[[Generator[Step, Any, Any]], Any]

    def lend(self, within: Callable[[Generator[Step, Any, Any]], Any]) -> None:
        self.within = within

    def started(self, argv: list[str], env: Mapping[str, str]) -> Handler:
        first, second = self.within(self._line()), self.within(self._line())
        self.within(self._pause())
        yield Send(f"{first}+{second}\n".encode())
        yield Exit(4)

    def _line(self) -> Generator[Step, Any, str]:
        while not self.lines:
            yield Until("line")
        return self.lines.pop(0)

    def _pause(self) -> Handler:
        yield Send(b"pause\n")
        yield Wait(2)

    def received(self, wire: str, frame: Frame) -> Handler:
        self.lines.append(str(frame.value))
        self.given.world._record.wake("line")
        yield from ()

    def ended(self, wire: str) -> Handler:
        yield from ()


class Hanging(Silent):
    """Reads one line, and nothing after it; its own end comes later."""

    wires = {"stdio": "lines"}

    def received(self, wire: str, frame: Frame) -> Handler:
        yield Send(frame.raw)
        yield Unread()
        yield Wait(5)
        yield Exit(3)

    def ended(self, wire: str) -> Handler:
        yield Exit(5)


def test_who_reads_nothing_more_does_not_hear_the_end() -> None:
    status, out, _, stage = loop(b"one\n", "hanging", {"hanging": Hanging})
    assert (status, out) == (3, b"one\n")
    assert [event for event in stage.journal if event["e"] == "closed" and event["s"] == "in"] == []


def test_a_machine_that_blocks_is_lent_the_loop() -> None:
    status, out, _, _ = loop(b"one\ntwo\n", "blocking", {"blocking": Blocking})
    assert (status, out) == (4, b"pause\none+two\n")


def test_a_program_that_ends_inside_of_a_step_ends_its_process(monkeypatch: pytest.MonkeyPatch) -> None:
    class Ended(Exception):
        pass

    def end(status: int) -> None:
        raise Ended(status)

    class Stops(Blocking):
        def ended(self, wire: str) -> Handler:
            yield Exit(7)

    monkeypatch.setattr("harness.serve.alone.end", end)
    with pytest.raises(Ended, match="7"):
        loop(b"one\n", "stops", {"stops": Stops})


ENDING = """class World:
    def __init__(self, record, settings):
        self.record = record.record
        self.may_block = record.may_block

    def process_ended(self, p):
        pass

    def close(self):
        self.record("freed", p=0, what="engine" if self.may_block else "nothing", id="one")
"""


def test_a_world_may_block_and_is_closed_with_its_program(tmp_path: Path) -> None:
    (tmp_path / "a_world_that_ends.py").write_text(ENDING, encoding="utf-8")
    sheet = {"v": 1, "machines": NAMES, "world_factory": "a_world_that_ends:World", "wheels": [str(tmp_path)]}
    made = make_folder(["echo"], sheet)
    try:
        assert subprocess.run([made / "echo"], stdin=subprocess.DEVNULL, timeout=20).returncode == 0
        last = (made / "world.jsonl").read_text(encoding="ascii").strip().split("\n")[-1]
        assert '"what":"engine"' in last
    finally:
        remove_folder(made)


def test_wheels_of_a_sheet_can_be_imported(tmp_path: Path) -> None:
    text = "from harness.serve.machine import Silent as Machine\n"
    (tmp_path / "brought_along.py").write_text(text, encoding="utf-8")
    sheet = {"v": 1, "machines": {"one": "brought_along:Machine"}, "world_factory": WORLD, "wheels": [str(tmp_path)]}
    made = make_folder(["one"], sheet)
    try:
        assert subprocess.run([made / "one"], stdin=subprocess.DEVNULL, timeout=20).returncode == 0
    finally:
        remove_folder(made)
