"""Reads a tape, strictly and in constant memory: the header, then one checked event after the other.

Whatever is not exactly a tape of a known version raises TapeProblem with file, line, what was seen, what was expected
and what to do. An undecodable tape is never an empty one. A tape whose writer was killed ends in the middle of a
line: `killed="refuse"` raises TornTape there, `killed="accept"` gives a gap event in place of the torn line.
"""
from __future__ import annotations

from harness.tape.event import VERSION
from harness.tape.header import header_of
from harness.tape.problem import TapeProblem, TornTape
from harness.tape.schema import event_fault, is_usual, shown
from harness.wire.jsontext import JsonTextError, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO, Literal

    from harness.tape.event import Event
    from harness.tape.header import Header
    from harness.wire.jsontext import Json

    Killed = Literal["refuse", "accept"]
    Encoding = Literal["ascii", "utf-8"]

LINE_LIMIT = 64 << 20
"""Bytes that a line may have, newline excluded. Writers cut frames into pieces long before."""

TORN = "the tape ends in the middle of a line: its writer was killed, or the file was cut"
AGAIN = "restore the file from where it was committed, or record it again"


class Events:
    """The events of a tape, once through. Closes the file at its end, at the first problem, or when told."""

    __slots__ = ("_file", "_events")

    def __init__(self, file: BinaryIO, events: Iterator[Event]) -> None:
        self._file = file
        self._events = events

    def __iter__(self) -> Iterator[Event]:
        try:
            yield from self._events
        finally:
            self._file.close()

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> Events:
        return self

    def __exit__(self, *exception: object) -> None:
        self._file.close()


def read(path: str, *, killed: Killed = "refuse") -> tuple[Header, Events]:
    """The header and events of the tape at `path`. Only the header is read now: later lines raise when they come."""
    try:
        file = open(path, "rb")  # noqa: SIM115 - Events closes it
    except (OSError, ValueError) as error:
        raise _unreadable(error, path, None) from None
    try:
        header, events = read_stream(file, path, killed=killed)
    except BaseException:
        file.close()
        raise
    return header, Events(file, events)


def load(path: str, *, killed: Killed = "refuse") -> tuple[Header, list[Event]]:
    """The whole tape at `path` in memory."""
    header, events = read(path, killed=killed)
    with events:
        return header, list(events)


def read_stream(file: BinaryIO, name: str, *, killed: Killed = "refuse") -> tuple[Header, Iterator[Event]]:
    """The header and events in an open file; `name` stands for it in messages."""
    fields = _first_line(file, name)
    if type(fields) is dict and fields.get("trailcam") == "tape" and _is_older(fields.get("v")):
        from harness.tape.migrate import upgrade  # only an older tape pays for it

        fields, older = upgrade(fields, decoded(file, name, "refuse", encoding="utf-8"), name)
        return header_of(fields, name), checked(older, name)
    return header_of(fields, name), _events(file, name, killed)


def _events(file: BinaryIO, name: str, killed: Killed) -> Iterator[Event]:
    """Every event that follows, checked: a usual line at once, since a player's client waits for it; any other one the
    long way. A torn last line is a gap, or raises."""
    n = 0
    event: Json = None
    last: Event = {}
    while raw := _read_line(file, name, n + 2):
        try:
            event = loads(raw[:-1].decode("ascii"))
        except (UnicodeDecodeError, JsonTextError):
            event = None
        if type(event) is not dict or raw[-1] != 10 or not is_usual(event, n):
            event = _object(raw, name, n + 2) if raw[-1] == 10 else _torn(raw, name, n + 2, last, killed)
            _check(event, name, n + 2, n)
        yield event
        last = event
        n += 1


def _is_older(version: Json) -> bool:
    return type(version) is int and 0 <= version < VERSION


def _first_line(file: BinaryIO, name: str) -> Json:
    raw = _read_line(file, name, 1)
    if not raw:
        raise TapeProblem("an empty file", "a tape's header", AGAIN, file=name)
    if raw[-1] != 10:
        raise TornTape("a first line without its end", "a tape's header", AGAIN, file=name, line=1)
    return _decode(raw, name, 1)


def decoded(
    file: BinaryIO, name: str, killed: Killed, *, before: int = 1, encoding: Encoding = "ascii"
) -> Iterator[tuple[int, Event]]:
    """(line number, object) of every line that follows. A torn last line is a gap, or raises.

    before: lines of the file that were read already. encoding: utf-8 for versions whose lines were not yet ASCII.
    """
    number = before
    last: Event = {}
    while raw := _read_line(file, name, number + 1):
        number += 1
        if raw[-1] != 10:
            yield number, _torn(raw, name, number, last, killed)
            return
        last = _object(raw, name, number, encoding)
        yield number, last


def _object(raw: bytes, name: str, number: int, encoding: Encoding = "ascii") -> Event:
    event = _decode(raw, name, number, encoding)
    if type(event) is not dict:
        raise TapeProblem(shown(event), "an object, one event", AGAIN, file=name, line=number)
    return event


def _read_line(file: BinaryIO, name: str, number: int) -> bytes:
    try:
        raw = file.readline(LINE_LIMIT + 2)
    except OSError as error:
        raise _unreadable(error, name, number) from None
    if len(raw) > LINE_LIMIT + 1:
        raise TapeProblem(f"a line of more than {LINE_LIMIT} bytes", "a shorter line",
                          "record it again: writers cut frames into pieces", file=name, line=number)
    return raw


def _unreadable(error: Exception, name: str, number: int | None) -> TapeProblem:
    return TapeProblem(
        f"{type(error).__name__}: {error}", "a file that can be read", "name a tape", file=name, line=number
    )


def _decode(raw: bytes, name: str, number: int, encoding: Encoding = "ascii") -> Json:
    try:
        return loads(raw[:-1].decode(encoding))
    except UnicodeDecodeError as error:
        seen = f"byte 0x{raw[error.start]:02x} at offset {error.start}"
        raise TapeProblem(seen, encoding.upper(), AGAIN, file=name, line=number) from None
    except JsonTextError as error:
        seen = f"{shown(raw[:-1].decode(encoding))}: {error}"
        raise TapeProblem(seen, "one JSON object", AGAIN, file=name, line=number) from None


def _torn(raw: bytes, name: str, number: int, last: Event, killed: Killed) -> Event:
    if killed != "accept":
        raise TornTape(
            f"a last line of {len(raw)} bytes without its end",
            "a newline",
            "its writer was killed; everything before this line is good: `trailcam tape join TAPE --out TAPE2` writes "
            "it with a marked gap, and `trailcam tape show TAPE` shows it",
            file=name,
            line=number,
        )
    return {"n": last.get("n", -1) + 1, "t": last.get("t", 0), "p": 0, "e": "gap",  # type: ignore[operator]
            "why": TORN, "size": len(raw)}


def checked(lines: Iterator[tuple[int, Event]], name: str) -> Iterator[Event]:
    """The events of (line number, object) pairs, each checked to be event n of a tape."""
    for n, (number, event) in enumerate(lines):
        _check(event, name, number, n)
        yield event


def _check(event: Event, name: str, number: int, n: int) -> None:
    fault = event_fault(event, n)
    if fault is not None:
        raise TapeProblem(*fault, "correct the line after docs/tape-format.md, or record the tape again",
                          file=name, line=number)
