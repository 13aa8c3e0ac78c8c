"""The bytes of a frame as they read once JSON's escapes are taken out, and where each piece stood before.

A secret may be written as `\\u0061bc`, and a JSON text may stand as a string inside another. So secrets are looked for
in a row of views: the bytes, the bytes without escapes, those without escapes again. Nothing is parsed: it works on
half frames, on plain text and on pieces alike. Separate from `find`, which looks into the views.
"""
from __future__ import annotations

from _bisect import bisect_left, bisect_right

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

DEEPEST = 4
"""JSON within JSON within … is followed this deep."""

_PLAIN = {34: b'"', 92: b"\\", 47: b"/", 98: b"\b", 102: b"\f", 110: b"\n", 114: b"\r", 116: b"\t"}
"""Byte after a backslash -> what the escape stands for."""
_LONG = 117


class View:
    """Bytes to look into. `place` says where a part of them stands in the bytes that it all began with."""

    __slots__ = ("data", "_under", "_starts", "_stops", "_begins", "_ends")

    def __init__(self, data: bytes, under: View | None = None) -> None:
        self.data = data
        self._under = under
        # Escape i stands at _begins[i].._ends[i] of the bytes under this view and is _starts[i].._stops[i] of it.
        self._starts: list[int] = []
        self._stops: list[int] = []
        self._begins: list[int] = []
        self._ends: list[int] = []

    @property
    def is_raw(self) -> bool:
        """Whether this is the bytes as they are."""
        return self._under is None

    def place(self, start: int, stop: int) -> tuple[int, int]:
        """The part `start` to `stop`, whole escapes included, in the bytes under all views."""
        if self._under is None:
            return start, stop
        at = bisect_right(self._starts, start) - 1
        if at < 0:
            begin = start
        elif start < self._stops[at]:
            begin = self._begins[at]
        else:
            begin = self._ends[at] + start - self._stops[at]
        at = bisect_left(self._starts, stop) - 1
        if at < 0:
            end = stop
        elif stop <= self._stops[at]:
            end = self._ends[at]
        else:
            end = self._ends[at] + stop - self._stops[at]
        return self._under.place(begin, end)

    def unescaped(self) -> View | None:
        """The view one level up; None where nothing here is an escape."""
        data = self.data
        view = View(b"", self)
        parts = []
        length = done = 0
        at = data.find(b"\\")
        while at >= 0:
            stands_for, end = _escape(data, at)
            if stands_for is None:
                at = data.find(b"\\", at + 1)
                continue
            parts.append(data[done:at])
            length += at - done
            view._starts.append(length)
            length += len(stands_for)
            view._stops.append(length)
            view._begins.append(at)
            view._ends.append(end)
            parts.append(stands_for)
            done = end
            at = data.find(b"\\", end)
        if not parts:
            return None
        parts.append(data[done:])
        view.data = b"".join(parts)
        return view


def views(data: bytes, deepest: int = DEEPEST) -> Iterator[View]:
    """The bytes as they are, and each deeper reading of them that differs."""
    view: View | None = View(data)
    for _ in range(deepest + 1):
        if view is None:
            return
        yield view
        view = view.unescaped()


def plain(data: bytes) -> bytes:
    """The deepest reading: the same for every way of writing the same text."""
    for view in views(data):
        data = view.data
    return data


def _escape(data: bytes, at: int) -> tuple[bytes | None, int]:
    """What the escape at `at` stands for, and where it ends. None where it is none, or is cut off."""
    kind = data[at + 1] if at + 1 < len(data) else 0
    if kind != _LONG:
        return _PLAIN.get(kind), at + 2
    code = _hex(data[at + 2 : at + 6])
    if 0xD800 <= code < 0xDC00 and data[at + 6 : at + 8] == b"\\u":
        low = _hex(data[at + 8 : at + 12])
        if 0xDC00 <= low < 0xE000:
            return chr(0x10000 + ((code - 0xD800) << 10) + low - 0xDC00).encode(), at + 12
    if code < 0 or 0xD800 <= code < 0xE000:
        return None, at + 2
    return chr(code).encode(), at + 6


def _hex(digits: bytes) -> int:
    if len(digits) != 4 or digits.strip(b"0123456789abcdefABCDEF"):
        return -1
    return int(digits, 16)
