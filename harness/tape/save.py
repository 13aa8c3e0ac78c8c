"""Writes a whole tape to a file, all of it or nothing. For join and import; a recorder appends with `write` instead."""
from __future__ import annotations

import os
from collections.abc import Iterable

from harness.problem import Problem, UsageProblem
from harness.tape.event import line
from harness.tape.header import Header

TYPE_CHECKING = False
if TYPE_CHECKING:
    from harness.tape.event import Event


def save(path: str, header: Header, events: Iterable[Event]) -> int:
    """Write a tape to `path`, which must not exist yet; the number of events.

    It appears under its name only when it is whole: until then it is `path` with `.part`, which is removed where
    `events` raises. Raises UsageProblem where `path` exists, Problem where it can't be written.
    """
    if os.path.exists(path):
        raise UsageProblem(f"{path}, which exists", "a file that does not exist yet", "name another --out")
    part = path + ".part"
    count = 0
    try:
        with open(part, "xb") as file:
            file.write(header.line().encode("ascii") + b"\n")
            for event in events:
                file.write(line(event).encode("ascii") + b"\n")
                count += 1
        os.rename(part, path)
    except FileExistsError:
        raise UsageProblem(f"{part}, which exists", "no unfinished tape of that name", "remove it") from None
    except OSError as error:
        _remove(part)
        seen = f"{type(error).__name__}: {error}"
        raise Problem(seen, "a tape that can be written", "correct --out", file=path) from None
    except BaseException:
        _remove(part)
        raise
    return count


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except FileNotFoundError:
        pass
