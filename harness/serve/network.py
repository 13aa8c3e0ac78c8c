"""What can be dialled in a virtual run: the run's services, and whatever part of a stack listens. All in memory.

Shared by every host of the run, so that two stacks, and the parts of one, can reach each other. Addresses are compared
as texts; anything but loopback is refused as a host that is not live refuses it.
"""
from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import anyio
import trio
from anyio.abc import ByteStream, Listener, SocketAttribute, TaskGroup

from harness.serve.memory import Connection, connected
from harness.serve.services import Services

FIRST_PORT = 49152
"""The first of the ports that are given where port 0 is listened on."""
LOOPBACK = ("127.", "[::1]")
EACCES, EADDRINUSE, ECONNREFUSED = 13, 98, 111


def is_loopback(address: str) -> bool:
    """Whether an address is on this machine; a name never is, since what it means can be changed."""
    scheme, _, rest = address.partition(":")
    return scheme == "unix" or (scheme in ("tcp", "tls") and rest.startswith(LOOPBACK))


def shown(address: str) -> str:
    """An address without the path that a socket has on this machine."""
    return address.rpartition("/")[2] if address.startswith("unix:") else address


def refused(address: str) -> ConnectionRefusedError:
    """What dialling an address gives where nobody listens."""
    return ConnectionRefusedError(ECONNREFUSED, "Connection refused", address)


def not_loopback(address: str) -> PermissionError:
    """What dialling or listening gives beyond this machine."""
    return PermissionError(EACCES, "only loopback can be reached in a run", address)


class Network:
    """See the module."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._listeners: dict[str, MemoryListener] = {}
        self._next_port = FIRST_PORT

    async def dial(self, address: str) -> ByteStream:
        """Connect. Raises ConnectionRefusedError where nobody listens, PermissionError beyond loopback."""
        if address in self._services:
            session = await self._services.connect(address)
            ours, theirs = connected()
            self._services.serve(session, theirs)
            await trio.lowlevel.checkpoint()
            return ours
        await trio.lowlevel.checkpoint()
        if not is_loopback(address):
            raise not_loopback(address)
        if address not in self._listeners:
            raise refused(address)
        return self._listeners[address].connect()

    async def listen(self, address: str) -> MemoryListener:
        """Listen. Raises OSError where the address is taken, PermissionError beyond loopback. Port 0: a free one."""
        await trio.lowlevel.checkpoint()
        if not is_loopback(address) or address.startswith("tls:"):
            raise not_loopback(address)
        host, _, port = address.rpartition(":")
        if address.startswith("tcp:") and port == "0":
            address = f"{host}:{self._next_port}"
            self._next_port += 1
        if address in self._listeners or address in self._services:
            raise OSError(EADDRINUSE, "Address already in use", address)
        listener = self._listeners[address] = MemoryListener(address, self._forget)
        return listener

    def _forget(self, listener: MemoryListener) -> None:
        self._listeners.pop(listener.address, None)

    def listening(self) -> list[str]:
        """What is listened on now, by `shown`."""
        return sorted(map(shown, self._listeners))


class MemoryListener(Listener[ByteStream]):
    """One address of a virtual run. Connections wait until they are taken; closing it ends those that wait."""

    def __init__(self, address: str, closed: Callable[[MemoryListener], None]) -> None:
        self.address = address
        self._closed = closed
        self._put, self._take = trio.open_memory_channel[Connection](math.inf)

    def connect(self) -> Connection:
        """The client's end of a new connection."""
        ours, theirs = connected()
        self._put.send_nowait(theirs)
        return ours

    async def serve(
        self, handler: Callable[[ByteStream], Any], task_group: TaskGroup | None = None
    ) -> None:
        if task_group is None:
            async with anyio.create_task_group() as own:
                await self._serve(handler, own)
        else:
            await self._serve(handler, task_group)

    async def _serve(self, handler: Callable[[ByteStream], Any], task_group: TaskGroup) -> None:
        while True:
            try:
                connection = await self._take.receive()
            except (trio.ClosedResourceError, trio.EndOfChannel):
                raise anyio.ClosedResourceError from None
            task_group.start_soon(handler, connection)

    async def aclose(self) -> None:
        self._closed(self)
        while True:
            try:
                await self._take.receive_nowait().aclose()
            except (trio.WouldBlock, trio.ClosedResourceError):
                break
        self._put.close()
        self._take.close()
        await trio.lowlevel.checkpoint()

    @property
    def extra_attributes(self) -> Mapping[Any, Callable[[], Any]]:
        scheme, _, rest = self.address.partition(":")
        if scheme == "unix":
            return {SocketAttribute.local_address: lambda: rest}
        host, _, port = rest.rpartition(":")
        return {
            SocketAttribute.local_address: lambda: (host, int(port)),
            SocketAttribute.local_port: lambda: int(port),
        }
