"""`trailcam replay` as a command: its exit statuses, and the world that a tape does not have."""
from __future__ import annotations

import os
from pathlib import Path

import pytest

from harness.replay.command import NoWorld, run
from tests.harness.replay.drive import Client, alone
from tests.harness.replay.tapes import EOF, OUT_ENDS, err, exited, got, said, tape

HELLO = '{"id":1,"method":"hello"}'
WELCOME = '{"id":1,"result":{}}'


def in_process(words: list[str], data: bytes) -> tuple[int, bytes, bytes]:
    """The command in this process, its three descriptors being pipes."""
    read, write = zip(*(os.pipe() for _ in range(3)), strict=True)
    os.write(write[0], data)
    os.close(write[0])
    before = [os.dup(number) for number in range(3)]
    try:
        for number, descriptor in ((0, read[0]), (1, write[1]), (2, write[2])):
            os.dup2(descriptor, number)
            os.close(descriptor)
        status = run(words)
    finally:
        for number, descriptor in enumerate(before):
            os.dup2(descriptor, number)
            os.close(descriptor)
    found = []
    for descriptor in read[1:]:
        with os.fdopen(descriptor, "rb") as file:
            found.append(file.read())
    return status, found[0], found[1]


def test_a_session(tmp_path: Path) -> None:
    path = tape(tmp_path / "t.jsonl", err("up"), got(HELLO), said(WELCOME), EOF, OUT_ENDS, exited(5))
    data = HELLO.encode() + b"\n"
    assert in_process([path], data) == (5, WELCOME.encode() + b"\n", b"up\n")
    assert in_process([path, "--", "serve"], data)[0] == 5
    status, out, errors = in_process([path, "--", "sing"], data)
    assert (status, out) == (70, b"") and b"saw argument 1: 'sing'; expected 'serve'" in errors


@pytest.mark.parametrize(("words", "status", "words_seen"), [
    (["--help"], 0, "usage: trailcam replay TAPE"),
    (["-h"], 0, "usage: trailcam replay TAPE"),
    ([], 2, "trailcam replay: saw 0 tapes"),
    (["/nowhere.jsonl"], 3, "/nowhere.jsonl: saw FileNotFoundError"),
    (["/nowhere.jsonl", "--seed", "x"], 2, "saw seed 'x'"),
])  # fmt: skip
def test_before_anything_was_played(words: list[str], status: int, words_seen: str) -> None:
    found, out, errors = in_process(words, b"")
    assert found == status
    assert words_seen in (out + errors).decode()
    assert bool(out) == (status == 0)


def test_a_process_that_the_tape_does_not_have(tmp_path: Path) -> None:
    path = tape(tmp_path / "t.jsonl", got(HELLO))
    status, _, errors = in_process([path, "--process", "nobody"], b"")
    assert status == 2 and b"one of 1 fake" in errors


def test_signals_reach_the_player_as_a_process(tmp_path: Path) -> None:
    path = tape(tmp_path / "t.jsonl", got(HELLO), said(WELCOME), EOF, OUT_ENDS, exited())

    async def play(client: Client) -> None:
        await client.send(HELLO)
        await client.lines(1)
        client.process.terminate()
        assert await client.process.wait() == 70

    assert b"saw signal 15; expected event 3: the end of stdin" in alone({"tape": path}, play).err


def test_a_tape_has_no_world() -> None:
    world = NoWorld(None, {})
    world.process_ended(1)
    with pytest.raises(ValueError, match="a tape has no world"):
        world.change("fault:f1", locked=True)
