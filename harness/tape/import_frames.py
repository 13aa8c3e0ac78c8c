"""Makes a tape of a frame log: lines `{dir, ts, frame}`, seconds from the start, frames parsed (version 0).

The bytes are made again from the parsed frames: compact JSON, keys in the order of the log, non-ASCII raw, a newline.
So the tape says `bytes: reconstructed`. Placeholders in the log (`<UUID-1>`, `<ROOT>`, `<30000000 x>`) stay literally.
What the log says and a tape has no field for becomes a note. `DIRECTIONS` has one row for each `dir`.

Two kinds of log are known. In the one, a client drives one program: c2s, s2c, stderr, note, eof, exit. In the other,
a helper program wrote down its own side, several processes in one log: boot, c2m, m2c, sigterm, eof, with `pid`.
"""
from __future__ import annotations

import hashlib

from harness.tape.event import put_bytes
from harness.tape.header import Header, header_of
from harness.tape.problem import TapeProblem
from harness.tape.read import checked, decoded
from harness.tape.schema import is_count, is_instant, shown
from harness.wire.jsontext import dumps, encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any, TypeAlias

    from harness.tape.event import Event
    from harness.wire.jsontext import Json

    Fields: TypeAlias = dict[str, Json]

LOG_HEADER: dict[str, tuple[type | tuple[type, ...], str]] = {
    "origin": (dict, "as in a tape"),
    "program": (str, "name of the program in the tape"),
    "argv": (list, "its arguments, where the log has none"),
    "dialect": (str, "dialect of its stdio"),
    "profile": ((str, type(None)), "as in a tape"),
    "hashes": (dict, "as in a tape"),
    "date": ((str, type(None)), "as in a tape"),
}
"""Fields of the header of version 0, beside `trailcam` and `v`."""

RIG_SIGNAL = "signal "
"""A note of the log that begins so says that the client's side sent the program that signal."""


def log_header(
    origin: Mapping[str, Json],
    *,
    program: str,
    dialect: str,
    argv: list[str] | None = None,
    profile: str | None = None,
    hashes: Mapping[str, str] | None = None,
    date: str | None = None,
) -> Fields:
    """The header of version 0 that a log gets when it is imported."""
    return {
        "trailcam": "tape", "v": 0, "origin": dict(origin), "program": program, "argv": list(argv or []),
        "dialect": dialect, "profile": profile, "hashes": dict(hashes or {}), "date": date,
    }


