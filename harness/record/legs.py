"""The three streams of a session, each a leg from a source to a sink, and how each end is read, written and closed.

Separate from the loop because of the ends that belong to somebody else. Descriptors 0, 1 and 2 are shared with the
client, so they are never made non-blocking: that would change them in the client's hands too. A pipe is opened once
more instead (Linux), which gives a description of our own that can be. Any other end that could block is written in
pieces that fit whenever poll says so. 0, 1 and 2 are never free numbers either: closing one puts the null device there.
"""
from __future__ import annotations

import os
import select
import stat

from harness.record.handover import ERR, IN, OUT

ANY = 1 << 30
NOTHING = memoryview(b"")


class Leg:
    """One stream. source, sink: descriptors, -1 once closed; rest: what was read and not yet written;
    room: most bytes in one write."""

    __slots__ = ("stream", "source", "sink", "room", "rest")

    def __init__(self, stream: int, source: int, sink: int, room: int = ANY) -> None:
        self.stream = stream
        self.source = source
        self.sink = sink
        self.room = room
        self.rest = NOTHING


class Ends:
    """The legs of a session before its program runs, and the program's own ends of them.

    files: the program's 0, 1, 2, each a descriptor to put there, or None where the client left it closed.
    Where the client gave one pipe or file as both 1 and 2, the program gets one pipe as both, so that the order of
    what it writes stays as it is; all of it is then stream `out`.
    """

    __slots__ = ("legs", "files", "one_output", "_null")

    def __init__(self) -> None:
        self.files: list[int | None] = [None, None, None]
        self.legs: list[Leg] = []
        present = [exists(number) for number in (0, 1, 2)]
        self._null = hold_numbers()
        self.one_output = present[1] and present[2] and same_file(1, 2)
        if present[0]:
            self.files[0], sink = os.pipe()
            os.set_blocking(sink, False)
            self.legs.append(Leg(IN, 0, sink))
        for stream, number in ((OUT, 1), (ERR, 2)):
            if number == 2 and self.one_output:
                self.files[2] = self.files[1]
            elif present[number]:
                source, self.files[number] = os.pipe()
                os.set_blocking(source, False)
                self.legs.append(Leg(stream, source, number, 0))

    def take_sinks(self) -> None:
        """From here on nothing but the legs writes to the client: its pipes are held by descriptors of our own."""
        if self.one_output:
            self.close(2)
        for leg in self.legs:
            if leg.room == 0:
                leg.room, own = room_of(leg.sink)
                if own >= 0:
                    self.close(leg.sink)
                    leg.sink = own

    def close_files(self) -> None:
        """The program has its ends; ours of them are closed."""
        for descriptor in {each for each in self.files if each is not None}:
            os.close(descriptor)

    def close(self, descriptor: int) -> None:
        """Close an end, as its other side sees it; 0, 1 and 2 stay taken."""
        if descriptor <= 2:
            os.dup2(self._null, descriptor, inheritable=False)
        else:
            os.close(descriptor)


def exists(descriptor: int) -> bool:
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True


def hold_numbers() -> int:
    """Open the null device until 0, 1 and 2 are taken; the last one opened, for closing others with it."""
    null = -1
    while null <= 2:
        null = os.open(os.devnull, os.O_RDWR)
    return null


def same_file(one: int, other: int) -> bool:
    """Whether two descriptors write to one pipe, socket or file, so that the order between them can be seen."""
    first, second = os.fstat(one), os.fstat(other)
    ordered = stat.S_ISFIFO(first.st_mode) or stat.S_ISSOCK(first.st_mode) or stat.S_ISREG(first.st_mode)
    return ordered and (first.st_dev, first.st_ino) == (second.st_dev, second.st_ino)


def room_of(descriptor: int) -> tuple[int, int]:
    """(most bytes in one write, descriptor of our own to write to instead, or -1)."""
    mode = os.fstat(descriptor).st_mode
    if stat.S_ISFIFO(mode):
        try:
            return ANY, os.open(f"/proc/self/fd/{descriptor}", os.O_WRONLY | os.O_NONBLOCK)
        except OSError:  # another system, somebody else's pipe, or nobody reads it any more
            return select.PIPE_BUF, -1
    if stat.S_ISREG(mode) or (stat.S_ISCHR(mode) and not os.isatty(descriptor)):
        return ANY, -1
    return select.PIPE_BUF, -1
