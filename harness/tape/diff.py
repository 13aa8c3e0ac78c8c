"""Where two tapes differ: the first difference of each process, with JSON pointer, values and byte offset.

Compared are the events of each process in order, without their numbers, times and read boundaries (what is equal
between two runs). Processes are paired by program and by which of its starts they are; order between processes is not
compared. Notes are remarks and not compared; a gap differs from everything but the same gap.
"""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from harness.tape.event import get_bytes, put_bytes
from harness.tape.header import Header
from harness.tape.rules import matches
from harness.tape.views import WAYS, joined
from harness.wire import DIALECTS, codec
from harness.wire.jsontext import JsonTextError, dumps, loads
from harness.wire.spans import spans

TYPE_CHECKING = False
if TYPE_CHECKING:
    from harness.tape.event import Event
    from harness.wire.jsontext import Json

COMPARED: dict[str, tuple[str, ...]] = {
    "started": ("argv", "env"),
    "bytes": ("w", "s"),
    "closed": ("w", "s"),
    "exited": ("status",),
    "signalled": ("number",),
    "flow": ("w", "request", "response"),
    "gap": ("why", "events", "size"),
}
"""Kind -> its fields that must be equal. The bytes of `bytes` are compared besides; kinds not here are passed over."""


@dataclass(frozen=True, slots=True)
class Difference:
    """The first difference of one process, or of one stream of it.

    process: program and number of its start; left_n, right_n: the events, None where one tape has ended; what: the
    field that differs, `bytes`, `kind`, `end` or `process`. pointer, left, right: where the JSON values differ first
    and both values as JSON (`absent` where one has none); empty pointer: the whole value. offset: first differing
    byte in the frame.
    """

    process: str
    what: str
    left_n: int | None
    right_n: int | None
    left: str | None = None
    right: str | None = None
    pointer: str | None = None
    offset: int | None = None


@dataclass(frozen=True, slots=True)
class Tape:
    """One side of a comparison."""

    header: Header
    events: Sequence[Event]


def diff(left: Tape, right: Tape, *, volatile: Sequence[str] = (), by_stream: bool = False) -> list[Difference]:
    """The first difference of each process, in the order of the processes on the left; empty where they are equal.

    volatile: pointer patterns (`*`, `**`) whose values may differ, but not in JSON type. by_stream: each stream by
    itself, so that order between the streams of a process is not compared. Where either tape is reconstructed, JSON
    frames are compared by value, else byte for byte outside of volatile values.
    """
    verbatim = left.header.bytes == right.header.bytes == "verbatim"
    lanes = _lanes(left, by_stream), _lanes(right, by_stream)
    found = []
    for name in dict.fromkeys((*lanes[0], *lanes[1])):
        if name not in lanes[0] or name not in lanes[1]:
            side = lanes[0].get(name) or lanes[1].get(name) or []
            n: int = side[0].event["n"]  # type: ignore[assignment]
            first = (n, None) if name in lanes[0] else (None, n)
            found.append(Difference(name, "process", *first))
            continue
        for mine, other in zip_longest(lanes[0][name], lanes[1][name]):
            difference = _compare(name, mine, other, volatile, verbatim)
            if difference is not None:
                found.append(difference)
                break
    return found


@dataclass(frozen=True, slots=True)
class _Entry:
    event: Event
    dialect: str


def _lanes(tape: Tape, by_stream: bool) -> dict[str, list[_Entry]]:
    """What is compared in order: name of a process (or of a stream of it) -> its events."""
    lanes: dict[str, list[_Entry]] = {}
    names: dict[Json, str] = {0: "the tape"}
    programs: dict[Json, str] = {}
    starts: dict[str, int] = {}
    for event in joined(tape.events):
        p, kind = event["p"], event["e"]
        if kind == "started":
            program = programs[p] = str(event["program"])
            starts[program] = starts.get(program, 0) + 1
            names[p] = f"{program} #{starts[program]}"
        if kind not in COMPARED:
            continue
        name = names.get(p, f"process {p}")
        dialect = "raw"
        if kind == "bytes":
            dialect = tape.header.dialect(programs.get(p, ""), str(event["w"]), str(event["s"]))
        if by_stream and "s" in event:
            name = f"{name} {event['w']} {event['s']}"
        lane = lanes.setdefault(name, [])
        if by_stream and kind == "bytes" and dialect == "raw" and lane and lane[-1].event["e"] == "bytes":
            before = lane.pop().event
            data = get_bytes(before) + get_bytes(event)
            event = {**{field: before[field] for field in ("n", "t", "p", "e", "w", "s")}, **put_bytes(data)}
        lane.append(_Entry(event, dialect))
    return lanes


