"""The one driver that is used now, and whose turn it is.

Operations take turns, so a driver never has a second call before it answered the first. The driver starts with the
first operation, and ends five minutes after the last; what waited for its turn when the session ended is dropped.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio
from anyio.abc import TaskGroup

from stack.contract import Host
from stack.errors import CallError
from stack.safari_mcp.connection import Connection
from stack.safari_mcp.settings import Settings
from stack.safari_mcp.tabs import Target


class Drivers:
    """problems: what the ends of drivers so far could not be shown to have ended. ended: how many have ended."""

    def __init__(self, host: Host, settings: Settings, tasks: TaskGroup) -> None:
        self.problems: list[str] = []
        self.ended = 0
        self._host = host
        self._settings = settings
        self._tasks = tasks
        self._turn = anyio.Lock(fast_acquire=True)
        self._busy = False
        self._moved = anyio.Event()
        self._idle_since = 0.0
        self._session = 0
        self._closed = False
        self._current: Connection | None = None

    @property
    def epoch(self) -> str | None:
        """The epoch whose targets can be used now; None: there is none."""
        connection = self._current
        return connection.epoch if connection is not None and connection.live else None

    def check(self, target: Target) -> None:
        """CallError(stale_target) for a target that was not listed in the epoch of now."""
        if target.epoch != self.epoch:
            raise CallError("stale_target", "a target of another epoch than the one of now")

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait for one's turn, and have it. CallError(operation_dropped) where the session ended meanwhile."""
        session = self._session
        async with self._turn:
            if session != self._session or self._closed:
                raise CallError("operation_dropped", "the session ended before it was this operation's turn")
            self._busy = True
            self._move()
            try:
                yield
            finally:
                self._busy = False
                self._idle_since = anyio.current_time()
                self._move()

    def _move(self) -> None:
        self._moved.set()
        self._moved = anyio.Event()

    async def connection(self) -> Connection:
        """The driver, started if need be, with its handshake done. Raises StackError where it can't be had.

        A new one starts only when the old one has ended: two drivers would be two sets of windows.
        """
        session, current = self._session, self._current
        if current is not None and current.live:
            return current
        if current is not None:
            await current.ended.wait()
        if session != self._session:
            raise CallError("operation_dropped", "the session ended before the driver was started")
        self._current = current = Connection(self._host, self._settings)
        self._tasks.start_soon(self._keep, current)
        await current.open()
        return current

    async def _keep(self, connection: Connection) -> None:
        """A connection's whole life, and its end when nothing was asked of it for long enough."""
        try:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(self._watch, connection)
                await connection.run()
                tasks.cancel_scope.cancel()
        finally:  # whoever waits for the end waits shielded
            self.ended += 1
            self.problems += connection.problems
            connection.ended.set()

    async def _watch(self, connection: Connection) -> None:
        limit_s = self._settings.deadlines.idle / 1000
        while True:
            if self._busy:
                await self._moved.wait()
                continue
            with anyio.move_on_after(self._idle_since + limit_s - anyio.current_time()):
                await self._moved.wait()
                continue
            connection.retire(CallError("stale_target", "the driver was closed, because nothing was asked of it"))
            return

    async def end_session(self) -> None:
        """Drop what waits for its turn, end the epoch, and wait until the driver has ended."""
        self._session += 1
        current = self._current
        if current is not None:
            current.retire(CallError("cancelled", "the session has ended"))
            await current.ended.wait()

    async def close(self) -> None:
        """The same, for good."""
        self._closed = True
        await self.end_session()
