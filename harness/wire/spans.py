"""Where each value of a JSON text stands, byte for byte, and putting other values in the same places.

A tape is never re-serialised: a replay binds a new id, handle or time by changing the bytes of that value and no
others. So spacing, escapes, the order of members and the writing of numbers stay what the real program sent.
Pointers are those of RFC 6901: "" is the whole value, "/params/id" a member, "/tools/0" an item; in a name "~1" is a
slash and "~0" a tilde.
"""
from __future__ import annotations

from harness.wire.jsontext import JsonTextError, loads, scan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

POINTERS_LIMIT = 64 * 1024 * 1024
"""So many characters all pointers of one text may have together, each counted with `POINTER_COST` more. Bounds memory:
long names around many values multiply. About a million values of an ordinary text."""
POINTER_COST = 64

_SPACE = " \t\n\r"


class Spans(dict[str, tuple[int, int]]):
    """Pointer -> (start, stop) in the bytes, containers included, in the order in which the values begin.

    duplicates: the pointers of members that stand more than once in their object. The last one wins, as in every
    reader of JSON here; what the earlier ones held has no pointer.
    """

    def __init__(self) -> None:
        super().__init__()
        self.duplicates: list[str] = []


def spans(raw: bytes, pointers: Iterable[str] | None = None) -> Spans:
    """The span of every value of a JSON text in UTF-8, with white space around it. No recursion; linear in its size.

    pointers: where given, only these values and the containers on the way to them and beside it are looked at, which
    is many times faster; the result has them and what was met on the way.

    Raises JsonTextError where it is no such text (its offset then counts characters), or has more and longer pointers
    than `POINTERS_LIMIT` allows.
    """
    try:
        loads(raw.decode())
    except UnicodeDecodeError as problem:
        raise JsonTextError("no UTF-8", problem.start) from None
    # One character a byte: offsets are byte offsets, and no byte of a longer UTF-8 sequence looks like ASCII.
    places = _Places()
    _walk(raw.decode("latin-1"), places, None if pointers is None else _on_the_way(pointers))
    return places.living()


def substitute(raw: bytes, values: Mapping[str, bytes]) -> bytes:
    """The text with other values at these pointers; every byte outside of their spans stays.

    values: pointer -> the JSON text that is to stand there, as it is to be written. Raises ValueError for a pointer
    that the text does not have or that lies inside another, and where a new text is not one JSON value on one line;
    JsonTextError, which is one, where `raw` is no JSON text.
    """
    if not values:
        return raw
    found = spans(raw, values)
    places = []
    for pointer, new in values.items():
        if pointer not in found:
            raise ValueError(f"no value at {pointer!r}; there are values at {list(found)[:20]}")
        if b"\n" in new:
            raise ValueError(f"the new text for {pointer!r} has a newline, which would end the frame")
        loads(new.decode())
        places.append((*found[pointer], new, pointer))
    parts = []
    end = 0
    for start, stop, new, pointer in sorted(places):
        if start < end:
            raise ValueError(f"{pointer!r} lies inside of another value that is to be replaced")
        parts += [raw[end:start], new]
        end = stop
    return b"".join([*parts, raw[end:]])


class _Open:
    """A container that is open: its place, what its members' pointers begin with, and what was seen in it."""

    __slots__ = ("place", "prefix", "names", "count")

    def __init__(self, place: int, prefix: str, names: dict[str, int] | None) -> None:
        self.place = place
        self.prefix = prefix
        self.names = names
        """Of an object: name -> the place of its latest value. None for an array."""
        self.count = 0


class _Places:
    """The values that were met, in order, each with its pointer and span."""

    __slots__ = ("pointers", "starts", "stops", "dead", "again")

    def __init__(self) -> None:
        self.pointers: list[str] = []
        self.starts: list[int] = []
        self.stops: list[int] = []
        self.dead: set[int] = set()
        """Places of members that a later one of the same name replaces."""
        self.again: set[int] = set()
        """Places of members whose name stood before."""

    def living(self) -> Spans:
        found = Spans()
        if not self.dead:
            found.update(zip(self.pointers, zip(self.starts, self.stops, strict=True), strict=True))
            return found
        dead_until = 0
        for place, pointer in enumerate(self.pointers):
            start, stop = self.starts[place], self.stops[place]
            if start < dead_until:
                continue
            if place in self.dead:
                dead_until = stop
                continue
            found[pointer] = (start, stop)
            if place in self.again:
                found.duplicates.append(pointer)
        return found


def _on_the_way(pointers: Iterable[str]) -> set[str]:
    """The pointers of the containers that have to be entered to reach these."""
    return {pointer[:end] for pointer in pointers for end, letter in enumerate(pointer) if letter == "/"}


def _walk(text: str, places: _Places, enter: set[str] | None) -> None:
    """One pass over a text that is known to be valid JSON, one character a byte. enter: None for every container."""
    pointers, starts, stops = places.pointers, places.starts, places.stops
    stack: list[_Open] = []
    pointer = ""
    cost = 0
    offset = _skip(text, 0)
    while True:
        cost += len(pointer) + POINTER_COST
        if cost > POINTERS_LIMIT:
            raise JsonTextError("more values than spans can be kept of", offset, "depth")
        place = len(pointers)
        pointers.append(pointer)
        starts.append(offset)
        at_value = False
        if text[offset] in "{[" and (enter is None or pointer in enter):
            stops.append(offset)
            stack.append(_Open(place, pointer + "/", {} if text[offset] == "{" else None))
            offset = _skip(text, offset + 1)
            at_value = text[offset] not in "}]"
        else:
            offset = scan(text, offset)[1]
            stops.append(offset)
        while not at_value:
            if not stack:
                return
            if text[offset] in _SPACE:
                offset = _skip(text, offset)
            at_value = text[offset] == ","
            offset += 1
            if not at_value:
                stops[stack.pop().place] = offset
            elif text[offset] in _SPACE:
                offset = _skip(text, offset)
        opened = stack[-1]
        if opened.names is None:
            pointer = f"{opened.prefix}{opened.count}"
            opened.count += 1
        else:
            name, offset = _name(text, offset)
            pointer = opened.prefix + name
            if name in opened.names:
                places.dead.add(opened.names[name])
                places.again.add(place + 1)
            opened.names[name] = place + 1


def _name(text: str, offset: int) -> tuple[str, int]:
    """The name that begins at `offset`, as part of a pointer, and where its value begins."""
    name, stop = scan(text, offset)
    token = text[offset:stop]
    if not token.isascii():
        name = loads(token.encode("latin-1").decode())
    if "/" in token or "~" in token or "\\" in token:
        name = name.replace("~", "~0").replace("/", "~1")
    if text[stop] != ":":
        stop = _skip(text, stop)
    stop += 1
    return name, _skip(text, stop) if text[stop] in _SPACE else stop


def _skip(text: str, offset: int) -> int:
    while text[offset] in _SPACE:
        offset += 1
    return offset