def import_log(path: str, fields: Mapping[str, Json]) -> tuple[Header, Iterator[Event]]:
    """Header and events of the tape that the frame log at `path` makes under `fields` (of `log_header`).

    The SHA-256 of the log's text goes into the header as hash `source`. Raises TapeProblem with file and line.
    """
    try:
        with open(path, "rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        lines = _log_lines(path)
        first = next(lines, None)
    except OSError as error:
        raise TapeProblem(f"{type(error).__name__}: {error}", "a frame log", "name a file of {dir, ts, frame} lines",
                          file=path) from None
    if first is None:
        raise TapeProblem("an empty file", "a frame log", "name a file of {dir, ts, frame} lines", file=path)
    hashes = fields["hashes"]
    assert isinstance(hashes, dict)
    header, events = from_frames({**fields, "hashes": {**hashes, "source": digest}}, _chain(first, lines), path)
    return header_of(header, path), checked(events, path)


def _log_lines(path: str) -> Iterator[tuple[int, Event]]:
    with open(path, "rb") as file:
        yield from decoded(file, path, "refuse", before=0, encoding="utf-8")


def _chain(first: tuple[int, Event], rest: Iterator[tuple[int, Event]]) -> Iterator[tuple[int, Event]]:
    yield first
    yield from rest


def from_frames(
    fields: Mapping[str, Json], lines: Iterator[tuple[int, Event]], name: str
) -> tuple[Fields, Iterator[tuple[int, Event]]]:
    """The step from version 0 to version 1."""
    for field, (kind, meaning) in LOG_HEADER.items():
        if not isinstance(fields.get(field), kind):
            raise TapeProblem(f"{field} {shown(fields.get(field))} in a header of version 0", f"{field}: {meaning}",
                              "make the tape with `trailcam tape import`", file=name, line=1)
    program = str(fields["program"])
    origin: Any = fields["origin"]
    header = Header(
        origin, bytes="reconstructed", clock={"kind": "reconstructed"}, profile=fields["profile"],  # type: ignore[arg-type]
        wires={program: {"stdio": str(fields["dialect"])}}, hashes=fields["hashes"],  # type: ignore[arg-type]
        date=fields["date"],  # type: ignore[arg-type]
    )
    return header.as_json(), _Log(program, fields["argv"], name).events(lines)


class _Log:
    """The events of one log. Processes are numbered in the order in which they begin."""

    def __init__(self, program: str, argv: Json, name: str) -> None:
        self.program = program
        self.argv = argv
        self.name = name
        self.processes: dict[str, int] = {}

    def events(self, lines: Iterator[tuple[int, Event]]) -> Iterator[tuple[int, Event]]:
        n = 0
        for number, entry in lines:
            for fields in self._entry(number, entry):
                yield number, {"n": n, **fields}
                n += 1

    def _entry(self, number: int, entry: Event) -> list[Fields]:
        direction, instant = entry.get("dir"), entry.get("ts")
        row = DIRECTIONS.get(direction) if isinstance(direction, str) else None
        if row is None or "frame" not in entry or set(entry) - FIELDS:
            expected = f"{', '.join(sorted(FIELDS))} and no more; dir one of {', '.join(DIRECTIONS)}"
            raise self._problem(number, shown(entry), expected)
        if not is_instant(instant):
            raise self._problem(number, f"ts {shown(instant)}", "seconds since the log began")
        begun, p = self._process(number, entry)
        try:
            made = [*begun, *row(entry)]
        except ValueError as error:
            seen = f"frame {shown(entry['frame'])} in a {direction} line"
            raise self._problem(number, seen, str(error)) from None
        at: Fields = {"t": round(float(instant) * 1000, 3), "p": p}  # type: ignore[arg-type]
        return [{**at, "e": fields["e"], **self._program(fields), **fields} for fields in made]

    def _program(self, fields: Fields) -> Fields:
        return {"program": self.program} if fields["e"] == "started" else {}

    def _process(self, number: int, entry: Event) -> tuple[list[Fields], int]:
        """The event that begins a process of a log without boot lines; and the number of this line's process."""
        pid = str(entry.get("pid", ""))
        known = self.processes.get(pid)
        boots = entry["dir"] == "boot"
        if known is not None and not boots:
            return [], known
        if known is not None or (not boots and (pid or self.processes)):
            seen = "a second boot" if boots else "a line before the boot"
            seen += f" of {pid or 'a process without pid'}"
            raise self._problem(number, seen, "one boot line first for each pid")
        self.processes[pid] = len(self.processes) + 1
        return [] if boots else [{"e": "started", "argv": self.argv}], self.processes[pid]

    def _problem(self, number: int, seen: str, expected: str) -> TapeProblem:
        return TapeProblem(seen, expected, "correct the log, or leave the line out", file=self.name, line=number)


FIELDS = {"dir", "ts", "pid", "frame", "raw_bytes"}


def _note(text: str) -> Fields:
    return {"e": "note", "text": text}


def _bytes(stream: str, data: bytes) -> Fields:
    return {"e": "bytes", "w": "stdio", "s": stream, **put_bytes(data)}


def _sent(stream: str) -> Callable[[Event], list[Fields]]:
    """A parsed frame, text as it was written (`__raw__`: one event a line), or the end of the stream (`__eof__`)."""

    def events(entry: Event) -> list[Fields]:
        frame, size = entry["frame"], entry.get("raw_bytes")
        if isinstance(frame, dict) and any(key.startswith("__") for key in frame):
            return _marked(stream, frame)
        made = [_bytes(stream, encode(frame) + b"\n")]
        if size is not None:
            if not is_count(size):
                raise ValueError("raw_bytes: a whole number from 0")
            made.append(_note(f"the frame before had {size} bytes; the log shortened a text in it"))
        return made

    return events


def _marked(stream: str, frame: Fields) -> list[Fields]:
    if frame == {"__eof__": True}:
        return [{"e": "closed", "w": "stdio", "s": stream}]
    text = frame.get("__raw__")
    if len(frame) != 1 or not isinstance(text, str):
        raise ValueError('a frame, {"__raw__": text} or {"__eof__": true}')
    *lines, half = text.encode().split(b"\n")
    made = [_bytes(stream, line + b"\n") for line in lines]
    if half:
        made.append(_bytes(stream, half))
    if "\ufffd" in text:
        made.append(_note("the bytes before were not UTF-8; the log has U+FFFD in their place"))
    return made


def _stderr(entry: Event) -> list[Fields]:
    text = entry["frame"]
    if not isinstance(text, str):
        raise ValueError("a line of stderr as text")
    return [_bytes("err", text.encode() + b"\n")]


def _noted(entry: Event) -> list[Fields]:
    """A remark; that of a signal is the signal."""
    remark = entry["frame"]
    text = remark if isinstance(remark, str) else dumps(remark)
    number = text.removeprefix(RIG_SIGNAL)
    if number != text and number.isascii() and number.isdigit():
        return [{"e": "signalled", "number": int(number)}]
    return [_note(text)]


def _ended(entry: Event) -> list[Fields]:
    """The program's stdout ended; in a helper's own log, the helper's stdin."""
    if entry["frame"] not in ({"stream": "stdout"}, {}):
        raise ValueError('{"stream": "stdout"}, or {} in a log with pids')
    return [{"e": "closed", "w": "stdio", "s": "in" if "pid" in entry else "out"}]


def _exited(entry: Event) -> list[Fields]:
    frame = entry["frame"]
    status = frame.get("rc") if isinstance(frame, dict) else None
    after = frame.get("after_s", 0) if isinstance(frame, dict) else None
    if type(status) is not int or not is_instant(after) or set(frame) - {"rc", "after_s"}:  # type: ignore[arg-type]
        raise ValueError('{"rc": exit code, or a signal negated, "after_s": seconds}')
    return [_note(f"the program ended {after} s after it was told to; the log saw it only now"),
            {"e": "exited", "status": status}]


def _booted(entry: Event) -> list[Fields]:
    frame = entry["frame"]
    if not isinstance(frame, dict) or set(frame) != {"argv", "cwd", "env"}:
        raise ValueError('{"argv": [program, …], "cwd": folder, "env": [names]}')
    argv = frame["argv"]
    if not isinstance(argv, list) or not argv:
        raise ValueError("argv: a list that begins with the program")
    return [{"e": "started", "argv": argv[1:], "env": frame["env"]},
            _note(f"pid {entry['pid']}, program {argv[0]}, folder {frame['cwd']}")]


DIRECTIONS: dict[str, Callable[[Event], list[Fields]]] = {
    "c2s": _sent("in"),
    "s2c": _sent("out"),
    "c2m": _sent("in"),
    "m2c": _sent("out"),
    "stderr": _stderr,
    "note": _noted,
    "eof": _ended,
    "exit": _exited,
    "boot": _booted,
    "sigterm": lambda entry: [{"e": "signalled", "number": 15}],
}
"""`dir` of a line -> the events that it makes, without n, t and p. Each raises ValueError with what it expected."""
