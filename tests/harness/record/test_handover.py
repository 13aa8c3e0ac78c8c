"""The ring to the writer: what goes in comes out in order, whole, within a bound, and what does not is counted."""
from __future__ import annotations

import mmap
import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.record import handover as module
from harness.record.handover import (
    CLOSED,
    DATA,
    END,
    ERR,
    EXITED,
    GAP,
    GIVE_BACK,
    IN,
    OUT,
    RESERVED,
    SIGNALLED,
    Giver,
    Taker,
    make_ring,
)

SMALL = 1 << 17
PUT = st.lists(
    st.tuples(st.sampled_from([IN, OUT, ERR]), st.integers(1, 2**63), st.binary(max_size=300)), min_size=1, max_size=20
)


class Ring:
    """Both ends of one ring in one process, and its bell."""

    def __init__(self, size: int = SMALL) -> None:
        self.memory = make_ring(size)
        self.heard, self.bell = os.pipe()
        os.set_blocking(self.bell, False)
        self.giver = Giver(self.memory, self.bell)

    def hang_up(self) -> None:
        if self.bell >= 0:
            os.close(self.bell)
            self.bell = -1

    def rest(self) -> list[tuple[int, int, int, bytes]]:
        """Everything that is in the ring, the tap having ended."""
        self.hang_up()
        found = [record for batch in Taker(self.memory, self.heard).batches() for record in batch]
        os.close(self.heard)
        return found


@given(PUT)
def test_records_come_back_as_they_were(put: list[tuple[int, int, bytes]]) -> None:
    ring = Ring()
    for stream, when_ns, data in put:
        ring.giver.read(stream, when_ns, data)
    assert ring.rest() == [(DATA, *record) for record in put]


@settings(max_examples=60)
@given(st.lists(st.one_of(st.integers(0, 60_000), st.none()), max_size=40), st.integers(1, 3))
def test_the_ring_goes_round_without_losing_or_mixing(sizes: list[int | None], take_ns: int) -> None:
    """A number puts a record of that size where it fits; None takes what is there."""
    ring = Ring(1 << 19)
    taker = Taker(ring.memory, ring.heard)
    put: list[bytes] = []
    found: list[bytes] = []
    for number, size in enumerate(sizes):
        if size is None:
            while (due := memoryview(ring.memory).cast("Q")[0]) != taker._tail:
                found += [body for _, _, _, body in taker._take(due)]
            assert found == put
        elif ring.giver.room() > 2 * size + 2 * RESERVED:
            put.append(bytes([number]) * size)
            ring.giver.read(OUT, take_ns, put[-1])
    assert found + [body for _, _, _, body in ring.rest()] == put


def test_memory_is_given_back_as_it_is_taken() -> None:
    """Whatever went through the ring: what it holds is what waits, and a little."""
    ring = Ring(1 << 24)
    taker = Taker(ring.memory, ring.heard)
    words = memoryview(ring.memory).cast("Q")
    taken = 0
    for number in range(1000):
        for _ in range(number % 4):
            ring.giver.read(OUT, 1, b"x" * 60_000)
        while taker._tail < words[0]:
            taken += sum(len(body) for *_, body in taker._take(words[0]))
        if number % 100 == 99:
            used = sum(ring.memory[at : at + 4096] != bytes(4096) for at in range(4096, len(ring.memory), 4096))
            assert used * 4096 < GIVE_BACK + 65536
    assert taken == 1500 * 60_000


def test_where_memory_cannot_be_given_back_it_is_used_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "REMOVE", None)
    ring = Ring(1 << 19)
    taker = Taker(ring.memory, ring.heard)
    words = memoryview(ring.memory).cast("Q")
    for number in range(100):
        ring.giver.read(OUT, 1, bytes([number]) * 60_000)
        assert [body for *_, body in taker._take(words[0])] == [bytes([number]) * 60_000]
        assert ring.giver.room() == 1 << 19


@settings(max_examples=30)
@given(st.lists(st.integers(0, 60_000), max_size=60))
def test_what_waits_is_never_given_back(sizes: list[int]) -> None:
    """The ring is nearly full all the time, and what comes out is what went in."""
    ring = Ring(1 << 19)
    taker = Taker(ring.memory, ring.heard)
    words = memoryview(ring.memory).cast("Q")
    put: list[bytes] = []
    found: list[bytes] = []
    for number, size in enumerate(sizes):
        while ring.giver.room() < 2 * size + 2 * RESERVED:
            found += [body for *_, body in taker._take(min(words[0], taker._tail + 1))]
        put.append(bytes([number + 1]) * size)
        ring.giver.read(OUT, 1, put[-1])
    assert found == put[: len(found)]
    assert found + [body for *_, body in ring.rest()] == put