def _compare(
    name: str, left: _Entry | None, right: _Entry | None, volatile: Sequence[str], verbatim: bool
) -> Difference | None:
    if left is None or right is None:
        sides = [None if side is None else int(side.event["n"]) for side in (left, right)]  # type: ignore[arg-type]
        kinds = ["nothing more" if side is None else str(side.event["e"]) for side in (left, right)]
        return Difference(name, "end", sides[0], sides[1], kinds[0], kinds[1])
    mine, other = left.event, right.event
    places: tuple[int, int] = (mine["n"], other["n"])  # type: ignore[assignment]
    if mine["e"] != other["e"]:
        return Difference(name, "kind", *places, str(mine["e"]), str(other["e"]))
    for field in COMPARED[str(mine["e"])]:
        found = first_difference(mine.get(field, ABSENT), other.get(field, ABSENT), ())
        if found is not None:
            pointer, a, b = found
            return Difference(name, field, *places, _shown(a), _shown(b), pointer)
    if mine["e"] != "bytes":
        return None
    if bool(mine.get("more")) != bool(other.get("more")):
        return Difference(name, "more", *places, _shown(mine.get("more")), _shown(other.get("more")))
    return _compare_bytes(name, places, left, right, volatile, verbatim)


def _compare_bytes(
    name: str, places: tuple[int, int], left: _Entry, right: _Entry, volatile: Sequence[str], verbatim: bool
) -> Difference | None:
    mine, other = get_bytes(left.event), get_bytes(right.event)
    if mine == other:
        return None
    shorter = min(len(mine), len(other))
    offset = next((at for at in range(shorter) if mine[at] != other[at]), shorter)
    (my_body, my_whole), (other_body, other_whole) = _body(mine, left), _body(other, right)
    values = [_value(my_body), _value(other_body)]
    if my_whole == other_whole and values[0] is not None and values[1] is not None:
        found = first_difference(values[0][0], values[1][0], volatile)
        if found is not None:
            pointer, a, b = found
            return Difference(name, "bytes", *places, _shown(a), _shown(b), pointer, offset)
        if not verbatim or (my_whole and _without(my_body, volatile) == _without(other_body, volatile)):
            return None
    return Difference(name, "bytes", *places, ascii(mine[offset : offset + 40]), ascii(other[offset : offset + 40]),
                      None, offset)


def _body(data: bytes, entry: _Entry) -> tuple[bytes, bool]:
    """What the framing surrounds, and whether it is framed as its dialect wants it."""
    if entry.dialect not in DIALECTS or entry.event.get("more"):
        return data, False
    known = codec(entry.dialect, WAYS[str(entry.event["s"])])
    body = known.body(data)
    return body, known.wrap(body) == data


def _value(body: bytes) -> tuple[Json] | None:
    try:
        return (loads(body.decode()),)
    except (UnicodeDecodeError, JsonTextError):
        return None


def _without(body: bytes, volatile: Sequence[str]) -> bytes:
    """A JSON text with a mark in the place of each volatile value."""
    parts = []
    end = 0
    for pointer, (start, stop) in spans(body).items():
        if start >= end and any(matches(pattern, pointer) for pattern in volatile):
            parts += [body[end:start], b"\0"]
            end = stop
    return b"".join([*parts, body[end:]])


def first_difference(left: Json, right: Json, volatile: Sequence[str]) -> tuple[str, Json, Json] | None:
    """(pointer, left, right) of the first place where two JSON values differ, types included; None where equal.

    A member or item that one side lacks is given as ABSENT on that side, at its own pointer.
    """
    return next(_differences("", left, right, volatile), None)


def _differences(pointer: str, left: Json, right: Json, volatile: Sequence[str]) -> Iterator[tuple[str, Json, Json]]:
    """Depth first, by an explicit stack: values may be nested deeper than Python recurses comfortably."""
    stack = [(pointer, left, right)]
    while stack:
        pointer, left, right = stack.pop()
        if any(matches(pattern, pointer) for pattern in volatile):
            if type(left) is not type(right):
                yield pointer, left, right
        elif isinstance(left, dict) and isinstance(right, dict):
            names = list(dict.fromkeys((*left, *right)))
            stack += [(f"{pointer}/{_part(name)}", left.get(name, ABSENT), right.get(name, ABSENT))
                      for name in reversed(names)]  # fmt: skip
        elif isinstance(left, list) and isinstance(right, list):
            pairs = list(zip_longest(left, right, fillvalue=ABSENT))
            stack += [(f"{pointer}/{place}", *pair) for place, pair in reversed(list(enumerate(pairs)))]
        elif type(left) is not type(right) or left != right:
            yield pointer, left, right


ABSENT: Any = object()
"""A member or item that one side lacks: of no JSON type."""


def _part(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")


def _shown(value: Json, limit: int = 200) -> str:
    text = "absent" if value is ABSENT else dumps(value)
    return text if len(text) <= limit else f"{text[:limit]}… ({len(text)} characters)"


def as_lines(differences: Iterable[Difference]) -> Iterator[str]:
    """The differences for a terminal, in ASCII but for what cut values end with."""
    for each in differences:
        where = "" if each.offset is None else f", byte {each.offset} of the frame"
        where += "" if each.pointer is None else f", at {each.pointer or 'the whole value'}"
        yield f"{each.process}: {each.what} differs (event {_place(each.left_n)} / {_place(each.right_n)}){where}"
        if each.left is not None or each.right is not None:
            yield f"  - {each.left}"
            yield f"  + {each.right}"


def _place(n: int | None) -> str:
    return "none" if n is None else str(n)
