"""Frames, exchanges and processes of a tape: built from its journal by the wire's codec, never stored in its place.

Everything here takes the events in order and holds no more than what is still open.
"""
from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Literal

from harness.problem import UsageProblem
from harness.tape.event import get_bytes, put_bytes
from harness.tape.header import Header
from harness.tape.problem import TapeProblem
from harness.wire import codec
from harness.wire.frame import Frame

TYPE_CHECKING = False
if TYPE_CHECKING:
    from harness.tape.event import Event
    from harness.wire.frame import Codec
    from harness.wire.jsontext import Json

WAYS: dict[str, Literal[">>", "<<"]] = {"in": ">>", "out": "<<", "err": "<<"}
"""Stream -> the way its bytes go: toward the program, or from it."""


@dataclass(frozen=True, slots=True)
class Process:
    """One process of a tape. began and ended are `t` in milliseconds, ended and status None where it has no end."""

    p: int
    program: str
    argv: tuple[str, ...]
    parent: int | None
    began: float
    ended: float | None = None
    status: int | None = None


@dataclass(frozen=True, slots=True)
class Seen:
    """One frame as the codec of its stream reads it. n: the event that it begins in; offset: in bytes of its stream.

    broken: a gap cut it off, so that it may be whole on the wire and is not on the tape.
    """

    n: int
    t: float
    p: int
    w: str
    s: str
    offset: int
    frame: Frame
    broken: bool = False


@dataclass(frozen=True, slots=True)
class Exchange:
    """A request and its reply; reply None where none came. Silence is data."""

    request: Seen
    reply: Seen | None


@dataclass(slots=True)
class _Stream:
    codec: Codec
    offset: int = 0
    starts: deque[tuple[int, int, float]] = field(default_factory=deque)
    """(offset, n, t) of the events whose bytes are not yet in a frame that was given."""


def processes(events: Iterable[Event]) -> list[Process]:
    """The processes of a tape in the order in which they started."""
    found: dict[int, Process] = {}
    for event in events:
        p: int = event["p"]  # type: ignore[assignment]
        t: float = event["t"]  # type: ignore[assignment]
        if event["e"] == "started":
            argv: list[str] = event["argv"]  # type: ignore[assignment]
            parent: int | None = event.get("parent")  # type: ignore[assignment]
            found[p] = Process(p, str(event["program"]), tuple(argv), parent, t)
        elif event["e"] == "exited" and p in found:
            found[p] = replace(found[p], ended=t, status=event["status"])  # type: ignore[arg-type]
    return list(found.values())


def frames(header: Header, events: Iterable[Event]) -> Iterator[Seen]:
    """Every frame of every stream, in the order in which they became whole.

    A half frame is given where its stream closes, or at the end: the end of a process alone is none of its streams',
    because a child of it may hold them.

    Streams whose program or wire the header does not name are read as `raw`: one event, one frame. Raises TapeProblem
    where the header names a dialect that there is not.
    """
    programs: dict[int, str] = {}
    streams: dict[tuple[int, str, str], _Stream] = {}
    for event in events:
        p: int = event["p"]  # type: ignore[assignment]
        kind = event["e"]
        if kind == "started":
            programs[p] = str(event["program"])
        elif kind == "bytes":
            key = (p, str(event["w"]), str(event["s"]))
            if key not in streams:
                streams[key] = _Stream(_codec(header, programs.get(p, ""), key[1], key[2]))
            yield from _fed(key, streams[key], event)
        elif kind == "closed":
            key = (p, str(event["w"]), str(event["s"]))
            if key in streams:
                yield from _ended(key, streams.pop(key), broken=False)
        elif kind == "gap":
            for key in [key for key in streams if p in (0, key[0])]:
                yield from _ended(key, streams.pop(key), broken=True)
    for key, stream in streams.items():
        yield from _ended(key, stream, broken=False)


def _codec(header: Header, program: str, wire: str, stream: str) -> Codec:
    dialect = header.dialect(program, wire, stream)
    try:
        return codec(dialect, WAYS[stream])
    except UsageProblem as problem:
        seen = f"{problem.seen} for {program} {wire}"
        raise TapeProblem(seen, problem.expected, "correct `wires` in the header") from None


def _fed(key: tuple[int, str, str], stream: _Stream, event: Event) -> Iterator[Seen]:
    data = get_bytes(event)
    stream.starts.append((stream.offset + stream.codec.held, event["n"], event["t"]))  # type: ignore[arg-type]
    for frame in stream.codec.feed(data):
        yield _seen(key, stream, frame, False)


def _ended(key: tuple[int, str, str], stream: _Stream, *, broken: bool) -> Iterator[Seen]:
    for frame in stream.codec.end():
        yield _seen(key, stream, frame, broken)


def _seen(key: tuple[int, str, str], stream: _Stream, frame: Frame, broken: bool) -> Seen:
    """The frame at the stream's offset, which moves behind it."""
    starts = stream.starts
    while len(starts) > 1 and starts[1][0] <= stream.offset:
        starts.popleft()
    offset, (_, n, t) = stream.offset, starts[0]
    stream.offset += len(frame.raw)
    return Seen(n, t, *key, offset, frame, broken)


def exchanges(seen: Iterable[Seen]) -> Iterator[Exchange]:
    """Each request with its reply, as the replies come; at the end those that got none, in the order of asking.

    An id is compared with its type, and belongs to one direction. The oldest of several open requests of one id is
    answered first.
    """
    waiting: dict[tuple[int, str, str, type, str], deque[Seen]] = {}
    for each in seen:
        if each.frame.kind == "request":
            waiting.setdefault(_key(each, each.s), deque()).append(each)
        elif each.frame.kind == "reply":
            asked = waiting.get(_key(each, "out" if each.s == "in" else "in"))
            if asked:
                request = asked.popleft()
                each.frame.method = request.frame.method
                yield Exchange(request, each)
    for request in sorted((each for asked in waiting.values() for each in asked), key=lambda each: each.n):
        yield Exchange(request, None)


def _key(seen: Seen, stream: str) -> tuple[int, str, str, type, str]:
    return seen.p, seen.w, stream, type(seen.frame.id), repr(seen.frame.id)


def joined(events: Iterable[Event]) -> Iterator[Event]:
    """The events with pieces put together: each frame is one `bytes` event, at the place of its last piece.

    A frame that a gap or the end of the tape cuts off is given as far as it came, with `more` still true. `n` stays
    that of the last piece.
    """
    open: dict[tuple[Json, Json, Json], list[Event]] = {}
    for event in events:
        if event["e"] == "gap":
            for key in [key for key in open if event["p"] in (0, key[0])]:
                yield _whole(open.pop(key))
        if event["e"] != "bytes":
            yield event
            continue
        key = (event["p"], event["w"], event["s"])
        if event.get("more"):
            open.setdefault(key, []).append(event)
        elif key in open:
            yield _whole([*open.pop(key), event])
        else:
            yield event
    for pieces in open.values():
        yield _whole(pieces)


def _whole(pieces: list[Event]) -> Event:
    data = b"".join(get_bytes(piece) for piece in pieces)
    last = pieces[-1]
    made = {name: last[name] for name in ("n", "t", "p", "e", "w", "s")} | put_bytes(data)
    if last.get("more"):
        made["more"] = True
    if "cause" in pieces[0]:
        made["cause"] = pieces[0]["cause"]
    return made
