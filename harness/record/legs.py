"""The three streams of a session, each a leg from a source to a sink, and how each end is read, written and closed.

Separate from the loop because of the ends that belong to somebody else. Descriptors 0, 1 and 2 are shared with the
client, so they are never made non-blocking: that would change them in the client's hands too. A pipe is opened once
more instead (Linux), which gives a description of our own that can be; to a socket each write says for itself that it
must not wait. Any other end that could block is written in pieces that fit whenever poll says so. 0, 1 and 2 are never
free numbers either: closing one puts the null device there.
"""
from __future__ import annotations

import os
import select
import stat

from harness.record.handover import ERR, IN, OUT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    Write: TypeAlias = Callable[[int, bytes | memoryview], int]

ANY = 1 << 30
NOTHING = memoryview(b"")


class Leg:
    """One stream. source, sink: descriptors, -1 once closed; rest: what was read and not yet written;
    write: to the sink, without waiting; room: most bytes in one write, ANY where it takes what it can."""

    __slots__ = ("stream", "source", "sink", "write", "room", "rest")

    def __init__(self, stream: int, source: int, sink: int) -> None:
        self.stream = stream
        self.source = source
        self.sink = sink
        self.write: Write = os.write
        self.room = ANY
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
                self.legs.append(Leg(stream, source, number))

    def take_sinks(self) -> None:
        """From here on nothing but the legs writes to the client: its pipes are held by descriptors of our own."""
        if self.one_output:
            self.close(2)
        for leg in self.legs:
            if leg.stream != IN:
                leg.room, own, leg.write = sink_of(leg.sink)
                if own != leg.sink:
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


def sink_of(descriptor: int) -> tuple[int, int, Write]:
    """How to write to a client's end: most bytes in one write, the descriptor, and the function."""
    mode = os.fstat(descriptor).st_mode
    if stat.S_ISFIFO(mode):
        try:
            return ANY, os.open(f"/proc/self/fd/{descriptor}", os.O_WRONLY | os.O_NONBLOCK), os.write
        except OSError:  # another system, somebody else's pipe, or nobody reads it any more
            return select.PIPE_BUF, descriptor, os.write
    if stat.S_ISSOCK(mode):
        own = os.dup(descriptor)
        return ANY, own, sending_to(own)
    waits = stat.S_ISCHR(mode) and os.isatty(descriptor)
    return (select.PIPE_BUF if waits else ANY), descriptor, os.write


def sending_to(descriptor: int) -> Write:
    """`os.write` for a socket, that does not wait. What is given holds the descriptor, and lives as long as we do."""
    import _socket  # only clients that give sockets pay for it

    send = _socket.socket(fileno=descriptor).send
    return lambda _, data: send(data, _socket.MSG_DONTWAIT)
