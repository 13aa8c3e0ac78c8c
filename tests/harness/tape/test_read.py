"""The strict reader: what is a tape, what is not, and that it needs no memory for it."""
from __future__ import annotations

import io
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.tape import read as module
from harness.tape.event import line
from harness.tape.header import Header
from harness.tape.problem import NewerTape, TapeProblem, TornTape
from harness.tape.read import LINE_LIMIT, TORN, load, read, read_stream
from tests.harness.tape.tapes import START, file, header, sent, session, text, write
from tests.teeth import Break, check_tells_apart, replaced

TYPE_CHECKING = False
if TYPE_CHECKING:
    from harness.tape.read import Killed

GOOD = text(session())
LINES = GOOD.split(b"\n")[:-1]


def test_a_tape_comes_back_event_by_event(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl")
    head, events = load(path)
    assert head.as_json() == header().as_json()
    assert events == session()


def test_events_can_be_left_early(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl")
    _, events = read(path)
    with events:
        assert next(iter(events))["e"] == "started"
    _, again = read(path)
    again.close()
    with pytest.raises(ValueError, match="closed file"):
        list(again)


NOTE = b'{"n":7,"t":7,"p":0,"e":"note","text":"x"}'
BAD_LINES: list[tuple[str, bytes, str]] = [
    ("a hole in n", NOTE.replace(b'"n":7', b'"n":8'), "n 8; expected 7"),
    ("a number again", NOTE.replace(b'"n":7', b'"n":6'), "n 6; expected 7"),
    ("an empty line", b"", "no JSON value"),
    ("white space", b"  ", "no JSON value"),
    ("text after it", NOTE + b" x", "text after the value"),
    ("two events", NOTE + NOTE, "text after the value"),
    ("half an event", NOTE[:-3], "Unterminated string"),
    ("no object", b"[]", "saw []; expected an object"),
    ("a lone number", b"7", "saw 7; expected an object"),
    ("not ASCII", NOTE.replace(b"x", "é".encode()), "byte 0xc3 at offset"),
    ("a byte order mark", b"\xef\xbb\xbf" + NOTE, "byte 0xef at offset 0"),
    ("NaN", NOTE.replace(b'"t":7', b'"t":NaN'), "NaN is no JSON number"),
    ("an unknown field", NOTE.replace(b'"e"', b'"x":1,"e"'), "an unknown field 'x'"),
    ("an unknown kind", NOTE.replace(b"note", b"nota"), "an event of kind 'nota'"),
    ("a line separator that is none", NOTE.replace(b"x", b"\x1e"), "Invalid control character"),
]


@pytest.mark.claim("HAR-TAPE-01")
@pytest.mark.parametrize(("what", "bad", "seen"), BAD_LINES)
def test_a_bad_line_is_named_with_file_line_and_way_out(what: str, bad: bytes, seen: str) -> None:
    _, events = read_stream(file(GOOD + bad + b"\n"), "a.jsonl")
    with pytest.raises(TapeProblem) as caught:
        list(events)
    assert seen in str(caught.value), what
    assert (caught.value.file, caught.value.line) == ("a.jsonl", 9)
    assert caught.value.advice


def test_events_before_a_bad_line_are_given() -> None:
    _, events = read_stream(file(GOOD + b"junk\n"), "a")
    assert [next(events) for _ in session()] == session()
    with pytest.raises(TapeProblem):
        next(events)


@pytest.mark.claim("HAR-TAPE-01")
@pytest.mark.parametrize(
    ("data", "kind", "seen"),
    [
        (b"", TapeProblem, "an empty file"),
        (b"\n", TapeProblem, "no JSON value"),
        (b"\x00" * 10 + b"\n", TapeProblem, "no JSON value"),
        (b"{}\n", TapeProblem, "an object with no fields"),
        (b"\x1f\x8b\x08\x00\n", TapeProblem, "byte 0x8b"),
        (GOOD[:50], TornTape, "a first line without its end"),
        (GOOD.replace(b'"v":1', b'"v":2', 1), NewerTape, "a tape of version 2"),
        (GOOD.replace(b'"v":1', b'"v":-1', 1), TapeProblem, "v -1"),
        (GOOD.split(b"\n", 1)[1], TapeProblem, "an object with n, t, p, e, program, argv"),
    ],
)
@pytest.mark.parametrize("killed", ["refuse", "accept"])
def test_what_is_no_tape_is_never_an_empty_one(
    data: bytes, kind: type[TapeProblem], seen: str, killed: Killed
) -> None:
    with pytest.raises(kind, match=seen):
        read_stream(file(data), "a", killed=killed)


def test_a_file_that_is_not_there_is_a_problem_of_the_tape(tmp_path: Path) -> None:
    for path in (str(tmp_path / "none"), str(tmp_path), "a\0b"):
        with pytest.raises(TapeProblem, match="expected a file that can be read"):
            read(path)


class Failing(io.BytesIO):
    """A file whose disk fails after the header."""

    def readline(self, size: int | None = -1, /) -> bytes:
        if self.tell():
            raise OSError(5, "Input/output error")
        return super().readline(size)


def test_a_disk_that_fails_is_a_problem_with_its_line() -> None:
    _, events = read_stream(Failing(GOOD), "a")
    with pytest.raises(TapeProblem, match=r"a:2: saw OSError: \[Errno 5\]"):
        list(events)


@pytest.mark.claim("HAR-REC-02")
def test_a_tape_cut_anywhere_reads_up_to_its_last_whole_line() -> None:
    for cut in range(len(LINES[0]) + 1, len(GOOD)):
        torn = GOOD[:cut]
        whole = session()[: torn.count(b"\n") - 1]
        head, events = read_stream(file(torn), "a", killed="accept")
        found = list(events)
        assert head.as_json() == header().as_json()
        if torn.endswith(b"\n"):
            assert found == whole
            continue
        size = len(torn) - torn.rindex(b"\n") - 1
        t = whole[-1]["t"] if whole else 0
        assert found == [*whole, {"n": len(whole), "t": t, "p": 0, "e": "gap", "why": TORN, "size": size}]
        _, strict = read_stream(file(torn), "a")
        with pytest.raises(TornTape, match="trailcam tape join"):
            list(strict)


UNMARKED: list[Break] = [
    replaced(module, "TORN", "something else"),
    replaced(module, "_torn", lambda raw, name, number, last, killed: {
        "n": last.get("n", -1) + 1, "t": last.get("t", 0), "p": 0, "e": "note", "text": "half a line",
    }),
]


@pytest.mark.claim("HAR-REC-02", tooth="a reader that does not mark half a line")
@pytest.mark.parametrize("broken", UNMARKED, ids=["another mark", "a note"])
def test_a_reader_that_makes_an_event_of_half_a_line_is_seen(broken: Break, tmp_path: Path) -> None:
    check_tells_apart(lambda folder: test_a_tape_cut_anywhere_reads_up_to_its_last_whole_line(), broken, tmp_path)


def test_only_the_last_line_may_be_torn() -> None:
    _, events = read_stream(file(GOOD[:-10] + b"\n" + LINES[-1] + b"\n"), "a", killed="accept")
    with pytest.raises(TapeProblem):
        list(events)


class Endless(io.RawIOBase):
    """A line that does not end."""

    def __init__(self, start: bytes) -> None:
        self.waiting = start

    def readline(self, size: int | None = -1, /) -> bytes:
        assert size is not None
        assert size > 0, "the reader must say how much it takes"
        if self.waiting:
            first, self.waiting = self.waiting, b""
            return first
        return b"x" * size


def test_a_line_that_does_not_end_is_refused_before_it_fills_the_memory() -> None:
    _, events = read_stream(Endless(LINES[0] + b"\n"), "a")  # type: ignore[arg-type]
    with pytest.raises(TapeProblem, match=f"a line of more than {LINE_LIMIT} bytes"):
        list(events)


def generated(count: int) -> Iterator[bytes]:
    yield header().line().encode() + b"\n"
    for n in range(count):
        event = {"n": n, "t": n, "p": 1, **(sent(f'{{"id":{n},"method":"ping"}}\n') if n else START)}
        yield line(event).encode() + b"\n"


class Generated:
    """A file that is made while it is read, so that the test measures the reader alone."""

    def __init__(self, count: int) -> None:
        self.lines = generated(count)

    def readline(self, size: int) -> bytes:
        return next(self.lines, b"")


def peak(count: int) -> int:
    tracemalloc.start()
    try:
        _, events = read_stream(Generated(count), "a")  # type: ignore[arg-type]
        assert sum(1 for _ in events) == count
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_memory_does_not_grow_with_the_tape() -> None:
    """A few kilobytes for a hundred events and for ten thousand; the benchmark reads a million."""
    small = peak(100)
    assert peak(10_000) < small + 20_000


MUTATIONS = st.lists(
    st.tuples(
        st.sampled_from(["flip", "delete", "insert", "repeat", "swap"]),
        st.integers(0, len(GOOD)),
        st.integers(0, 60),
        st.binary(max_size=12)
        | st.sampled_from([b"\n", b'"', b"{", b"\\u", b"\\ud800", b"1e999", b"null", b"[" * 600]),
    ),
    min_size=1, max_size=4,
)


def mutated(data: bytes, changes: list[tuple[str, int, int, bytes]]) -> bytes:
    for how, at, size, new in changes:
        stop = at + size
        data = {
            "flip": data[:at] + new + data[at + len(new) :],
            "delete": data[:at] + data[stop:],
            "insert": data[:at] + new + data[at:],
            "repeat": data[:stop] + data[at:],
            "swap": data[:at] + data[at:stop][::-1] + data[stop:],
        }[how]
    return data


@settings(max_examples=400)
@given(MUTATIONS, st.sampled_from(["refuse", "accept"]))
def test_damage_gives_a_problem_or_a_valid_tape(changes: list[tuple[str, int, int, bytes]], killed: Killed) -> None:
    """Never another exception, and never a tape with holes."""
    damaged = mutated(GOOD, changes)
    outcome = outcome_of(damaged, killed)
    if isinstance(outcome, TapeProblem):
        assert outcome.file == "damaged"
        assert outcome.line is None or 1 <= outcome.line <= damaged.count(b"\n") + 1
        return
    head, found = outcome
    again, events = read_stream(file(text(found, head)), "again")
    assert again.as_json() == head.as_json()
    assert list(events) == found
    assert [event["n"] for event in found] == list(range(len(found)))


def outcome_of(data: bytes, killed: Killed) -> TapeProblem | tuple[Header, list[Any]]:
    try:
        head, events = read_stream(file(data), "damaged", killed=killed)
        return head, list(events)
    except TapeProblem as problem:
        return problem
