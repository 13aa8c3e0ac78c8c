"""A process that starts programs and ends them with all their descendants: run as a script, told by lines of JSON.

Separate from the engine's own process because that one may be killed: when this process's stdin ends, for whatever
reason, everything that it started is ended. It is the subreaper of its descendants, so that a WebKitWebProcess that
outlives its browser is found too.

    {"start": [argv...], "env": {...}, "line": true}  ->  {"pid": 12, "line": "first line of its stdout, or empty"}
    {"end": 12}                                       ->  {"ended": [12, 14, 15]}

A program that can't be started is `{"error": "..."}`. Nothing of ours is imported: this file runs alone.
"""
from __future__ import annotations

import ctypes
import json
import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TextIO

PR_SET_CHILD_SUBREAPER = 36
PROC = "/proc"
REAP_S = 0.002


def parent_of(pid: int, proc: str = PROC) -> int | None:
    """The parent of a process that lives; None for one that has ended, whether somebody has waited for it or not."""
    try:
        with open(f"{proc}/{pid}/stat", encoding="ascii", errors="replace") as file:
            state, parent, *_ = file.read().rpartition(")")[2].split()
    except (OSError, ValueError):
        return None
    return None if state in "ZX" else int(parent)


def parents(proc: str = PROC) -> dict[int, int]:
    """Process to its parent, of all that live."""
    every = [int(name) for name in os.listdir(proc) if name.isdigit()]
    return {pid: parent for pid in every if (parent := parent_of(pid, proc)) is not None}


def descendants(pid: int, of: Mapping[int, int]) -> list[int]:
    """`pid` and all that descends from it, parents first."""
    found = [pid] if pid in of else []
    waiting = [pid]
    while waiting:
        above = waiting.pop(0)
        below = sorted(child for child, parent in of.items() if parent == above)
        found += below
        waiting += below
    return found


class Keeper:
    """What was started and has not been ended."""

    def __init__(self) -> None:
        self._roots: dict[int, subprocess.Popen[bytes]] = {}

    def start(self, argv: list[str], env: Mapping[str, str], line: bool) -> dict[str, Any]:
        """Start a program in a session of its own; with `line`, wait for the first line that it says."""
        output = subprocess.PIPE if line else subprocess.DEVNULL
        program = subprocess.Popen(
            argv, env=dict(env), stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self._roots[program.pid] = program
        said = program.stdout.readline() if program.stdout is not None else b""
        return {"pid": program.pid, "line": said.decode("utf-8", "replace").strip()}

    def end(self, pid: int) -> list[int]:
        """Kill a program that was started here, and all that descends from it; what was killed."""
        program = self._roots.pop(pid, None)
        killed: list[int] = []
        if program is not None:
            killed = _kill_all([pid])
            program.wait()
            if program.stdout is not None:
                program.stdout.close()
            _reap(killed)  # else one that is dying yet, and has come to this process, would be found lost
        while lost := self._lost():  # their own parents died before them, so they came to this process
            killed += (found := _kill_all(lost))
            _reap(found)
        return killed

    def end_all(self) -> None:
        for pid in list(self._roots):
            self.end(pid)

    def _lost(self) -> list[int]:
        """Children of this process that it has not started itself."""
        return [pid for pid, parent in parents().items() if parent == os.getpid() and pid not in self._roots]


def _kill_all(roots: Sequence[int]) -> list[int]:
    """Kill these and all that descends from them; what was killed."""
    of = parents()
    found = [pid for root in roots for pid in descendants(root, of)]
    for pid in found:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            continue  # it has ended by itself
    return found


def _reap(dead: Sequence[int]) -> None:
    """Wait until the killed have ended, and take the status of those that came to this process."""
    for pid in dead:
        while parent_of(pid) is not None:
            select.select([], [], [], REAP_S)
        try:
            os.waitpid(pid, os.WNOHANG)
        except ChildProcessError:
            continue  # not ours: its own parent's, or init's


def answer(keeper: Keeper, request: Mapping[str, Any]) -> dict[str, Any]:
    """What is said to one request."""
    if "end" in request:
        return {"ended": keeper.end(request["end"])}
    try:
        return keeper.start(request["start"], request["env"], bool(request.get("line")))
    except OSError as error:
        return {"error": f"{request['start'][0]}: {error.strerror}"}


def serve(lines: Iterator[str], out: TextIO) -> None:
    """Answer until the requests end, then end everything."""
    keeper = Keeper()
    try:
        for line in lines:
            out.write(json.dumps(answer(keeper, json.loads(line))) + "\n")
            out.flush()
    finally:
        keeper.end_all()


def main() -> None:
    """The process: a signal to its group is none of its business, since its stdin says when to end."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    serve(iter(sys.stdin), sys.stdout)


if __name__ == "__main__":
    main()
