"""The file of a tape: how it is opened, how long it waits, how it is gone on with, and how it ends on a full disk."""
from __future__ import annotations

import os
import resource
import signal
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.problem import Problem, UsageProblem
from harness.record import disk
from harness.record.disk import Disk, next_after, open_tape, time_of
from harness.tape.event import line

HEADER = b'{"trailcam":"tape","v":1}\n'


def text_of(count: int, size: int = 40) -> bytes:
    """A tape of so many events, each line of this many bytes at least."""
    note = "x" * size
    lines = [line({"n": n, "t": n / 2, "p": 1, "e": "note", "text": note}) for n in range(count)]
    return HEADER + "".join(f"{each}\n" for each in lines).encode()


def opened(path: Path, text: bytes) -> Disk:
    path.write_bytes(text)
    return Disk(os.open(path, os.O_RDWR | os.O_APPEND), -1)


def test_a_new_tape_is_its_owners_alone(tmp_path: Path) -> None:
    descriptor, path = open_tape(str(tmp_path / "t.jsonl"), "codex")
    assert path == str(tmp_path / "t.jsonl")
    assert stat.S_IMODE(os.fstat(descriptor).st_mode) == 0o600
    assert not os.get_inheritable(descriptor)
    os.close(descriptor)


@pytest.mark.parametrize("make", [Path.touch, lambda path: path.symlink_to("nowhere")], ids=["file", "dangling link"])
def test_no_tape_is_written_over(tmp_path: Path, make: Callable[[Path], None]) -> None:
    path = tmp_path / "t.jsonl"
    make(path)
    with pytest.raises(UsageProblem, match="which exists"):
        open_tape(str(path), "codex")


def test_a_folder_gets_a_new_file_for_each_session_in_the_order_of_names(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "tapes"
    (tmp_path / "new").mkdir()
    names = []
    for name in ("codex", "codex", "osascript", "codex"):
        descriptor, path = open_tape(f"{folder}/", name)
        os.close(descriptor)
        names.append(os.path.relpath(path, folder))
    assert names == ["codex-0001.jsonl", "codex-0002.jsonl", "osascript-0001.jsonl", "codex-0003.jsonl"]
    (folder / "codex-0009.jsonl").touch()
    (folder / "codex-late.jsonl").touch()
    assert open_tape(str(folder), "codex")[1].endswith("codex-0010.jsonl")


def test_two_that_start_at_once_get_two_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "listdir", lambda _: [])
    first = open_tape(str(tmp_path), "codex")[1]
    second = open_tape(str(tmp_path), "codex")[1]
    assert (first[-10:], second[-10:]) == ("0001.jsonl", "0002.jsonl")
    monkeypatch.setattr(disk, "NAMES_TRIED", 2)
    with pytest.raises(UsageProblem):
        open_tape(str(tmp_path), "codex")


@pytest.mark.claim("HAR-REC-02")
@pytest.mark.parametrize(
    ("out", "seen"),
    [("no/such/folder/t.jsonl", "No such file"), ("file/t.jsonl", "Not a directory"), ("unread", "No such device")],
)
def test_a_tape_that_cannot_be_opened_is_said_so(tmp_path: Path, out: str, seen: str) -> None:
    (tmp_path / "file").touch()
    os.mkfifo(tmp_path / "unread")
    with pytest.raises(Problem, match=seen) as caught:
        open_tape(str(tmp_path / out), "codex")
    assert caught.value.exit_code == 3
    assert "was not started" in caught.value.advice


def test_a_slow_reader_is_waited_for_while_there_is_a_tap(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "tape")
    reader = os.open(tmp_path / "tape", os.O_RDONLY | os.O_NONBLOCK)
    descriptor, _ = open_tape(str(tmp_path / "tape"), "codex")
    heard, bell = os.pipe()
    answers, answer = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(bell)
        written = Disk(descriptor, heard)
        while written.write(b"x" * 4096):
            os.write(answer, b".")
    os.close(answer)
    os.close(descriptor)
    for _ in range(16):
        assert os.read(answers, 1) == b"."
    os.set_blocking(answers, False)
    with pytest.raises(BlockingIOError):
        os.read(answers, 1)
    os.set_blocking(answers, True)
    os.read(reader, 8192)
    assert os.read(answers, 1) == b"."
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    for each in (reader, heard, bell, answers):
        os.close(each)


