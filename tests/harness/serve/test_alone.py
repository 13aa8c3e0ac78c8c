"""A stub that is its own stage, as a stranger's client meets it: streams, signals, status, files."""
from __future__ import annotations

import json
import os
import select
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from harness.serve.alone import run
from harness.serve.launch import make_folder, remove_folder
from harness.serve.stage import Stage
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


def loop(data: bytes, program: str = "echo") -> tuple[int, bytes, bytes, Stage]:
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
        stage = Stage({"v": 1}, MACHINES, Counter, clock=time.monotonic)
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
