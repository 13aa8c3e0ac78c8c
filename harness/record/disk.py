"""The file of a tape: opened before anything is started, written by the writer process alone, ended legibly.

Separate from `harness.tape.write`, which knows lines and not what they are written to. Three things are known here:
how a tape may be opened (never over another one), how long to wait for a reader that does not read, and how to end a
tape on a full disk: whole lines are taken back from its end until the gap that stands for them fits in their place.
"""
from __future__ import annotations

import os
import select
import stat

from harness.problem import Problem, UsageProblem
from harness.wire.jsontext import loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from harness.wire.jsontext import Json

ORPHAN_MS = 30_000
"""How long a writer goes on waiting, after its tap has ended, for a reader that takes nothing."""
TAIL = 1 << 16
NAMES_TRIED = 1000


def open_tape(path: str, name: str) -> tuple[int, str]:
    """Open the tape for a session of the program `name`: (descriptor, path).

    path: a file that does not exist; or something else that can be written to, a pipe of a reader for instance; or a
    folder (there already, or ending in a slash), which gets a new file for each session: `<name>-<number>.jsonl`.
    Raises UsageProblem where there is a tape already, Problem where the system says no.
    """
    try:
        if path.endswith("/"):
            os.makedirs(path, mode=0o700, exist_ok=True)
        if os.path.isdir(path):
            return new_segment(path, name)
        if os.path.exists(path) and not os.path.isfile(path):
            descriptor = os.open(path, os.O_WRONLY | os.O_NONBLOCK)
            return descriptor, path
        return create(path), path
    except FileExistsError:
        raise UsageProblem(
            f"{path}, which exists", "a tape that does not exist yet",
            "name another file, or a folder that gets a new file for each session",
        ) from None
    except OSError as problem:
        raise Problem(
            f"{path}: {problem.strerror}", "a tape that can be written", "the command was not started; correct --out"
        ) from None


def create(path: str) -> int:
    """A new file that only its owner may read: a tape holds what programs say to each other."""
    return os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_EXCL, 0o600)


def new_segment(folder: str, name: str) -> tuple[int, str]:
    """The first free `<name>-<number>.jsonl`, so that the order of names is the order of starts."""
    taken = [entry for entry in os.listdir(folder) if entry.startswith(f"{name}-") and entry.endswith(".jsonl")]
    number = max((int(text) for text in (entry[len(name) + 1 : -6] for entry in taken) if text.isdigit()), default=0)
    for _ in range(NAMES_TRIED):
        number += 1
        path = os.path.join(folder, f"{name}-{number:04}.jsonl")
        try:
            return create(path), path
        except FileExistsError:
            pass
    raise FileExistsError(folder)


class Disk:
    """The open file. tap: the descriptor whose hang-up says that the tap has ended."""

    __slots__ = ("descriptor", "is_file", "_tap", "_begun")

    def __init__(self, descriptor: int, tap: int) -> None:
        self.descriptor = descriptor
        self.is_file = stat.S_ISREG(os.fstat(descriptor).st_mode)
        self._tap = tap
        self._begun = False

    def write(self, data: bytes) -> int:
        """How many bytes were taken. Raises OSError. Waits for a slow reader, but not for ever once the tap ended."""
        if self._begun:
            self._begun = False
            return len(data)
        while True:
            try:
                return os.write(self.descriptor, data)
            except BlockingIOError:
                if not self._wait():
                    raise

    def _wait(self) -> bool:
        """Whether the reader takes more, as long as there is a tap, and `ORPHAN_MS` longer."""
        waiting = select.poll()
        waiting.register(self.descriptor, select.POLLOUT)
        waiting.register(self._tap, 0)
        ready = [descriptor for descriptor, _ in waiting.poll()]
        if self.descriptor not in ready:
            waiting.unregister(self._tap)
            ready = [descriptor for descriptor, _ in waiting.poll(ORPHAN_MS)]
        return bool(ready)

    def resume(self) -> tuple[int, float] | None:
        """Cut off a torn last line: n of the next event, and t of the last. None where this is no file, or empty.

        The tape has its header, so the next write, which is a header, is dropped.
        """
        last = self._last_line(self._cut_torn()) if self.is_file else b""
        self._begun = bool(last)
        return (next_after(last), time_of(last)) if last else None

    def end_with(self, lines: Callable[[int], bytes]) -> bool:
        """Take back events from the end until `lines(n)` fits in their place, n being the number of the first of them.

        For a disk that takes no more; nothing is written after it. True where it is done.
        """
        if not self.is_file:
            return False
        limit = os.fstat(self.descriptor).st_size
        size = self._cut_torn()
        last = self._last_line(size)
        n = next_after(last) if last else 0
        while limit - size < len(lines(n)):
            if n == 0:
                return False
            n -= 1
            size -= len(last)
            last = self._last_line(size)
        os.ftruncate(self.descriptor, size)
        text = lines(n)
        try:
            done = os.write(self.descriptor, text) == len(text)
        except OSError:
            done = False
        if not done:
            os.ftruncate(self.descriptor, size)
        return done

    def _cut_torn(self) -> int:
        """The size of the file up to its last whole line; what stands behind it is cut off."""
        size = os.fstat(self.descriptor).st_size
        end = size
        while end:
            begin = max(0, end - TAIL)
            found = os.pread(self.descriptor, end - begin, begin).rfind(b"\n")
            if found >= 0:
                end = begin + found + 1
                break
            end = begin
        if end < size:
            os.ftruncate(self.descriptor, end)
        return end

    def _last_line(self, size: int) -> bytes:
        """The last line of the first `size` bytes, which end with a newline; empty where there is none."""
        begin = size
        line = b""
        while begin:
            stop = begin
            begin = max(0, begin - TAIL)
            line = os.pread(self.descriptor, stop - begin, begin) + line
            found = line.rfind(b"\n", 0, -1)
            if found >= 0:
                return line[found + 1 :]
        return line


def next_after(line: bytes) -> int:
    """The n of the event that follows this line of a tape: 0 after the header."""
    n = field(line, "n")
    return n + 1 if isinstance(n, int) else 0


def time_of(line: bytes) -> float:
    """The t of a line of a tape: 0 of the header."""
    t = field(line, "t")
    return t if isinstance(t, int | float) else 0


def field(line: bytes, name: str) -> Json:
    event = loads(line.decode("ascii"))
    return event.get(name) if isinstance(event, dict) else None