def test_a_reader_that_never_reads_is_not_waited_for_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(tmp_path / "tape")
    reader = os.open(tmp_path / "tape", os.O_RDONLY | os.O_NONBLOCK)
    descriptor, _ = open_tape(str(tmp_path / "tape"), "codex")
    heard, bell = os.pipe()
    os.close(bell)
    written = Disk(descriptor, heard)
    assert not written.is_file
    monkeypatch.setattr(disk, "ORPHAN_MS", 1)
    assert [written.write(b"x" * 4096) for _ in range(16)] == [4096] * 16
    with pytest.raises(BlockingIOError):
        written.write(b"x" * 4096)
    assert written.resume() is None
    assert not written.end_with(lambda n: b"%d\n" % n)
    for each in (reader, descriptor, heard):
        os.close(each)


@pytest.mark.parametrize("torn", [b"", b'{"n":4,"t":9', b'{"n":4,"t":9,"p":1,"e":"note","text":"' + b"y" * 200_000])
@pytest.mark.parametrize(("count", "size"), [(0, 1), (4, 40), (4, 150_000)])
def test_it_goes_on_behind_the_last_whole_line(tmp_path: Path, torn: bytes, count: int, size: int) -> None:
    whole = text_of(count, size)
    written = opened(tmp_path / "t.jsonl", whole + torn)
    assert written.resume() == (count, max(0, (count - 1) / 2))
    assert (tmp_path / "t.jsonl").read_bytes() == whole
    assert written.write(b"a header, which is there already") == 32
    assert written.write(b"new\n") == 4
    assert (tmp_path / "t.jsonl").read_bytes() == whole + b"new\n"
    os.close(written.descriptor)


@pytest.mark.parametrize("text", [b"", b'{"trailcam":"tape"'])
def test_it_does_not_go_on_with_a_tape_without_a_header(tmp_path: Path, text: bytes) -> None:
    written = opened(tmp_path / "t.jsonl", text)
    assert written.resume() is None
    os.close(written.descriptor)


@pytest.mark.parametrize(
    ("text", "n", "t"),
    [(HEADER, 0, 0), (b'{"n":3,"t":2.5}\n', 4, 2.5), (b"[1]\n", 0, 0), (b'{"n":"a","t":"b"}\n', 0, 0)],
)
def test_what_follows_a_line(text: bytes, n: int, t: float) -> None:
    assert next_after(text) == n
    assert time_of(text) == t


@pytest.mark.claim("HAR-REC-02")
@pytest.mark.parametrize("torn", [0, 7, 200])
@pytest.mark.parametrize("last", [30, 100, 500])
def test_on_a_full_disk_the_end_takes_the_place_of_the_last_events(tmp_path: Path, torn: int, last: int) -> None:
    """Run in a fork, since the limit that stands for a full disk holds for a whole process."""
    path = tmp_path / "t.jsonl"
    whole = text_of(10)
    text = whole + b"t" * torn
    pid = os.fork()
    if pid == 0:
        written = opened(path, text)
        before = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (len(text), before[1]))
        told: list[int] = []

        def lines(n: int) -> bytes:
            told.append(n)
            return line({"n": n, "end": "e" * last}).encode() + b"\n"

        done = written.end_with(lines)
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        os._exit(0 if done and told[-1] == min(told) else 1)
    assert os.waitpid(pid, 0)[1] == 0
    found = path.read_bytes().split(b"\n")[:-1]
    assert len(path.read_bytes()) <= len(text)
    assert found[:-1] == whole.split(b"\n")[: len(found) - 1]
    assert next_after(found[-1]) == len(found) - 1
    assert last > 400 or len(found) >= 9


def test_where_even_the_end_does_not_fit_whole_lines_stay(tmp_path: Path) -> None:
    written = opened(tmp_path / "t.jsonl", text_of(1) + b"torn")
    assert not written.end_with(lambda n: b"z" * 5000)
    os.close(written.descriptor)
    assert (tmp_path / "t.jsonl").read_bytes() == text_of(1)


@pytest.mark.parametrize("how", ["refused", "cut short"])
def test_an_end_that_the_disk_refuses_is_taken_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    written = opened(tmp_path / "t.jsonl", text_of(5) + b"torn")
    real = os.write

    def refuse(descriptor: int, data: bytes) -> int:
        if how == "refused":
            raise OSError(28, "No space left on device")
        return real(descriptor, data[:-1])

    monkeypatch.setattr(os, "write", refuse)
    assert not written.end_with(lambda n: b"ab\n")
    monkeypatch.undo()
    os.close(written.descriptor)
    assert (tmp_path / "t.jsonl").read_bytes() == text_of(5)
