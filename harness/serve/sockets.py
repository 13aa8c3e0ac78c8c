"""What can be dialled in a process run: the run's services behind real sockets, and whatever part of a stack listens.

The addresses of a scenario are not opened on this machine, where another run may use them: a service is at a socket of
the run folder, made for one connection, and what a stack listens on is at a free port. Dialling maps the one to the
other, through the stack's own host.
"""
from __future__ import annotations

import socket
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import anyio
import trio
from anyio.abc import ByteStream, Listener, SocketAttribute, TaskGroup

from harness.serve.network import EADDRINUSE, is_loopback, not_loopback, refused, shown
from harness.serve.services import NOT_CONNECTED, Services

READ = 65536


class Socket(ByteStream):
    """A connected socket as a stream."""

    def __init__(self, connection: trio.socket.SocketType) -> None:
        self._stream = trio.SocketStream(connection)

    async def send(self, item: bytes) -> None:
        await self._stream.send_all(item)

    async def receive(self, max_bytes: int = READ) -> bytes:
        data = await self._stream.receive_some(max_bytes)
        if not data:
            raise anyio.EndOfStream
        return data

    async def send_eof(self) -> None:
        await self._stream.send_eof()

    async def aclose(self) -> None:
        await self._stream.aclose()


class SocketNetwork:
    """Shared by all hosts of one process run. folder: the run folder."""

    def __init__(self, services: Services, folder: Path) -> None:
        self._services = services
        self._folder = folder
        self._listeners: dict[str, str] = {}

    async def dial(self, host: Any, address: str) -> ByteStream:
        """Connect through `host`. Raises ConnectionRefusedError where nobody of the run listens."""
        if address in self._services:
            return await self._dial_service(host, address)
        if not is_loopback(address):
            raise not_loopback(address)
        place = self._listeners.get(address)
        if place is None and not address.startswith("unix:"):
            raise refused(address)  # what else listens on this machine is no part of the run
        stream: ByteStream = await host.dial(place or address)
        return stream

    async def _dial_service(self, host: Any, address: str) -> ByteStream:
        session = await self._services.connect(address)
        path = self._folder / f"{session.program}-{session.p}.sock"
        door = trio.socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            await door.bind(str(path))
            door.listen(1)
            stream: ByteStream = await host.dial(f"unix:{path}")
            connection, _ = await door.accept()
        except BaseException:
            session.abandoned(NOT_CONNECTED)
            raise
        finally:
            door.close()
            path.unlink(missing_ok=True)
        self._services.serve(session, Socket(connection))
        return stream

    async def listen(self, host: Any, address: str) -> Listener[ByteStream]:
        """Listen through `host`: a tcp address at a free port, which dialling the address leads to."""
        if not is_loopback(address) or address.startswith("tls:"):
            raise not_loopback(address)
        if address in self._listeners or address in self._services:
            raise OSError(EADDRINUSE, "Address already in use", address)
        scheme, _, rest = address.partition(":")
        place = rest.rpartition(":")[0]
        listener: Listener[ByteStream] = await host.listen(address if scheme == "unix" else f"tcp:{place}:0")
        real = address
        if scheme == "tcp":
            real = f"tcp:{place}:{listener.extra(SocketAttribute.local_port)}"
            if address.endswith(":0"):
                address = real
        self._listeners[address] = real
        return NamedListener(listener, address, lambda: self._listeners.pop(address, None))

    def listening(self) -> list[str]:
        """What is listened on now, by `shown`, as the stack named it."""
        return sorted(map(shown, self._listeners))


class NamedListener(Listener[ByteStream]):
    """A real listener under the address that the stack knows it by."""

    def __init__(self, listener: Listener[ByteStream], address: str, closed: Callable[[], object]) -> None:
        self._listener = listener
        self._address = address
        self._closed = closed

    async def serve(self, handler: Callable[[ByteStream], Any], task_group: TaskGroup | None = None) -> None:
        await self._listener.serve(handler, task_group)

    async def aclose(self) -> None:
        self._closed()
        await self._listener.aclose()

    @property
    def extra_attributes(self) -> Mapping[Any, Callable[[], Any]]:
        host, _, port = self._address.partition(":")[2].rpartition(":")
        if not port.isdigit():
            return self._listener.extra_attributes
        return {
            **self._listener.extra_attributes,
            SocketAttribute.local_address: lambda: (host, int(port)),
            SocketAttribute.local_port: lambda: int(port),
        }
