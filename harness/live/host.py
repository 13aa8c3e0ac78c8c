"""The stack's own host with a tap before its programs. All else is the host's: places, locks, files, folders.

`path` stays the real one, because it is what the stack verifies the signature of, and what it hands on to a program
that starts another. Of a process tree the tap's writer is left out: it is no process of the program's, and the stack
would end it with the program, before the tape is whole.
"""
from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from harness.serve.left import processes_of
from harness.serve.private import InstalledApp, of_path


class TappedHost:
    """real: the host; taps: the same class of host, whose table has the shims of `tapped`, which lie in `folder`.
    applications: those of a world in place of the machine's; None: the machine's."""

    def __init__(
        self,
        real: Any,
        taps: Any,
        tapped: Collection[str],
        folder: str,
        applications: Sequence[InstalledApp] | None = None,
    ) -> None:
        self._real = real
        self._taps = taps
        self._folder = folder
        self._tapped = frozenset(tapped)
        self._applications = applications

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)

    async def start(self, program: str, args: Sequence[str], *, env: Mapping[str, str], cwd: str) -> Any:
        host = self._taps if str(program) in self._tapped else self._real
        return await host.start(program, args, env=env, cwd=cwd)

    def tree(self, pid: int) -> tuple[int, ...]:
        members: tuple[int, ...] = self._real.tree(pid)
        of_taps = {process.pid for process in processes_of([self._folder])} - {pid} if members else set()
        return tuple(member for member in members if member not in of_taps)

    def applications(self, path: str | None = None) -> Any:
        if self._applications is None:
            return self._real.applications(path)
        return of_path(self._applications, path)
