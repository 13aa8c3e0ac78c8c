"""Writes a tape, append only: the header, then one line an event. Never raises into the session that it records.

Where writing fails (disk full, reader of a pipe too slow) lines wait in a bounded buffer and are tried again with the
next event; what no longer fits is counted, and a gap event says so when writing works again. A line that was written
in part is finished first, so a tape that a writer left behind is torn at most at its very end.
"""
from __future__ import annotations

from harness.tape.event import line, put_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import TypeAlias

    from harness.tape.header import Header
    from harness.wire.jsontext import Json

    Write: TypeAlias = Callable[[bytes], int | None]

PIECE_SIZE = 1 << 20
"""Bytes of a frame in one event; longer frames are written as several events."""
HOLD_SIZE = 8 << 20
"""Bytes of lines that may wait while writing fails."""


def to_descriptor(descriptor: int) -> Write:
    """A function that writes to a file descriptor and gives the number of bytes it took, as `Writer` wants it."""
    import posix

    return lambda data: posix.write(descriptor, data)


class Writer:
    """One tape that is being written.

    write: takes bytes and gives how many it took (None: all); OSError where it could not. batch_size: bytes of lines
    that are collected before a write; 0 writes each event at once; a caller that collects calls `flush` in time.
    n is assigned here. Events are given without n, in the order in which they happened, `t` never falling.
    """

    __slots__ = ("lost_events", "lost_size", "next_n", "failure", "_write", "_batch_size", "_piece_size", "_hold_size",
                 "_lines", "_lost_t")

    def __init__(
        self,
        write: Write,
        header: Header,
        *,
        batch_size: int = 0,
        piece_size: int = PIECE_SIZE,
        hold_size: int = HOLD_SIZE,
    ) -> None:
        self.next_n = 0
        self.lost_events = 0
        """Events lost since writing last failed, and not yet marked by a gap."""
        self.lost_size = 0
        self.failure = ""
        """Why writing fails now; empty where it works."""
        self._write = write
        self._batch_size = batch_size
        self._piece_size = max(4, piece_size)
        self._hold_size = hold_size
        self._lines = bytearray(header.line().encode("ascii") + b"\n")
        self._lost_t: Json = 0
        self.flush()

    def put(self, e: str, *, t: float, p: int, **fields: Json) -> int | None:
        """One event of kind `e`. Gives its n, or None where it was lost and counted."""
        return self._put({"t": t, "p": p, "e": e, **fields}, 0)

    def put_bytes(
        self,
        data: bytes,
        *,
        t: float,
        p: int,
        w: str = "stdio",
        s: str = "out",
        cuts: Sequence[int] = (),
        cause: int | None = None,
        more: bool = False,
    ) -> int | None:
        """One frame (of a raw dialect: one read), in pieces where it is long. Gives the n of the first piece.

        more: the frame goes on in the next call for this stream.
        """
        first: int | None = None
        start = 0
        while True:
            stop = self._piece_end(data, start)
            event: dict[str, Json] = {"t": t, "p": p, "e": "bytes", "w": w, "s": s, **put_bytes(data[start:stop])}
            inside = [cut - start for cut in cuts if start < cut <= stop and (more or cut < len(data))]
            if inside:
                event["cuts"] = inside
            if more or stop < len(data):
                event["more"] = True
            if cause is not None:
                event["cause"] = cause
            n = self._put(event, stop - start)
            if start == 0:
                first = n
            if stop >= len(data):
                return first
            start = stop

    def _piece_end(self, data: bytes, start: int) -> int:
        """Where the piece from `start` ends: not inside a UTF-8 character where that can be helped."""
        stop = start + self._piece_size
        if stop >= len(data):
            return len(data)
        for back in range(4):
            if data[stop - back] & 0xC0 != 0x80:
                return stop - back
        return stop

    def _put(self, event: Mapping[str, Json], size: int) -> int | None:
        if self.lost_events and not self._mark_gap():
            self._lose(event, size)
            return None
        text = line({"n": self.next_n, **event}).encode("ascii") + b"\n"
        if self.failure and len(self._lines) + len(text) > self._hold_size and not self.flush():
            self._lose(event, size)
            return None
        self._lines += text
        self.next_n += 1
        if self.failure or len(self._lines) > self._batch_size:
            self.flush()
        return self.next_n - 1

    def _lose(self, event: Mapping[str, Json], size: int) -> None:
        if not self.lost_events:
            self._lost_t = event["t"]
        self.lost_events += 1
        self.lost_size += size

    def _mark_gap(self) -> bool:
        """Whether there is room again; then a gap event stands for what was lost."""
        why = self.failure
        if not self.flush():
            return False
        gap = {"n": self.next_n, "t": self._lost_t, "p": 0, "e": "gap", "why": f"the tape could not be written: {why}",
               "events": self.lost_events, "size": self.lost_size}
        self._lines += line(gap).encode("ascii") + b"\n"
        self.next_n += 1
        self.lost_events = self.lost_size = 0
        return True

    def flush(self) -> bool:
        """Write what waits. False where it could not be written now; it is kept."""
        while self._lines:
            try:
                took = self._write(bytes(self._lines))
            except OSError as error:
                self.failure = str(error)
                return False
            if took == 0:
                self.failure = "the write took no byte"
                return False
            del self._lines[: len(self._lines) if took is None else took]
        self.failure = ""
        return True

    def close(self) -> bool:
        """Write what waits, and a gap for what was lost. True where nothing was lost or is still waiting at the end."""
        complete = not self.lost_events
        if self.lost_events:
            self._mark_gap()
        return self.flush() and complete
