"""What one process of a tape did and what was done to it, read on as it is needed and never further.

Separate from the player, because the probe and the tests read the same. Pieces of a long frame are put together, notes
are left out, and what can't be played (a gap, a line that is no event, another wire) becomes an item that says so: it
ends the replay where it stands, not before.
"""
from __future__ import annotations

from harness.problem import Problem, UsageProblem
from harness.tape.event import get_bytes
from harness.tape.problem import TapeProblem
from harness.tape.read import read
from harness.wire import codec
from harness.wire.frame import Frame

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Literal

    from harness.tape.event import Event
    from harness.tape.header import Header
    from harness.wire.jsontext import Json

    Kind = Literal["frame", "closed", "signalled", "exited", "broken"]

WAYS = {"in": ">>", "out": "<<", "err": "<<"}


class Item:
    """One thing that happened. n: of its event (of a frame in pieces, the last one; `first` is the n of the first one,
    by which a `cause` names the frame); t: milliseconds.

    kind: a frame of `stream`, the end of `stream`, a signal or exit with its `number`, or a `problem`.
    client: whether the client's side caused it. done: whether it has happened in this replay (of the client's).
    asked: of a reply, the item of the request that it answers. id: of a request that has come, the id that it came
    with. cause: n of the event that it answers, where the tape says so.
    """

    number = 0
    problem: Problem | None = None
    done = False
    asked: Item | None = None
    renamed = False
    id: Json = None
    cause: int | None = None
    key: str | bytes | None = None
    """Of the client's: by which the window finds it."""
    _frame: Frame | None = None

    def __init__(
        self, n: int, t: float, kind: Kind, stream: str = "", raw: bytes = b"", number: int = 0, dialect: str = "raw"
    ) -> None:
        self.n = self.first = n
        self.t = t
        self.kind: Kind = kind
        self.stream = stream
        self.raw = raw
        self.client = stream == "in" or kind == "signalled"
        self.dialect = dialect
        if number:
            self.number = number

    @property
    def decoded(self) -> bool:
        """Whether `frame` has been asked for before."""
        return self._frame is not None

    @property
    def frame(self) -> Frame:
        """The frame as its codec reads it; bytes that are not exactly one frame are a raw one."""
        if self._frame is None:
            self._frame = frame_of(self.raw, self.dialect, WAYS[self.stream])
        return self._frame

    def __repr__(self) -> str:
        return f"Item({self.n} {self.kind} {self.stream or self.number} {self.raw[:80]!r})"


def frame_of(raw: bytes, dialect: str, way: str) -> Frame:
    """The one frame in these bytes; where there is not exactly one, a raw frame of all of them."""
    reader = codec(dialect, way)
    frames = reader.feed(raw) + reader.end()
    return frames[0] if len(frames) == 1 else Frame(raw)


def decoded(frame: Frame, dialect: str) -> Frame:
    """A frame of the client as its codec reads it, where it was cut from its stream without being read."""
    unread = frame.kind == "raw" and frame.value is None and frame.problem is None
    return frame_of(frame.raw, dialect, WAYS["in"]) if unread else frame


