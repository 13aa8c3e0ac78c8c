"""Makes events of what the loop noted: decodes each stream by its dialect, redacts, and gives the lines to the tape.

Runs in the writer process only, and is the one place where the bytes of a session become text on a disk. Separate from
the process around it (writer.py) because nothing here waits for anything.

After a gap in a stream the rest of the frame that the gap cut is dropped too, and counted: without its beginning it can
be neither decoded nor redacted. A stream without such marks (native messaging) is not recorded from there on.
"""
from __future__ import annotations

from harness.record.handover import CLOSED, DATA, ERR, EXITED, GAP, IN, NOTE, OUT, SIGNALLED, STARTED, STREAMS
from harness.tape.event import line
from harness.tape.redact import REFUSED
from harness.wire import codec
from harness.wire.lines import LineCodec
from harness.wire.raw import RawCodec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness.tape.redact import Redactor
    from harness.tape.write import Writer
    from harness.wire.frame import Codec, Frame
    from harness.wire.jsontext import Json

P = 1
"""The number of the program in its tape: a tap records one process."""
CUTS_LIMIT = 1 << 16
"""Offsets kept of one frame; a frame that comes in more reads than this keeps the first ones."""
ASKED_LIMIT = 1 << 14
"""Requests that may wait for their reply; the oldest is forgotten beyond it, and its reply has no `cause` then."""


class Stream:
    """One stream: its codec, where reads ended in the frame that is open, and whether it must find its place again."""

    __slots__ = ("codec", "cuts", "open", "lost", "closed")

    def __init__(self, dialect: str, way: str) -> None:
        self.codec: Codec = codec(dialect, way)
        self.cuts: list[int] = []
        self.open = 0
        self.lost = -1
        """Bytes dropped since a gap; -1 where the stream is in its place."""
        self.closed = False

    def feed(self, data: bytes) -> list[tuple[Frame, list[int]]]:
        """(frame, cuts) for each frame that is whole now."""
        found = []
        end = self.open + len(data)
        start = 0
        for frame in self.codec.feed(data):
            start += len(frame.raw)
            found.append((frame, self.cuts))
            self.cuts = []
        self.open = end - start
        if self.open and len(self.cuts) < CUTS_LIMIT:
            self.cuts.append(self.open)
        return found

    def end(self) -> list[tuple[Frame, list[int]]]:
        """The half frame that was open, if any."""
        cuts, self.cuts = self.cuts, []
        size, self.open = self.open, 0
        return [(frame, [cut for cut in cuts if cut < size]) for frame in self.codec.end()]

    def find_place(self, data: bytes) -> bytes | None:
        """What of `data` comes after the frame that a gap cut, None where that goes on. What is dropped is counted."""
        place = data.find(b"\n") + 1 if isinstance(self.codec, LineCodec) else 0
        self.lost += place or len(data)
        return data[place:] if place else None


