"""The writer: what it writes reads back strictly, and nothing that the disk does reaches its caller."""
from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.tape.event import get_bytes
from harness.tape.problem import TapeProblem
from harness.tape.read import load, read_stream
from harness.tape.write import Writer, to_descriptor
from tests.harness.tape.tapes import file, header


class Disk:
    """A place to write to that takes `room` bytes, `most` at a time."""

    def __init__(self, room: int = 1 << 40, most: int = 1 << 40) -> None:
        self.data = b""
        self.room = room
        self.most = most
        self.writes = 0

    def write(self, data: bytes) -> int:
        self.writes += 1
        took = min(len(data), self.most, self.room - len(self.data))
        if took <= 0:
            raise OSError(28, "No space left on device")
        self.data += data[:took]
        return took

    def events(self) -> list[dict[str, Any]]:
        return list(read_stream(file(self.data), "disk")[1])


def test_a_tape_on_a_descriptor_reads_back(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT)
    writer = Writer(to_descriptor(descriptor), header())
    assert writer.put("started", t=0, p=1, program="fake", argv=["é\udcff"]) == 0
    assert writer.put_bytes(b"\xff\x00", t=0.5, p=1, s="in", cuts=[1], cause=0) == 1
    assert writer.put_bytes(b"", t=1, p=1) == 2
    assert writer.put("exited", t=1, p=1, status=-9) == 3
    assert writer.close()
    os.close(descriptor)
    head, events = load(str(path))
    assert head.as_json() == header().as_json()
    assert events == [
        {"n": 0, "t": 0, "p": 1, "e": "started", "program": "fake", "argv": ["é\udcff"]},
        {"n": 1, "t": 0.5, "p": 1, "e": "bytes", "w": "stdio", "s": "in", "b64": "/wA=", "cuts": [1], "cause": 0},
        {"n": 2, "t": 1, "p": 1, "e": "bytes", "w": "stdio", "s": "out", "b": ""},
        {"n": 3, "t": 1, "p": 1, "e": "exited", "status": -9},
    ]


def test_the_header_stands_before_any_event_and_each_event_at_once() -> None:
    disk = Disk()
    writer = Writer(disk.write, header())
    assert disk.data == header().line().encode() + b"\n"
    writer.put("note", t=0, p=0, text="x")
    assert len(disk.events()) == 1


def test_a_batch_is_written_when_it_is_full_or_when_told() -> None:
    disk = Disk()
    writer = Writer(disk.write, header(), batch_size=200)
    writer.put("note", t=0, p=0, text="x")
    assert disk.events() == []
    assert writer.flush()
    assert len(disk.events()) == 1
    writer.put("note", t=0, p=0, text="x" * 200)
    assert len(disk.events()) == 2


def test_a_write_that_gives_nothing_back_took_everything() -> None:
    disk = Disk()

    def write(data: bytes) -> None:
        disk.write(data)

    writer = Writer(write, header())
    writer.put("note", t=0, p=0, text="x")
    assert len(disk.events()) == 1


def test_a_header_that_could_not_be_read_is_the_callers_mistake() -> None:
    with pytest.raises(TapeProblem):
        Writer(Disk().write, header(bytes="exact"))


@given(
    st.binary(max_size=60) | st.text(max_size=30).map(str.encode), st.integers(4, 9), st.booleans(),
    st.lists(st.integers(1, 60), unique=True).map(sorted),
)
def test_pieces_of_a_frame_are_the_frame(data: bytes, piece_size: int, more: bool, cuts: list[int]) -> None:
    disk = Disk()
    inside = [cut for cut in cuts if cut < len(data) or (more and cut == len(data))]
    writer = Writer(disk.write, header(), piece_size=piece_size)
    assert writer.put_bytes(data, t=0, p=1, cuts=inside, cause=None, more=more) == 0
    events = disk.events()
    assert b"".join(map(get_bytes, events)) == data
    assert [bool(event.get("more")) for event in events] == [True] * (len(events) - 1) + [more]
    assert all(len(get_bytes(event)) <= piece_size for event in events)
    found, offset = [], 0
    for event in events:
        found += [offset + cut for cut in event.get("cuts", [])]
        offset += len(get_bytes(event))
    assert found == inside


def test_bytes_that_are_no_text_are_cut_anywhere() -> None:
    disk = Disk()
    Writer(disk.write, header(), piece_size=4).put_bytes(b"\x80" * 9, t=0, p=1)
    assert [get_bytes(event) for event in disk.events()] == [b"\x80" * 4, b"\x80" * 4, b"\x80"]


