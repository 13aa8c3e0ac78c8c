"""How the loop hands over what it noted to the writer process: records in a ring of shared memory, and a bell.

Separate from the loop because it is the only thing that both processes know. The loop copies a record into the ring
and says where the ring ends now. That costs it about as much as a write to a pipe (3 microseconds in a process that
has just woken up), but a pipe is soon full, and then needs a queue behind it and a wait for room. Collecting records
would be cheaper by that much, and needs a wait with a timeout, which alone costs 15. The writer looks every `TICK_MS`;
when there has been nothing it goes to sleep, and the loop then rings the bell, which is a pipe. Whatever stands in the
ring outlives the loop: a tap that is killed loses nothing that it has noted.

The ring never blocks and never grows: what does not fit is counted and dropped, stream by stream, until it is half
empty again, and then the count is handed over in the place of what is missing. It has room for a frame of 64 MiB that
is echoed while the writer decodes; memory is used only for what waits in it.

A record is two words (kind, stream and length; time in nanoseconds on the monotonic clock) and a body, and begins at a
multiple of eight bytes. One process writes, one reads. The reader takes what was said to be there one look earlier: by
then every processor sees the record itself too, whatever order it sees writes in. For the same reason the reader looks
once more, a tick after it said that it sleeps, before it does.
"""
from __future__ import annotations

import mmap
import os
import select
from _struct import Struct

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

    Record: TypeAlias = tuple[int, int, int, bytes]

IN, OUT, ERR = 0, 1, 2
STREAMS = ("in", "out", "err")

STARTED, DATA, CLOSED, GAP, SIGNALLED, EXITED, NOTE, END, SKIP = range(9)
"""Kinds of records. Bodies: nothing; the bytes of one read; nothing; `reads bytes`; a signal's number; a status; text;
nothing; nothing. END says that the tap ended in good order; SKIP that the next record stands at the ring's begin."""

SIZE = 160 << 20
"""A multiple of every page size."""
RESERVED = 1 << 16
"""Bytes of the ring that only what must be told may use: there are few such records in a session."""
TICK_MS = 2
QUIET_TICKS = 3
BATCH = 1 << 20
"""Bytes of records that are given at once."""
REMOVE: int | None = getattr(mmap, "MADV_REMOVE", None)
"""How Linux frees shared memory; elsewhere it stays until the end."""

GIVE_BACK = 1 << 18
"""Bytes that are taken before their memory is given back: each time is a system call of the writer."""

_HEAD, _TAKEN, _FREE, _ASLEEP = 0, 8, 16, 24
_START = mmap.PAGESIZE
"""Words, in a cache line of their own each: bytes ever written, ever taken, ever free again; whether to ring the bell.
The ring itself begins at the next page."""


pack = Struct("=QQ").pack
"""The two words of a record."""


def make_ring(size: int = SIZE) -> mmap.mmap:
    """Shared memory for one ring; size: a multiple of the page size. A fork shares it."""
    return mmap.mmap(-1, _START + size)


class Giver:
    """The loop's end. bell: descriptor to ring with.

    `read` is on the way of every frame, in a process whose code is not in the processor's cache when it wakes up: so it
    does as little as it can, and leaves what is rare to `_put`.
    """

    __slots__ = ("bell", "_memory", "_words", "_size", "_place", "_lap", "_limit", "_lost")

    def __init__(self, memory: mmap.mmap, bell: int) -> None:
        self.bell = bell
        self._memory = memory
        self._words = memoryview(memory).cast("Q")
        self._size = len(memory) - _START
        head = self._words[_HEAD]
        self._place = _START + head % self._size
        """Where in the memory the next record begins."""
        self._lap: int = head - self._place
        """What `_place` counts from."""
        self._limit = 0
        """How far `read` may go before `_put` has to look again."""
        self._lost: dict[int, tuple[int, int]] = {}

    def read(self, stream: int, when_ns: int, data: bytes) -> None:
        """One read of a stream, kept if there is room."""
        place = self._place
        end = place + (len(data) + 23 & ~7)
        if end > self._limit:
            return self._read(stream, when_ns, data)
        self._memory[place : place + 16 + len(data)] = pack(DATA | stream << 8 | len(data) << 16, when_ns) + data
        self._place = end
        self._words[_HEAD] = self._lap + end
        if self._words[_ASLEEP]:
            self._ring()
        return None

    def tell(self, kind: int, stream: int, when_ns: int, body: bytes = b"") -> None:
        """What is told whatever was lost, and behind what was lost: but for signals, of which there may be a storm."""
        if kind == SIGNALLED and self.room() < RESERVED // 2:
            self._lose(stream, 0)
            return
        self._tell_lost(when_ns)
        self._put(kind, stream, when_ns, body, 0)

    def room(self) -> int:
        """Bytes of the ring that are free."""
        return self._size - self._lap - self._place + self._words[_FREE]

    def _read(self, stream: int, when_ns: int, data: bytes) -> None:
        """As `read`, where the end of the ring or of what is free is near, or something was lost."""
        if (self._lost and not self._recovered(when_ns)) or not self._put(DATA, stream, when_ns, data, RESERVED):
            self._lose(stream, len(data))
        self._limit = 0 if self._lost else self._place + min(self._left(), self.room() - RESERVED)

    def _left(self) -> int:
        """Bytes up to the end of the memory."""
        return _START + self._size - self._place

    def _lose(self, stream: int, size: int) -> None:
        records, before = self._lost.get(stream, (0, 0))
        self._lost[stream] = (records + 1, before + size)
        self._limit = 0

    def _recovered(self, when_ns: int) -> bool:
        if self.room() < self._size // 2:
            return False
        self._tell_lost(when_ns)
        return True

    def _tell_lost(self, when_ns: int) -> None:
        lost, self._lost = self._lost, {}
        for stream, (reads, size) in lost.items():
            self._put(GAP, stream, when_ns, b"%d %d" % (reads, size), 0)

    def _put(self, kind: int, stream: int, when_ns: int, body: bytes, reserved: int) -> bool:
        need = len(body) + 23 & ~7
        left = self._left()
        wraps = need > left
        if need + reserved + (left if wraps else 0) > self.room():
            return False
        if wraps:
            if left:
                self._words[self._place >> 3] = SKIP
            self._lap += self._size
            self._place = _START
            self._limit = 0
        place = self._place
        self._memory[place : place + 16 + len(body)] = pack(kind | stream << 8 | len(body) << 16, when_ns) + body
        self._place = place + need
        self._words[_HEAD] = self._lap + self._place
        if self._words[_ASLEEP]:
            self._ring()
        return True

    def _ring(self) -> None:
        self._words[_ASLEEP] = 0
        try:
            os.write(self.bell, b"\0")
        except (BlockingIOError, BrokenPipeError):  # rung often enough; or nobody is there, which is seen elsewhere
            pass


