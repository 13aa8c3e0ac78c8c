"""Ending a program and everything that descends from it, by process number, and seeing that it has ended.

The helper has a process group of its own, so a signal to the app-server's group would miss it; and only the end of
its input makes the app-server end its children itself (measured on 0.144.2 and 0.171.0). Whatever could not be seen
is a problem in words, and makes the cleanup unverified.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import anyio
from anyio.abc import Process

from stack.computer_use.programs import pipes_of
from stack.computer_use.settings import Deadlines
from stack.contract import Host

TERMINATE: Final = 15
KILL: Final = 9


class Tree:
    """A process and what has been seen to descend from it."""

    def __init__(self, host: Host, process: Process, deadlines: Deadlines) -> None:
        self._host = host
        self._process = process
        self._deadlines = deadlines
        self._members: set[int] = {process.pid}
        self.problems: list[str] = []

    def look(self) -> frozenset[int]:
        """Note what runs now below the process; its numbers without the process's own. OSError as the host has it."""
        seen = self._host.tree(self._process.pid)
        self._members.update(seen)
        return frozenset(seen) - {self._process.pid}

    def _note(self, problem: str) -> None:
        if problem not in self.problems:
            self.problems.append(problem)

    def _running(self) -> list[int]:
        """Members that run; where that can't be told, all of them, with a problem noted."""
        running: set[int] = set()
        for pid in sorted(self._members):
            try:
                running.update(self._host.tree(pid))
            except OSError:
                self._note("processes can't be listed")
                return sorted(self._members)
        self._members.update(running)
        return sorted(running)

    async def end(self) -> None:
        """Close the input, wait, terminate, kill, and look after each; afterwards `problems` says what is not
        verified. Takes at most the deadlines close, terminate and kill together."""
        early = self._process.returncode is not None
        if [pid for pid in self._running() if pid != self._process.pid] and early:
            self._note("a child was orphaned by an early exit")
        await pipes_of(self._process).stdin.aclose()
        if await self._gone_within(self._deadlines.close, wait_for_exit=True):
            return
        await self.terminate()

    async def terminate(self) -> None:
        """Terminate, kill, and look after each."""
        self._signal(self._running(), TERMINATE)
        if await self._gone_within(self._deadlines.terminate):
            return
        self._signal(self._running(), KILL)
        if not await self._gone_within(self._deadlines.kill):
            self._note("a process still runs after it was killed")

    async def close(self) -> None:
        """Close the pipes, and reap the process where it has ended; one that can't be killed is not waited for."""
        await pipes_of(self._process).aclose()
        if self._process.returncode is not None:
            await self._process.aclose()

    async def _gone_within(self, limit_ms: int, *, wait_for_exit: bool = False) -> bool:
        """Whether everything has ended in time. After the process's own exit what is left of it gets no more grace:
        the app-server ends its children before it exits."""
        with anyio.move_on_after(limit_ms / 1000):
            if wait_for_exit:
                await self._process.wait()
                return not self._running()
            while self._running():
                await anyio.sleep(self._deadlines.poll / 1000)
            return True
        return not self._running()

    def _signal(self, pids: Iterable[int], number: int) -> None:
        for pid in pids:
            try:
                self._host.signal(pid, number)
            except ProcessLookupError:
                continue
            except OSError:
                self._note("a process can't be signalled")
