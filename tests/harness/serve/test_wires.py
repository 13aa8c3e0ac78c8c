"""Streams keep where reads ended, and replies find their requests by id and type."""
from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from harness.serve.wires import Stream, Wire

LINES = b'{"id":1,"method":"a"}\n\n{"id":"1","method":"b"}\n{"method":"c"}\nhalf'


@given(st.lists(st.integers(0, len(LINES)), max_size=12))
def test_any_split_gives_the_same_frames_and_the_cuts_say_where_it_was(splits: list[int]) -> None:
    stream = Stream("jsonrpc", ">>")
    ends = sorted({*splits, len(LINES)} - {0})
    got = [pair for start, end in zip([0, *ends], ends, strict=False) for pair in stream.feed(LINES[start:end])]
    got += list(stream.end())
    assert b"".join(frame.raw for frame, _ in got) == LINES
    seen, start = set(), 0
    for frame, cuts in got:
        assert all(0 < cut < len(frame.raw) for cut in cuts)
        seen |= {start + cut for cut in cuts}
        start += len(frame.raw)
    boundaries = {len(LINES[: LINES.index(b"half")])} | {
        sum(len(frame.raw) for frame, _ in got[:n]) for n in range(len(got) + 1)
    }
    assert seen | boundaries >= set(ends)
    assert seen <= set(ends)


def test_replies_are_paired_by_id_and_type_both_ways() -> None:
    wire = Wire("stdio", "jsonrpc", ">>", "<<", ("out", "err"))
    for n, (frame, _) in enumerate(wire.inward.feed(LINES[:-4])):
        wire.came(frame, n)
    replies = [frame for frame, _ in wire.outward["out"].feed(b'{"id":"1","result":1}\n{"id":1,"result":1}\n' * 2)]
    causes = [wire.goes(frame, 9) for frame in replies]
    assert causes == [2, 0, None, None]
    assert [frame.method for frame in replies] == ["b", "a", None, None]


def test_replies_without_ids_are_paired_in_their_order() -> None:
    wire = Wire("stdio", "http", ">>", "<<", ("out",))
    asked = b"POST /a HTTP/1.1\r\nContent-Length: 0\r\n\r\nGET /b?secret HTTP/1.1\r\n\r\n"
    for n, (frame, _) in enumerate(wire.inward.feed(asked)):
        wire.came(frame, n)
    answer = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
    replies = [frame for frame, _ in wire.outward["out"].feed(b"HTTP/1.1 100 Continue\r\n\r\n" + answer * 3)]
    assert wire.asked.method_of(replies[1]) == "POST /a"
    causes = [wire.goes(frame, 9) for frame in replies]
    assert causes == [None, 0, 1, None]
    assert [frame.method for frame in replies] == [None, "POST /a", "GET /b", None]
    assert wire.asked.method_of(replies[3]) is None


def test_stderr_is_lines_whatever_the_dialect() -> None:
    wire = Wire("stdio", "jsonrpc", ">>", "<<", ("out", "err"))
    (frame, _), = wire.outward["err"].feed(b"not json\n")  # fmt: skip
    assert frame.problem is None


def test_bytes_in_the_place_of_a_frame_are_read_in_the_dialect_that_the_machine_reads() -> None:
    wire = Wire("stdio", "jsonrpc", ">>", "<<", ("out",))
    assert list(wire.read_again(b'{"id"')) == []
    assert wire.again_open
    raw = Wire("stdio", "jsonrpc", ">>", "<<", ("out",))
    raw.again = "raw"
    assert [frame.raw for frame, _ in raw.read_again(b'{"id"')] == [b'{"id"']
    assert not raw.again_open
