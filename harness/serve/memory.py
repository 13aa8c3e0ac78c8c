"""A pipe in memory with the capacity of a real one, so that an unread stream blocks its writer; and two as a socket."""
from __future__ import annotations

import anyio
import trio
from anyio.abc import ByteReceiveStream, ByteSendStream, ByteStream

CAPACITY = 65536
"""Bytes, as a pipe of Linux has."""


class Pipe:
    """One way. What was written stays readable after the writer closed; a closed reader breaks the writer."""

    def __init__(self, capacity: int = CAPACITY) -> None:
        self._buffer = bytearray()
        self._capacity = capacity
        self._moved = trio.lowlevel.ParkingLot()
        self.no_writer = False
        self.no_reader = False

    @property
    def empty(self) -> bool:
        return not self._buffer

    def offer(self, item: bytes) -> int:
        """Write what there is room for; how many bytes that was. Raises what `send` raises."""
        if self.no_writer:
            raise anyio.ClosedResourceError
        if self.no_reader:
            raise anyio.BrokenResourceError
        taken = item[: self._capacity - len(self._buffer)]
        if taken:
            self._buffer += taken
            self._wake()
        return len(taken)

    async def send(self, item: bytes) -> None:
        await trio.lowlevel.checkpoint_if_cancelled()
        while item:
            taken = self.offer(item)
            item = item[taken:]
            if not taken:
                await self._moved.park()

    async def receive(self, max_bytes: int = 65536) -> bytes:
        if self._buffer:
            await trio.lowlevel.checkpoint()
        while not self._buffer:
            if self.no_reader:
                raise anyio.ClosedResourceError
            if self.no_writer:
                raise anyio.EndOfStream
            await self._moved.park()
        data = bytes(self._buffer[:max_bytes])
        del self._buffer[:max_bytes]
        self._wake()
        return data

    def _wake(self) -> None:
        if self._moved:  # mostly nobody waits, and that is cheaper to ask than to wake nobody
            self._moved.unpark_all()

    def close_writer(self) -> None:
        self.no_writer = True
        self._wake()

    def close_reader(self) -> None:
        self.no_reader = True
        self._buffer.clear()
        self._wake()


class Writer(ByteSendStream):
    """The writing end."""

    def __init__(self, pipe: Pipe) -> None:
        self._pipe = pipe

    def offer(self, item: bytes) -> int:
        return self._pipe.offer(item)

    async def send(self, item: bytes) -> None:
        await self._pipe.send(item)

    async def aclose(self) -> None:
        self._pipe.close_writer()


class Reader(ByteReceiveStream):
    """The reading end."""

    def __init__(self, pipe: Pipe) -> None:
        self._pipe = pipe

    @property
    def over(self) -> bool:
        """Whether all was read, and nothing comes any more."""
        return self._pipe.no_writer and self._pipe.empty

    async def receive(self, max_bytes: int = 65536) -> bytes:
        return await self._pipe.receive(max_bytes)

    async def aclose(self) -> None:
        self._pipe.close_reader()


class Connection(ByteStream):
    """One end of a connection in memory, made of two pipes."""

    def __init__(self, incoming: Pipe, outgoing: Pipe) -> None:
        self._incoming = incoming
        self._outgoing = outgoing

    def offer(self, item: bytes) -> int:
        return self._outgoing.offer(item)

    async def send(self, item: bytes) -> None:
        await self._outgoing.send(item)

    async def receive(self, max_bytes: int = 65536) -> bytes:
        return await self._incoming.receive(max_bytes)

    async def send_eof(self) -> None:
        self._outgoing.close_writer()

    async def aclose(self) -> None:
        self._outgoing.close_writer()
        self._incoming.close_reader()


def connected() -> tuple[Connection, Connection]:
    """Both ends of a new connection."""
    there, back = Pipe(), Pipe()
    return Connection(back, there), Connection(there, back)