class Scribe:
    """The events of one session, in the order in which they were noted.

    writer: the tape. redactor: of this tape. program, argv, env: what `started` says. dialect: of in and out; err is
    lines (raw where they are raw). began_ns: the reading of the monotonic clock at t = 0. last_t: of the tape
    that is gone on with.
    """

    def __init__(
        self,
        writer: Writer,
        redactor: Redactor,
        *,
        program: str,
        argv: Sequence[str],
        env: Sequence[str],
        dialect: str,
        began_ns: int,
        last_t: float = 0.0,
    ) -> None:
        self._writer = writer
        self._redactor = redactor
        self._began_ns = began_ns
        self._started: dict[str, Json] = {"program": program, "argv": list(argv), "env": list(env)}
        self._dialects = (dialect, dialect, "raw" if dialect == "raw" else "lines")
        self._streams = [self._fresh(stream) for stream in (IN, OUT, ERR)]
        self._asked: dict[tuple[int, type, Json], int] = {}
        self._unnamed = [0, 0, 0]
        """Requests and replies without an id (http) that each stream has had: the first reply answers the first."""
        self._t = last_t
        self._unseen = -1
        """Bytes that were counted in place of being written; -1 while they are written."""
        self.status: int | None = None

    def take(self, kind: int, stream: int, when_ns: int, body: bytes) -> None:
        """One record of the loop."""
        self._t = max(self._t, round((when_ns - self._began_ns) / 1e6, 3))
        if kind == DATA:
            self._data(stream, body)
        elif kind == STARTED:
            self._put("started", **self._started)
        elif kind == CLOSED:
            self._end(stream)
            self._put("closed", w="stdio", s=STREAMS[stream])
        elif kind == GAP:
            reads, size = body.split()
            self._gap(stream, int(reads), int(size))
        elif kind == SIGNALLED:
            self._put("signalled", number=int(body))
        elif kind == EXITED:
            self.status = int(body)
            self._tell_unseen()
            self._put("exited", status=self.status)
        elif kind == NOTE:
            self._put("note", text=body.decode())

    def gap(self, why: str, **fields: Json) -> None:
        """Events are missing here. fields: events, size, where known."""
        self._put("gap", why=why, **fields)

    def lose_place(self, *, for_good: bool) -> None:
        """What was read so far is unknown here. for_good: nothing is decoded any more, only counted."""
        for state in self._streams:
            state.lost = -1 if isinstance(state.codec, RawCodec) else 0
        if for_good:
            self._unseen = 0

    def end(self) -> None:
        """Nothing comes any more: what is open is written as it stands, and what redaction did."""
        for stream in (IN, OUT, ERR):
            if not self._streams[stream].closed:
                self._end(stream)
        self._tell_unseen()
        if self._redactor.counts:
            self._writer.put("note", t=self._t, p=0, text=self._redactor.closing())  # not redacted: it names the rules

    def _tell_unseen(self) -> None:
        if self._unseen > 0:
            self.gap("one writer after the other ended, so nothing was written any more", size=self._unseen)
            self._unseen = 0

    def last_lines(self, n: int) -> bytes:
        """The end of a tape on a full disk, from event `n` on: the gap, and how the program ended."""
        events = self._writer.next_n + self._writer.lost_events - n
        why = f"the tape could not be written: {self._writer.failure}"
        text = line({"n": n, "t": self._t, "p": 0, "e": "gap", "why": why, "events": events})
        if self.status is not None:
            text += "\n" + line({"n": n + 1, "t": self._t, "p": P, "e": "exited", "status": self.status})
        return text.encode("ascii") + b"\n"

    def _put(self, e: str, **fields: Json) -> None:
        p = 0 if e in ("gap", "note") else P
        event = self._redactor.event({"p": p, "e": e, **fields})
        self._writer.put(e, t=self._t, p=p, **{name: event[name] for name in fields})

    def _fresh(self, stream: int) -> Stream:
        return Stream(self._dialects[stream], ">>" if stream == IN else "<<")

    def _data(self, stream: int, data: bytes) -> None:
        state = self._streams[stream]
        if self._unseen >= 0:
            self._unseen += len(data)
            return
        if state.lost >= 0:
            rest = state.find_place(data)
            if rest is None:
                return
            data = rest
            self._found(stream)
        for frame, cuts in state.feed(data):
            self._frame(stream, frame, cuts)

    def _frame(self, stream: int, frame: Frame, cuts: list[int]) -> None:
        cause = None
        id = self._id_of(stream, frame) if frame.kind in ("request", "reply") else None
        if frame.kind == "reply":
            cause = self._asked.pop((stream, type(id), _key(id)), None)
        name, dialect = STREAMS[stream], self._dialects[stream]
        raw = self._redactor.frame(frame.raw, p=P, s=name, dialect=dialect, more=frame.more)
        if raw is None:
            return self.gap(REFUSED, size=len(frame.raw))
        n = self._writer.put_bytes(raw, t=self._t, p=P, s=name, cuts=cuts, cause=cause, more=frame.more)
        if frame.kind == "request" and n is not None:
            if len(self._asked) >= ASKED_LIMIT:
                del self._asked[next(iter(self._asked))]
            self._asked[OUT if stream == IN else IN, type(id), _key(id)] = n
        return None

    def _id_of(self, stream: int, frame: Frame) -> Json:
        """What pairs a request and its reply; a list for those that are paired by their place."""
        if frame.has_id:
            return frame.id
        self._unnamed[stream] += 1
        return [self._unnamed[stream]]

    def _end(self, stream: int) -> None:
        state = self._streams[stream]
        state.closed = True
        if state.lost >= 0:
            self._found(stream)
        for frame, cuts in state.end():
            self._frame(stream, frame, cuts)

    def _gap(self, stream: int, reads: int, size: int) -> None:
        state = self._streams[stream]
        for frame, cuts in state.end():
            self._frame(stream, frame, cuts)
        self._unnamed[stream] -= ASKED_LIMIT * (stream + 1)  # how many are missing is unknown: none is paired any more
        why = f"{STREAMS[stream]}: the writer was behind by more than the ring holds; {reads} reads are missing"
        self.gap(why, size=size)
        closed, state.lost = state.closed, state.lost
        fresh = self._streams[stream] = self._fresh(stream)
        fresh.closed = closed
        if not isinstance(fresh.codec, RawCodec):
            fresh.lost = max(0, state.lost)

    def _found(self, stream: int) -> None:
        """The stream is in its place again (or at its end): what was dropped on the way is told."""
        state = self._streams[stream]
        if state.lost > 0:
            self.gap(f"{STREAMS[stream]}: the rest of a frame that a gap cut off", size=state.lost)
        state.lost = -1


def _key(id: Json) -> Json:
    return id if isinstance(id, str | int | float | None) else repr(id)