class Recording:
    """One process of a tape.

    process: its number, or the name of its program; `nth` is then which of that program's. incomplete: whether a tape
    with gaps, or one that was cut off, ends where it does (accept), or breaks the replay there (refuse).
    Raises TapeProblem for a tape that can't be read, UsageProblem for a process that it does not have.
    """

    def __init__(self, path: str, process: int | str = 1, nth: int = 1, *, incomplete: str = "refuse") -> None:
        self.path = path
        self.header: Header
        self.header, events = read(path, killed="accept")
        self._source = events
        self._events: Iterator[Event] = iter(events)
        self._accept = incomplete == "accept"
        self._ready: list[Item] = []
        self._pieces: dict[str, list[bytes]] = {}
        self._first: dict[str, int] = {}
        self._last = (0, 0.0)
        self.p, self.program, self.argv = self._find(process, nth)
        self.dialect = self.header.dialect(self.program, "stdio", "out")
        self._dialects = {stream: self.header.dialect(self.program, "stdio", stream) for stream in WAYS}

    def _find(self, process: int | str, nth: int) -> tuple[int, str, list[str]]:
        seen = []
        for event in self._events:
            if event["e"] != "started":
                continue
            p, program, argv = event["p"], event["program"], event["argv"]
            seen.append(f"{p} {program}")
            nth -= process == program
            if process == p or (process == program and nth == 0):
                self._at(event)
                return p, program, argv  # type: ignore[return-value]
        raise UsageProblem(
            f"no process {process} in {self.path}", f"one of {', '.join(seen) or 'none: the tape started nothing'}",
            "name a process of the tape, by its number or its program",
        )

    def close(self) -> None:
        """Let go of the file; it closes itself at the tape's end."""
        self._source.close()

    def __enter__(self) -> Recording:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __iter__(self) -> Iterator[Item]:
        while (item := self.next()) is not None:
            yield item

    def next(self) -> Item | None:
        """The next item; None at the end."""
        if self._ready:
            return self._ready.pop(0)
        try:
            for event in self._events:
                p = event["p"]
                if p == self.p:
                    item = self._item(event) if event["e"] != "bytes" else self._bytes(event)
                    if item is not None:
                        return item
                elif p == 0 and event["e"] == "gap":
                    return self._gap(event)
        except TapeProblem as problem:
            return self._broken(problem)
        return self._flushed(tuple(self._pieces))

    def _at(self, event: Event) -> tuple[int, float]:
        """(n, t) of an event, which is the last that was read."""
        n: int = event["n"]  # type: ignore[assignment]
        t: float = event["t"]  # type: ignore[assignment]
        self._last = n, t
        return n, t

    def _item(self, event: Event) -> Item | None:
        kind = event["e"]
        n, t = self._at(event)
        if kind == "closed":
            stream = str(event["s"])
            if event["w"] != "stdio":
                return self._other_wire(event)
            return self._flushed((stream,), Item(n, t, "closed", stream))
        if kind == "signalled":
            return Item(n, t, "signalled", number=event["number"])  # type: ignore[arg-type]
        if kind == "exited":
            return self._flushed(tuple(self._pieces), Item(n, t, "exited", number=event["status"]))  # type: ignore[arg-type]
        return self._gap(event) if kind == "gap" else None

    def _bytes(self, event: Event) -> Item | None:
        n, t = self._at(event)
        stream: str = event["s"]  # type: ignore[assignment]
        if event["w"] != "stdio":
            return self._other_wire(event)
        raw = get_bytes(event)
        if event.get("more"):
            self._pieces.setdefault(stream, []).append(raw)
            self._first.setdefault(stream, n)
            return None
        if stream in self._pieces:
            raw = b"".join((*self._pieces.pop(stream), raw))
        item = Item(n, t, "frame", stream, raw, 0, self._dialects[stream])
        if stream in self._first:
            item.first = self._first.pop(stream)
        if "cause" in event:
            item.cause = event["cause"]  # type: ignore[assignment]
        return item

    def _half(self, stream: str) -> Item:
        """A frame whose last piece never came."""
        return Item(*self._last, "frame", stream, b"".join(self._pieces.pop(stream)), 0, self._dialects[stream])

    def _flushed(self, streams: tuple[str, ...], then: Item | None = None) -> Item | None:
        """The frames whose last pieces never came, and then `then`."""
        ended = [stream for stream in streams if stream in self._pieces]
        self._ready += [self._half(stream) for stream in ended]
        if not self._ready:
            return then
        if then is not None:
            self._ready.append(then)
        return self._ready.pop(0)

    def _gap(self, event: Event) -> Item | None:
        self._at(event)
        if self._accept:
            self._source.close()
            self._events = iter(())
            return self._flushed(tuple(self._pieces))
        return self._broken(TapeProblem(
            f"a gap: {event['why']}", "a recording that is whole",
            "record it again, or replay it with --incomplete accept, which ends it at the gap",
            file=self.path, line=self._last[0] + 2,
        ))

    def _other_wire(self, event: Event) -> Item:
        return self._broken(TapeProblem(
            f"the wire {event['w']}", "stdio, the one wire that can be replayed",
            "replay another process of the tape", file=self.path, line=self._last[0] + 2,
        ))

    def _broken(self, problem: Problem) -> Item:
        self._source.close()
        self._events = iter(())
        item = Item(self._last[0], self._last[1], "broken")
        item.problem = problem
        return item