class Taker:
    """The writer's end. bell: descriptor of the other end of the bell, which hangs up when the tap has ended."""

    __slots__ = ("_memory", "_words", "_size", "_tail", "_given", "_bell")

    def __init__(self, memory: mmap.mmap, bell: int) -> None:
        self._memory = memory
        self._words = memoryview(memory).cast("Q")
        self._size = len(memory) - _START
        self._tail: int = self._words[_TAKEN]
        self._given: int = self._words[_FREE]
        self._words[_ASLEEP] = 0
        self._bell = bell

    def batches(self) -> Iterator[list[Record]]:
        """Records as they come, until the tap has ended and all are taken. A batch counts as taken when it is given."""
        words = self._words
        quiet = 0
        ended = False
        due = words[_HEAD]
        while True:
            told = words[_HEAD]
            while self._tail < due:
                yield self._take(due)
            if ended and told == due:
                return
            quiet = 0 if told > due else quiet + 1
            if quiet > QUIET_TICKS:
                self._sleep()
                quiet = 0
            due = told
            if words[_HEAD] - due < BATCH:
                ended = self._hung_up(TICK_MS)

    def _take(self, due: int) -> list[Record]:
        """The next records, up to BATCH bytes."""
        words, tail, found = self._words, self._tail, []
        until = min(due, tail + BATCH)
        while tail < until:
            offset = tail % self._size
            place = _START + offset
            first = words[place >> 3]
            if first == SKIP:
                skipped = self._size - offset
                tail += skipped
                until = min(due, until + skipped)
                continue
            length = first >> 16
            body = self._memory[place + 16 : place + 16 + length]
            found.append((first & 255, first >> 8 & 255, words[(place >> 3) + 1], body))
            tail += (length + 23) & ~7
        self._tail = words[_TAKEN] = tail
        self._give_back(tail if REMOVE is None else tail // mmap.PAGESIZE * mmap.PAGESIZE)
        return found

    def _give_back(self, end: int) -> None:
        """Free the memory of what was taken, up to `end`; only then may the loop write there again."""
        if end - self._given < GIVE_BACK and REMOVE is not None:
            return
        while self._given < end:
            offset = self._given % self._size
            size = min(end - self._given, self._size - offset)
            if REMOVE is not None:
                self._memory.madvise(REMOVE, _START + offset, size)
            self._given += size
        self._words[_FREE] = self._given

    def _hung_up(self, wait_ms: int | None, events: int = 0) -> bool:
        """Wait for the tap to end, or for these events on the bell, or so long; whether it has ended."""
        waiting = select.poll()
        waiting.register(self._bell, events)
        return any(seen & select.POLLHUP for _, seen in waiting.poll(wait_ms))

    def _sleep(self) -> None:
        """Until the bell rings."""
        words = self._words
        words[_ASLEEP] = 1
        if not self._hung_up(TICK_MS) and words[_HEAD] == self._tail:
            self._hung_up(None, select.POLLIN)
            os.read(self._bell, 4096)
        words[_ASLEEP] = 0
