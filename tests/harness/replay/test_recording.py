"""One process of a tape, item by item."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.problem import UsageProblem
from harness.replay.recording import Recording, frame_of
from harness.tape.problem import TapeProblem
from tests.harness.replay.tapes import EOF, OUT_ENDS, err, exited, gap, got, said, signalled, started, tape


def kinds(path: str, process: int | str = 1, **how: str) -> list[tuple[str, str, bytes, int]]:
    with Recording(path, process, **how) as recording:  # type: ignore[arg-type]
        return [(item.kind, item.stream, item.raw, item.number) for item in recording]


def test_items_in_the_order_of_the_tape(tmp_path: Path) -> None:
    path = tape(
        tmp_path / "t.jsonl",
        {"e": "note", "text": "x"},
        got("a"),
        said("b"),
        err("c"),
        signalled(15),
        EOF,
        OUT_ENDS,
        exited(-15),
    )
    assert kinds(path) == [
        ("frame", "in", b"a\n", 0), ("frame", "out", b"b\n", 0), ("frame", "err", b"c\n", 0),
        ("signalled", "", b"", 15), ("closed", "in", b"", 0), ("closed", "out", b"", 0), ("exited", "", b"", -15),
    ]  # fmt: skip
    with Recording(path) as recording:
        assert [item.client for item in recording] == [True, False, False, True, True, False, False]
        assert recording.next() is None
        assert (recording.p, recording.program, recording.argv, recording.dialect) == (1, "fake", ["serve"], "jsonrpc")


def test_the_right_process(tmp_path: Path) -> None:
    path = tape(
        tmp_path / "t.jsonl",
        started("a", p=1),
        {**said("1"), "p": 1},
        started("b", p=2),
        {**said("2"), "p": 2},
        started("b", p=3),
        {**said("3"), "p": 3},
        {**said("more of 1"), "p": 1},
        start=False,
        wires={"a": {"stdio": "lines"}},
    )
    assert [raw for _, _, raw, _ in kinds(path, 1)] == [b"1\n", b"more of 1\n"]
    assert [raw for _, _, raw, _ in kinds(path, "b")] == [b"2\n"]
    with Recording(path, "b", 2) as recording:
        assert (recording.p, recording.dialect) == (3, "raw")
    for process, nth in ((4, 1), ("b", 3), ("c", 1)):
        with pytest.raises(UsageProblem, match="one of 1 a, 2 b, 3 b"):
            Recording(path, process, nth)


def test_pieces_are_put_together_and_half_frames_are_not_lost(tmp_path: Path) -> None:
    path = tape(
        tmp_path / "t.jsonl",
        said(b"a", more=True),
        got(b"x", more=True),
        said(b"b\n"),
        got(b"y\n", cause=1),
        err(b"open", more=True),
        said(b"half", more=True),
        exited(1),
    )
    assert [(stream, raw) for _, stream, raw, _ in kinds(path)] == [
        ("out", b"ab\n"), ("in", b"xy\n"), ("err", b"open"), ("out", b"half"), ("", b""),
    ]  # fmt: skip
    with Recording(path) as recording:
        assert [(item.n, item.first) for item in recording][:2] == [(3, 1), (4, 2)], "a cause names the first piece"
    cut = tape(tmp_path / "cut.jsonl", said(b"a", more=True))
    assert kinds(cut) == [("frame", "out", b"a", 0)]
    closed = tape(tmp_path / "closed.jsonl", said(b"a", more=True), got(b"b", more=True), OUT_ENDS, got(b"c\n"))
    assert [(kind, raw) for kind, _, raw, _ in kinds(closed)] == [("frame", b"a"), ("closed", b""), ("frame", b"bc\n")]


def test_what_can_not_be_played_is_the_last_item(tmp_path: Path) -> None:
    path = tape(tmp_path / "t.jsonl", said("1"), gap(), said("2"))
    with Recording(path) as recording:
        *_, last = recording
    assert last.kind == "broken" and str(last.problem).startswith(f"{path}:4: saw a gap: the writer was behind")
    assert kinds(path, incomplete="accept") == [("frame", "out", b"1\n", 0)]


def test_gaps_and_events_of_other_processes_are_not_ours(tmp_path: Path) -> None:
    path = tape(
        tmp_path / "t.jsonl", said("1"), gap(p=2), {**said("x"), "p": 2}, {**EOF, "w": "tcp", "p": 2}, said("2")
    )
    assert [raw for _, _, raw, _ in kinds(path)] == [b"1\n", b"2\n"]


def test_http_legs_are_not_the_clients(tmp_path: Path) -> None:
    flow = {"e": "flow", "w": "model", "request": {"method": "GET", "url": "http://127.0.0.1/"}}
    assert kinds(tape(tmp_path / "t.jsonl", said("1"), flow)) == [("frame", "out", b"1\n", 0)]


def test_a_tape_that_can_not_be_read(tmp_path: Path) -> None:
    with pytest.raises(TapeProblem):
        Recording(str(tmp_path / "none.jsonl"))


@pytest.mark.parametrize(("raw", "dialect", "kind"), [
    (b'{"id":1,"method":"m"}\n', "jsonrpc", "request"), (b'{"id":1,"meth', "jsonrpc", "raw"),
    (b"a\nb\n", "lines", "raw"), (b"", "raw", "raw"), (b"abc", "raw", "raw"), (b"\xff\n", "jsonrpc", "raw"),
])  # fmt: skip
def test_bytes_are_one_frame_whatever_they_are(raw: bytes, dialect: str, kind: str) -> None:
    frame = frame_of(raw, dialect, ">>")
    assert (frame.raw, frame.kind) == (raw, kind)


def test_an_item_says_what_it_is(tmp_path: Path) -> None:
    with Recording(tape(tmp_path / "t.jsonl", said("1"))) as recording:
        (item,) = recording
    assert repr(item) == "Item(1 frame out b'1\\n')"
