"""Frames, exchanges and processes: built by the wire's codec, however the journal was cut."""
from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.tape.event import get_bytes, put_bytes
from harness.tape.problem import TapeProblem
from harness.tape.views import Process, exchanges, frames, joined, processes
from harness.wire import codec
from tests.harness.tape.tapes import EXIT, START, call, header, number, reply, sent, session


def shape(events: list[dict[str, Any]], **fields: Any) -> list[tuple[Any, ...]]:
    """(n, p, stream, offset, bytes, broken) of every frame."""
    found = frames(header(**fields), events)
    return [(each.n, each.p, each.s, each.offset, each.frame.raw, each.broken) for each in found]


def test_frames_of_a_session() -> None:
    found = list(frames(header(), session()))
    assert [(each.n, each.s, each.frame.kind, each.frame.method) for each in found] == [
        (1, "in", "request", "ping"), (2, "out", "reply", None), (3, "err", "raw", None),
    ]
    assert [(each.t, each.p, each.w) for each in found] == [(1, 1, "stdio"), (2, 1, "stdio"), (3, 1, "stdio")]


TEXTS = [
    b'{"id":1,"method":"a"}\n', b'{"id":1,"result":"\xc3\xa9"}\n', b"junk\n", b"\xff\n", b'{"id":2,"method":"b"}\n',
]


@given(st.lists(st.sampled_from(TEXTS), max_size=6), st.lists(st.integers(1, 150), max_size=8), st.booleans())
def test_frames_do_not_depend_on_how_the_journal_was_cut(texts: list[bytes], cuts: list[int], half: bool) -> None:
    data = b"".join(texts) + (b'{"half' if half else b"")
    places = sorted({0, len(data), *(cut for cut in cuts if cut < len(data))})
    parts = [data[start:stop] for start, stop in pairwise(places)]
    events = number([START, *({"e": "bytes", "w": "stdio", "s": "out", **put_bytes(part)} for part in parts)])
    found = shape(events)
    known = codec("jsonrpc", "<<")
    assert [raw for *_, raw, _ in found] == [frame.raw for frame in (*known.feed(data), *known.end())]
    assert b"".join(raw for *_, raw, _ in found) == data
    starts = {}
    for event in events[1:]:
        for offset in range(len(get_bytes(event))):
            starts[sum(len(get_bytes(each)) for each in events[1 : event["n"]]) + offset] = event["n"]
    assert all(starts[offset] == n for n, _, _, offset, _, _ in found)


def test_streams_of_two_processes_do_not_mix() -> None:
    events = number([START, {**START, "p": 2}, sent('{"id":1,', "out"), {**sent('{"id":2,', "out"), "p": 2},
                     sent('"result":1}\n', "out"), {**sent('"result":2}\n', "out"), "p": 2}])
    assert shape(events) == [
        (2, 1, "out", 0, b'{"id":1,"result":1}\n', False), (3, 2, "out", 0, b'{"id":2,"result":2}\n', False),
    ]


@pytest.mark.parametrize(
    ("end", "broken"),
    [({"e": "closed", "w": "stdio", "s": "out"}, False), (EXIT, False), ({"e": "gap", "why": "x"}, True),
     ({"e": "gap", "why": "x", "p": 0}, True), (None, False)],
)
def test_a_half_frame_ends_with_its_stream_and_says_why(end: Any, broken: bool) -> None:
    events = number([START, sent('{"id', "out"), *([end] if end else [])])
    assert shape(events) == [(1, 1, "out", 0, b'{"id', broken)]


def test_a_gap_of_another_process_breaks_nothing() -> None:
    events = number([START, sent('{"id":1,', "out"), {"e": "gap", "why": "x", "p": 2}, sent('"result":1}\n', "out")])
    assert shape(events) == [(1, 1, "out", 0, b'{"id":1,"result":1}\n', False)]


def test_what_the_header_does_not_name_is_raw_and_what_nobody_knows_is_a_problem() -> None:
    events = number([START, sent('{"id', "out"), sent("x", "err")])
    assert shape(events, wires={}) == [(1, 1, "out", 0, b'{"id', False), (2, 1, "err", 0, b"x", False)]
    with pytest.raises(TapeProblem, match="the dialect 'morse' for fake stdio"):
        shape(events, wires={"fake": {"stdio": "morse"}})


def pairs(events: list[dict[str, Any]]) -> list[tuple[int, int | None, str | None]]:
    found: list[tuple[int, int | None, str | None]] = []
    for each in exchanges(frames(header(), events)):
        reply = (None, None) if each.reply is None else (each.reply.n, each.reply.frame.method)
        found.append((each.request.n, *reply))
    return found


@pytest.mark.parametrize(
    ("events", "found"),
    [
        ([call(), reply()], [(1, 2, "ping")]),
        ([call(1), call(2), reply(2), reply(1)], [(2, 3, "ping"), (1, 4, "ping")]),
        ([call(), call(), reply(), reply()], [(1, 3, "ping"), (2, 4, "ping")]),
        ([call(), sent('{"id":"1","result":1}\n', "out")], [(1, None, None)]),
        ([call(), sent('{"id":1.0,"result":1}\n', "out")], [(1, None, None)]),
        ([reply()], []),
        ([call(), sent('{"id":1,"method":"ask"}\n', "out"), sent('{"id":1,"result":1}\n', "in"), reply()],
         [(2, 3, "ask"), (1, 4, "ping")]),
        ([call(2), call(1)], [(1, None, None), (2, None, None)]),
    ],
)
def test_exchanges(events: list[dict[str, Any]], found: list[tuple[int, int | None, str | None]]) -> None:
    assert pairs(number([START, *events])) == found


def test_processes_begin_and_end() -> None:
    events = number([START, {**START, "p": 2, "argv": [], "parent": 1}, EXIT, {"e": "exited", "status": 9, "p": 7}])
    assert processes(events) == [
        Process(1, "fake", ("serve",), None, 0, 2, 0), Process(2, "fake", (), 1, 1, None, None),
    ]


def test_pieces_are_put_together() -> None:
    events = number([
        START, sent("a", "out", more=True, cause=0), sent("é", "out", more=True), sent("x", "err"),
        {**sent("c", "out"), "t": 9}, sent("d", "out", more=True), {"e": "gap", "why": "x", "p": 0},
        sent("e", "in", more=True), EXIT, sent("f", "in"), sent("g", "out", more=True),
    ])
    fields = ("n", "e", "b", "more", "cause")
    assert [tuple(event.get(field) for field in fields) for event in joined(events)] == [
        (0, "started", None, None, None), (3, "bytes", "x", None, None), (4, "bytes", "aéc", None, 0),
        (5, "bytes", "d", True, None), (6, "gap", None, None, None), (8, "exited", None, None, None),
        (9, "bytes", "ef", None, None), (10, "bytes", "g", True, None),
    ]
