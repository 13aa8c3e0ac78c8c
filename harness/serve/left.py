"""What a process run left running: every process that names the run's folders in its arguments or environment.

Separate from the host's own process trees, which belong to what is judged. Orphans are found too, whoever their
parent is now. Read from /proc; where there is none, from `ps`, which shows arguments only.
"""
from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

PS_TIMEOUT_S = 10


class Left(NamedTuple):
    """One process: its number, and the name of its program."""

    pid: int
    name: str


def processes_of(folders: Sequence[str], proc: Path = Path("/proc")) -> list[Left]:
    """The living processes, this one aside, that name one of these folders, by number."""
    marks = [os.fsencode(folder) for folder in folders]
    rows = _from_proc(proc) if proc.is_dir() else _from_ps()
    return sorted(
        Left(pid, os.fsdecode(os.path.basename(text.split(b"\0")[0])))
        for pid, text in rows
        if pid != os.getpid() and any(mark in text for mark in marks)
    )


def end(left: Sequence[Left]) -> None:
    """Kill what is left, by number."""
    for process in left:
        try:
            os.kill(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            continue


def _from_proc(proc: Path) -> Iterator[tuple[int, bytes]]:
    for entry in proc.iterdir():
        if entry.name.isdigit():
            try:
                if (entry / "stat").read_bytes().rpartition(b")")[2].split()[0] not in (b"Z", b"X"):
                    yield int(entry.name), _program(entry) + (entry / "environ").read_bytes()
            except OSError:
                continue  # it ended meanwhile, or is another user's


def _program(entry: Path) -> bytes:
    """The arguments; for a script the interpreter's own are left out, so that the name is the script's."""
    words = (entry / "cmdline").read_bytes().split(b"\0")
    if len(words) > 2 and words[1].startswith(b"-") and words[2].startswith(b"/"):
        words = words[2:]
    return b"\0".join(words) + b"\0"


def _from_ps() -> Iterator[tuple[int, bytes]]:
    done = subprocess.run(
        ["/bin/ps", "-axwwo", "pid=,command="],
        capture_output=True,
        check=True,
        timeout=PS_TIMEOUT_S,
        env={"LC_ALL": "C"},
    )
    for line in done.stdout.split(b"\n"):
        pid, _, command = line.strip().partition(b" ")
        if pid:
            yield int(pid), command.strip().replace(b" ", b"\0")