@given(st.text(alphabet="aé\u2028😀", max_size=40), st.integers(4, 9))
def test_pieces_of_text_stay_text(content: str, piece_size: int) -> None:
    disk = Disk()
    Writer(disk.write, header(), piece_size=piece_size).put_bytes(content.encode(), t=0, p=1)
    assert all("b" in event for event in disk.events())


def test_what_a_full_disk_costs_is_marked_by_a_gap() -> None:
    disk = Disk()
    writer = Writer(disk.write, header(), hold_size=0)
    writer.put("note", t=1, p=0, text="kept")
    disk.room = len(disk.data) + 10  # the next line is written in part, and the disk is full
    assert writer.put_bytes(b"abc", t=2, p=1) == 1
    assert writer.put_bytes(b"lost", t=3, p=1) is None
    assert writer.put_bytes(b"too", t=4, p=1) is None
    assert (writer.lost_events, writer.lost_size) == (2, 7)
    assert "No space left" in writer.failure
    disk.room = 1 << 40
    assert writer.put("note", t=5, p=0, text="again") == 3
    assert writer.failure == ""
    assert [(event["n"], event["e"], event["t"]) for event in disk.events()] == [
        (0, "note", 1), (1, "bytes", 2), (2, "gap", 3), (3, "note", 5),
    ]
    gap = disk.events()[2]
    assert (gap["events"], gap["size"], gap["p"]) == (2, 7, 0)
    assert gap["why"] == "the tape could not be written: [Errno 28] No space left on device"


def test_what_can_wait_is_not_lost() -> None:
    disk = Disk()
    writer = Writer(disk.write, header())
    disk.room = len(disk.data)
    assert [writer.put("note", t=0, p=0, text=str(n)) for n in range(50)] == list(range(50))
    disk.room = 1 << 40
    assert writer.flush()
    assert [event["text"] for event in disk.events()] == [str(n) for n in range(50)]


def test_a_header_that_found_no_room_comes_first_when_there_is_some() -> None:
    disk = Disk(room=0)
    writer = Writer(disk.write, header())
    assert writer.failure
    writer.put("note", t=0, p=0, text="x")
    disk.room = 1 << 40
    assert writer.close()
    assert len(disk.events()) == 1


def test_the_end_says_whether_everything_is_on_the_disk() -> None:
    disk = Disk()
    writer = Writer(disk.write, header(), hold_size=0)
    assert writer.close()
    disk.room = len(disk.data)
    writer.put("note", t=0, p=0, text="waits")
    writer.put("note", t=0, p=0, text="lost")
    assert not writer.close()
    disk.room = 1 << 40
    assert not writer.close()
    assert [event["e"] for event in disk.events()] == ["note", "gap"]
    assert writer.close()


def test_a_write_that_takes_nothing_does_not_hang() -> None:
    writer = Writer(lambda data: 0, header())
    assert writer.put("note", t=0, p=0, text="x") == 0
    assert writer.failure == "the write took no byte"
    assert not writer.close()


OPERATIONS = st.lists(
    st.tuples(st.sampled_from(["put", "bytes", "flush", "room"]), st.integers(0, 300)), max_size=40
)


@given(OPERATIONS, st.integers(0, 300), st.integers(1, 50), st.integers(0, 400), st.integers(0, 300))
def test_whatever_the_disk_does_the_tape_is_whole_and_nothing_is_lost_silently(
    operations: list[tuple[str, int]], room: int, most: int, hold_size: int, batch_size: int
) -> None:
    """What is on the disk reads strictly once there is room, and every event is there or counted."""
    disk = Disk(room=room, most=most)
    writer = Writer(disk.write, header(), hold_size=hold_size, batch_size=batch_size, piece_size=64)
    asked = 0
    for name, number in operations:
        if name == "put":
            writer.put("note", t=asked, p=0, text="x" * number)
            asked += 1
        elif name == "bytes":
            before = writer.next_n + writer.lost_events
            writer.put_bytes(b"x" * number, t=asked, p=1)
            asked += 1 + max(0, number - 1) // 64
            assert writer.next_n + writer.lost_events >= before + 1 or writer.next_n
        elif name == "flush":
            writer.flush()
        else:
            disk.room = len(disk.data) + number
        killed, _ = read_stream(file(disk.data + b"x"), "killed", killed="accept") if b"\n" in disk.data else (None, ())
        assert killed is None or killed.as_json() == header().as_json()
    disk.room = 1 << 40
    disk.most = 1 << 40
    writer.close()
    events = disk.events()
    kept = sum(event["e"] != "gap" for event in events)
    missing = sum(event.get("events", 0) for event in events)
    assert kept + missing == asked
    assert [event["t"] for event in events] == sorted(event["t"] for event in events)