@pytest.mark.parametrize("short", [0, 8, 16, 24])
@pytest.mark.parametrize("kind", ["read", "told"])
def test_the_end_of_the_ring_is_no_place_like_others(short: int, kind: str) -> None:
    """A record ends exactly there, or so near that not even the head of another one fits."""
    size = 1 << 20
    ring = Ring(size)
    taker = Taker(ring.memory, ring.heard)
    words = memoryview(ring.memory).cast("Q")
    left = size
    found: list[bytes] = []
    put: list[bytes] = []
    while left > short:
        length = min(60_000, left - short - 16)
        put.append(b"x" * length)
        ring.giver.read(OUT, 1, put[-1])
        left -= (length + 23) & ~7
        while taker._tail < words[0]:
            found += [body for *_, body in taker._take(words[0])]
    for number in range(40):
        put.append(bytes([number]) * 60_000)
        if kind == "read":
            ring.giver.read(OUT, 1, put[-1])
        else:
            put[-1] = put[-1][:100]
            ring.giver.tell(EXITED, OUT, 1, put[-1])
        while taker._tail < words[0]:
            found += [body for *_, body in taker._take(words[0])]
    assert found == put


def test_beyond_its_limit_it_drops_and_says_so_stream_by_stream() -> None:
    ring = Ring(1 << 19)
    taker = Taker(ring.memory, ring.heard)
    for _ in range(8):
        ring.giver.read(OUT, 1, b"k" * 60_000)
    ring.giver.read(IN, 3, b"small, and still behind what was lost")
    assert [kind for kind, *_ in taker._take(memoryview(ring.memory).cast("Q")[0])] == [DATA] * 7
    ring.giver.read(ERR, 5, b"again")
    assert ring.rest() == [(GAP, OUT, 5, b"1 60000"), (GAP, IN, 5, b"1 37"), (DATA, ERR, 5, b"again")]


def test_what_must_be_told_is_told_in_a_full_ring_behind_what_was_lost() -> None:
    ring = Ring()
    while not ring.giver._lost:
        ring.giver.read(OUT, 1, b"x" * 1000)
    ring.giver.tell(CLOSED, OUT, 3)
    ring.giver.tell(EXITED, OUT, 4, b"0")
    ring.giver.tell(END, OUT, 5)
    assert ring.rest()[-4:] == [
        (GAP, OUT, 3, b"1 1000"), (CLOSED, OUT, 3, b""), (EXITED, OUT, 4, b"0"), (END, OUT, 5, b""),
    ]  # fmt: skip


def test_a_storm_of_signals_leaves_room_for_the_end() -> None:
    ring = Ring()
    while not ring.giver._lost:
        ring.giver.read(OUT, 1, b"x" * 1000)
    for _ in range(RESERVED):
        ring.giver.tell(SIGNALLED, IN, 2, b"10")
    ring.giver.tell(EXITED, OUT, 4, b"0")
    found = ring.rest()
    assert found[-1] == (EXITED, OUT, 4, b"0")
    told = sum(kind == SIGNALLED for kind, *_ in found)
    lost = sum(int(body.split()[0]) for kind, stream, _, body in found if kind == GAP and stream == IN)
    assert told + lost == RESERVED


@pytest.mark.parametrize("rings", [1, 3])
def test_the_bell_wakes_a_reader_that_sleeps(rings: int) -> None:
    """Two processes: the writer's end must take every record though it sleeps between them."""
    ring = Ring()
    answers, answer = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(ring.bell)
        for batch in Taker(ring.memory, ring.heard).batches():
            os.write(answer, b"".join(body for *_, body in batch))
        os._exit(0)
    os.close(answer)
    for number in range(rings):
        sleeps(ring.memory)
        ring.giver.read(OUT, 1, b"%d" % number)
        assert os.read(answers, 10) == b"%d" % number
    ring.hang_up()
    assert os.read(answers, 10) == b""
    assert os.waitpid(pid, 0)[1] == 0
    os.close(answers)
    os.close(ring.heard)


def sleeps(memory: mmap.mmap) -> None:
    """Wait until the reader has said that it sleeps."""
    words = memoryview(memory).cast("Q")
    while not words[24]:
        os.sched_yield()


def test_a_bell_that_nobody_hears_harms_nobody() -> None:
    ring = Ring()
    memoryview(ring.memory).cast("Q")[24] = 1
    os.close(ring.heard)
    ring.giver.read(OUT, 1, b"kept for another writer")
    ring.heard = os.open(os.devnull, os.O_RDONLY)
    os.close(ring.heard)
    ring.heard, again = os.pipe()
    os.close(again)
    assert ring.rest() == [(DATA, OUT, 1, b"kept for another writer")]


def test_another_reader_goes_on_behind_what_was_taken() -> None:
    ring = Ring()
    ring.giver.read(OUT, 1, b"first")
    assert Taker(ring.memory, ring.heard)._take(memoryview(ring.memory).cast("Q")[0])
    ring.giver.read(OUT, 2, b"second")
    assert ring.rest() == [(DATA, OUT, 2, b"second")]


def test_a_record_that_the_tap_did_not_finish_is_no_record() -> None:
    ring = Ring()
    ring.giver.read(OUT, 1, b"whole")
    words = memoryview(ring.memory).cast("Q")
    head = words[0]
    ring.giver.read(OUT, 2, b"killed before it was said to be there")
    words[0] = head
    assert ring.rest() == [(DATA, OUT, 1, b"whole")]
